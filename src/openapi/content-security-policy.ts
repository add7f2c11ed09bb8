import type { OpenApiDocument } from './openapi-document.ts'

/**
 * What the page may do: run our scripts, show what they draw, and send requests to the servers of the document.
 *
 * The viewer shows pictures that it carries itself (`data:`) or got in a reply (`blob:`). It styles through the DOM, so
 * that it needs no inline style either.
 */
export const contentSecurityPolicy = ({ servers }: OpenApiDocument): string =>
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

/** The origin of an absolute URL; its scheme where a variable stands in the origin; nothing for a path. */
const sourceOf = (url: string): readonly string[] => {
  const [, scheme, authority] = /^(https?:)\/\/([^/?#]*)/.exec(url) ?? []
  if (scheme === undefined || authority === undefined) return []
  return /^[\w.:[\]-]+$/.test(authority) ? [`${scheme}//${authority}`] : [scheme]
}
