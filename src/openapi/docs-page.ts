import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import fresh from 'fresh'
import Negotiator from 'negotiator'
import { problem } from '../error/errors.ts'
import { lazily } from '../model/objects.ts'
import type { Call, Reply } from '../operation/call.ts'
import { type Brand, brandStyle } from './brand.ts'
import type { OpenApiDocument } from './openapi-document.ts'

export type DocsReplies = Readonly<Record<'document' | 'page' | 'asset', (call: Call) => Reply>>

export const docsReplies = (
  document: () => OpenApiDocument,
  brand: Brand = {},
  asksForToken = false,
): DocsReplies => {
  const assets = lazily(() => assetsOf(brand))
  const json = lazily(() => fromText('application/json', JSON.stringify(document())))
  const policy = lazily(() => ({ 'content-security-policy': contentSecurityPolicy(document()) }))
  const pageAt = (slashed: boolean) =>
    lazily(() => fromText(HTML, docsPage(document(), { assets: assets(), brand, slashed, asksForToken })))
  const [page, slashed] = [pageAt(false), pageAt(true)]
  return {
    document: (call) => replyWith(call, json()),
    page: (call) => replyWith(call, call.path.endsWith('/') ? slashed() : page(), policy()),
    asset: (call) => replyWithAsset(call, assets()),
  }
}

const replyWithAsset = (call: Call, assets: Assets): Reply => {
  const name = call.params['asset'] ?? ''
  if (!isAsset(name)) throw problem('not_found', 'The documentation does not have this file.')
  const body = assets[name]()
  // The page requests files with their version, so these responses never change. Without a version, they may.
  const isVersioned = call.query === `v=${body.version}`
  return replyWith(call, body, isVersioned ? { 'cache-control': 'public, max-age=31536000, immutable' } : {})
}

const HTML = 'text/html; charset=utf-8'

/** Above this number of operations, the page opens with its groups folded. */
const FOLDED_ABOVE = 100

/**
 * The page of the viewer. All its URLs are relative, so it works under every prefix, including one that a proxy
 * removes. `/docs/` is one level deeper than `/docs`.
 */
const docsPage = (
  document: OpenApiDocument,
  {
    assets,
    brand: { logo, color },
    slashed,
    asksForToken,
  }: {
    readonly assets: Assets
    readonly brand: Brand
    readonly slashed: boolean
    readonly asksForToken: boolean
  },
): string => {
  const [here, above] = slashed ? ['', '../'] : ['docs/', '']
  const asset = (name: AssetName) => `${here}${name}?v=${assets[name]().version}`
  const title = escapeHtml(document.info.title)
  const icon = escapeHtml(logo ?? 'data:,')
  const header =
    logo === undefined ? '' : `<header class="page-logo"><img src="${icon}" alt="${title}"></header>\n`
  const asking = asksForToken ? ' data-token="asked"' : ''
  const expansion = countOperations(document) > FOLDED_ABOVE ? 'none' : 'list'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${asset('swagger-ui.css')}">
<link rel="stylesheet" href="${asset('page.css')}">
</head>
<body${color === undefined ? '' : ' class="branded"'}>
${header}<p id="session" hidden></p>
<div id="viewer" data-document="${above}openapi.json" data-expansion="${expansion}"${asking}></div>
<noscript>This page needs JavaScript. The API document: <a href="${above}openapi.json">openapi.json</a></noscript>
<script src="${asset('swagger-ui-bundle.js')}"></script>
<script type="module" src="${asset('initialise.js')}"></script>
</body>
</html>
`
}

const countOperations = ({ paths }: OpenApiDocument): number =>
  Object.values(paths).reduce((count, item) => count + Object.keys(item).length, 0)

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * The page may run our scripts, show what they draw, and send requests to the servers of the document.
 *
 * The viewer shows images that it contains (`data:`) or received in a response (`blob:`). It sets styles through the
 * DOM, so it does not need inline styles.
 */
const contentSecurityPolicy = ({ servers }: OpenApiDocument): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${[...new Set(["'self'", ...servers.flatMap(({ url }) => sourceOf(url))])].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')

/** The origin of an absolute URL; its scheme if the origin has a variable; nothing for a path. */
const sourceOf = (url: string): readonly string[] => {
  const [, scheme, authority] = /^(https?:)\/\/([^/?#]*)/.exec(url) ?? []
  if (scheme === undefined || authority === undefined) return []
  return /^[\w.:[\]-]+$/.test(authority) ? [`${scheme}//${authority}`] : [scheme]
}

/** A body that does not change while the process runs, compressed and uncompressed. */
interface StaticBody {
  readonly mediaType: string
  /** A hash of the content, used in its ETag. */
  readonly version: string
  plain(): Uint8Array
  gzip(): Uint8Array
}

const versionOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 22)

const fromText = (mediaType: string, text: string): StaticBody => {
  const bytes = Buffer.from(text)
  return { mediaType, version: versionOf(bytes), plain: () => bytes, gzip: lazily(() => gzipSync(bytes)) }
}

/** Decompressed when a client first needs it, because nearly every client accepts gzip. */
const fromGzip = (mediaType: string, bytes: Uint8Array): StaticBody => ({
  mediaType,
  version: versionOf(bytes),
  plain: lazily(() => gunzipSync(bytes)),
  gzip: () => bytes,
})

const replyWith = (call: Call, body: StaticBody, headers: Readonly<Record<string, string>> = {}): Reply => {
  const zipped = takesGzip(call)
  const etag = `"${body.version}${zipped ? '-gzip' : ''}"`
  const always = { 'cache-control': 'no-cache', ...headers, etag, vary: 'accept-encoding' }
  if (isNotModified(call, etag)) return { status: 304, headers: always, body: undefined }
  return {
    status: 200,
    headers: {
      ...always,
      'content-type': body.mediaType,
      'x-content-type-options': 'nosniff',
      ...(zipped && { 'content-encoding': 'gzip' }),
    },
    body: zipped ? body.gzip() : body.plain(),
  }
}

const takesGzip = (call: Call): boolean => {
  const accepted = call.header('accept-encoding')
  if (accepted === undefined) return false
  return (
    new Negotiator({ headers: { 'accept-encoding': accepted } }).encoding(['gzip', 'identity']) === 'gzip'
  )
}

/** Weak comparison (RFC 9110, 13.1.2): a proxy may have marked our ETag as weak. */
const isNotModified = (call: Call, etag: string): boolean =>
  fresh({ 'if-none-match': call.header('if-none-match') }, { etag })

const readAsset = (path: string): Buffer => {
  try {
    return readFileSync(new URL(`../openapi/viewer/${path}`, import.meta.url))
  } catch (cause) {
    throw new Error(
      `The file ${path} of the documentation viewer is missing. In a checkout, run npm run build to create it.`,
      {
        cause,
      },
    )
  }
}

const SCRIPT = 'text/javascript; charset=utf-8'

const CSS = 'text/css; charset=utf-8'

const assetNames = [
  'swagger-ui.css',
  'page.css',
  'swagger-ui-bundle.js',
  'initialise.js',
  'models.js',
  'models-layout.js',
  'samples.js',
  'session.js',
  'token.js',
] as const
type AssetName = (typeof assetNames)[number]
type Assets = Readonly<Record<AssetName, () => StaticBody>>

const script = (name: AssetName): (() => StaticBody) =>
  lazily(() => fromText(SCRIPT, readAsset(name).toString()))

const assetsOf = (brand: Brand): Assets => ({
  'swagger-ui.css': lazily(() => fromGzip(CSS, readAsset('swagger-ui/swagger-ui.css.gz'))),
  'page.css': lazily(() =>
    fromText(CSS, `${readAsset('page.css')}${readAsset('models.css')}${brandStyle(brand)}`),
  ),
  'swagger-ui-bundle.js': lazily(() => fromGzip(SCRIPT, readAsset('swagger-ui/swagger-ui-bundle.js.gz'))),
  'initialise.js': script('initialise.js'),
  'models.js': script('models.js'),
  'models-layout.js': script('models-layout.js'),
  'samples.js': script('samples.js'),
  'session.js': script('session.js'),
  'token.js': script('token.js'),
})

const isAsset = (name: string): name is AssetName => assetNames.some((known) => known === name)
