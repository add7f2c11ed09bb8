import { assertKnown, StartError } from '../error/errors.ts'
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
   * `false`: `/openapi.json` and `/docs` require authentication and respond to anonymous callers with 401. Needs the
   * option `auth`. @default true
   */
  readonly public?: boolean
  /** @default the base URL of the operations, on the document's own origin */
  readonly servers?: readonly OpenApiServer[]
}

const names = {
  openapi: [
    ...(['title', 'version', 'description', 'termsOfService', 'contact', 'license'] as const),
    ...(['logo', 'color', 'public', 'servers'] as const),
  ],
  contact: ['name', 'url', 'email'],
  license: ['name', 'identifier', 'url'],
} as const

/** @throws StartError for an unknown option, or a value that OpenAPI does not allow */
export const assertOpenApi = (given: unknown): void => {
  if (given === undefined) return
  assertText('openapi', given, names.openapi, ['contact', 'license', 'public', 'servers'])
  const { contact, license, public: open, logo, color } = given as OpenApiOptions
  if (open !== undefined && typeof open !== 'boolean')
    throw new StartError('openapi.public must be true or false.')
  assertLook(logo, color)
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
