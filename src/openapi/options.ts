import { assertKnown, StartError } from '../error/errors.ts'
import { codeMistake, isOwnCode, type OwnCodes } from '../error/own-codes.ts'
import { isPlainObject } from '../model/objects.ts'

/** A server of the API, as the document lists it. */
export interface OpenApiServer {
  /** An absolute URL, or a path on the document's own origin. Without a trailing slash. */
  readonly url: string
  readonly description?: string
  /** Values for `{name}` in `url`. */
  readonly variables?: Readonly<Record<string, OpenApiServerVariable>>
}

/** A variable in the URL of a server, whose value the reader of the document chooses. */
export interface OpenApiServerVariable {
  readonly default: string
  readonly enum?: readonly string[]
  readonly description?: string
}

/** The person or team to contact about the API. */
export interface OpenApiContact {
  readonly name?: string
  readonly url?: string
  readonly email?: string
}

/** The license of the API: its name, and either an SPDX expression (`Apache-2.0`) or the URL of the text. */
export interface OpenApiLicense {
  readonly name: string
  readonly identifier?: string
  readonly url?: string
}

/**
 * The option `openapi` of `ModelRest`: the metadata of the OpenAPI document and the look of `/docs`.
 *
 * @example
 * ```ts
 * import type { OpenApiOptions } from 'modelrest'
 *
 * export const openapi: OpenApiOptions = {
 *   title: 'Shop',
 *   version: '2.4.0',
 *   logo: '/images/logo.svg',
 *   color: '#0b6e4f',
 *   servers: [{ url: 'https://api.shop.test/v2' }],
 * }
 * ```
 */
export interface OpenApiOptions {
  /** @default 'API' */
  readonly title?: string
  /** The version of your API, not of OpenAPI. @default '1.0.0' */
  readonly version?: string
  /** CommonMark. @default none */
  readonly description?: string
  /** A URL. @default none */
  readonly termsOfService?: string
  /** @default none */
  readonly contact?: OpenApiContact
  /** @default none */
  readonly license?: OpenApiLicense
  /**
   * The logo at the top of `/docs`, also used as its favicon: a path on the same origin, such as `/images/logo.svg`, or
   * a `data:image/…` URL of at most 100,000 characters. @default none
   */
  readonly logo?: string
  /** The color of buttons and links in `/docs`: `#rgb` or `#rrggbb`. @default the viewer's own colors */
  readonly color?: string
  /**
   * `false`: `/openapi.json` and `/docs` require authentication and respond to anonymous callers with 401. `page`: only
   * `/openapi.json` does, and `/docs` asks for an access token, which stays in the memory of the page. Both need the option `auth`.
   * @default true
   */
  readonly public?: boolean | 'page'
  /**
   * Your own problem codes, such as `{ ticket_closed: { status: 409, title: 'The ticket is closed' } }`. Problems with these
   * codes have this `title`, and the document lists them for each operation that runs hooks, permission functions or your other
   * code. @default none
   */
  readonly codes?: OwnCodes
  /** @default the base URL of the operations, on the document's own origin */
  readonly servers?: readonly OpenApiServer[]
}

const names = {
  openapi: [
    ...(['title', 'version', 'description', 'termsOfService', 'contact', 'license'] as const),
    ...(['logo', 'color', 'public', 'servers', 'codes'] as const),
  ],
  contact: ['name', 'url', 'email'],
  license: ['name', 'identifier', 'url'],
  code: ['status', 'title', 'type'],
} as const

/** @throws StartError for an unknown option, or a value that OpenAPI does not allow */
export const assertOpenApi = (given: unknown): void => {
  if (given === undefined) return
  assertText('openapi', given, names.openapi, ['contact', 'license', 'public', 'servers', 'codes'])
  const { contact, license, public: open, logo, color, codes } = given as OpenApiOptions
  if (open !== undefined && typeof open !== 'boolean' && open !== 'page')
    throw new StartError("openapi.public must be true, false or 'page'.")
  assertLook(logo, color)
  if (codes !== undefined) assertCodes('openapi.codes', codes)
  if (contact !== undefined) assertText('openapi.contact', contact, names.contact)
  if (license === undefined) return
  assertText('openapi.license', license, names.license)
  if (license.name === undefined)
    throw new StartError(
      "openapi.license needs a name, such as { name: 'Apache 2.0', identifier: 'Apache-2.0' }.",
    )
  if (license.identifier !== undefined && license.url !== undefined)
    throw new StartError('openapi.license has both an identifier and a url. Remove one of them.')
}

/**
 * An absolute path on the page's own origin, or an image in the URL itself. The content security policy of the page
 * blocks all other images.
 */
const logoForm = /^(\/(?![/\\])|data:image\/)[^\s\p{Cc}\\]*$/iu

/** The maximum length of a logo URL in characters. The page contains it twice. */
const MAX_LOGO = 100_000

const isColor = (text: string): boolean => /^#([\da-f]{3}|[\da-f]{6})$/i.test(text)

const assertLook = (logo: OpenApiOptions['logo'], color: OpenApiOptions['color']): void => {
  if (logo !== undefined && !logoForm.test(logo))
    throw new StartError(
      'openapi.logo must be a path that begins with one slash, such as `/images/logo.svg`, or a `data:image/…` URL.',
    )
  if (logo !== undefined && logo.length > MAX_LOGO)
    throw new StartError(
      `openapi.logo must have at most ${MAX_LOGO} characters, not ${logo.length}. Serve a larger image at a path, such as \`/images/logo.svg\`.`,
    )
  if (color !== undefined && !isColor(color))
    throw new StartError('openapi.color must be a color such as `#0b6e4f` or `#0a5`.')
}

/** @throws StartError for a code, a status or a string that no problem can have */
export const assertCodes = (place: string, codes: unknown): void => {
  if (!isPlainObject(codes))
    throw new StartError(
      `${place} must be an object, such as { ticket_closed: { status: 409, title: 'The ticket is closed' } }.`,
    )
  for (const [code, meaning] of Object.entries(codes)) {
    const at = `${place}.${code}`
    assertText(at, meaning, names.code, ['status'])
    const { status, title, type } = meaning as Readonly<Record<string, unknown>>
    if (!isOwnCode(code)) throw new StartError(`${at}: modelrest defines this code. Choose another name.`)
    if (!(Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599))
      throw new StartError(`${at}.status must be an integer from 400 to 599.`)
    const mistake = codeMistake(Number(status), code)
    if (mistake !== undefined) throw new StartError(`${at}: ${mistake}`)
    if (typeof title !== 'string' || title.trim() === '' || title.length > MAX_TITLE)
      throw new StartError(`${at}.title must be a text of at most ${MAX_TITLE} characters.`)
    if (type !== undefined && (URL.parse(String(type)) === null || String(type).length > MAX_TITLE))
      throw new StartError(
        `${at}.type must be an absolute URI of at most ${MAX_TITLE} characters, such as https://example.com/problems/${code}.`,
      )
  }
}

/** Characters of the title and the type of a code, which every problem with it contains. */
const MAX_TITLE = 250

/** @throws StartError for an unknown member, or one that is not a string */
const assertText = (
  place: string,
  given: unknown,
  known: readonly string[],
  others: readonly string[] = [],
): void => {
  if (!isPlainObject(given)) throw new StartError(`${place} must be an object. Allowed: ${known.join(', ')}.`)
  for (const [name, value] of Object.entries(given)) {
    assertKnown(`${place}: unknown option`, name, known)
    if (value !== undefined && typeof value !== 'string' && !others.includes(name))
      throw new StartError(`${place}.${name} must be a string.`)
  }
}
