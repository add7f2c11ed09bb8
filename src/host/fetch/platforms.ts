/** Whether Next.js created the request. */
export const isOfNext = (request: Request): boolean => 'nextUrl' in request

/**
 * Whether the platform compresses responses itself, and would spoil compressed ones: Next.js removes `Content-Encoding`, and
 * Workers of Cloudflare compress a second time.
 */
export const compressesItself = (request: Request): boolean => isOfNext(request) || 'cf' in request

/**
 * The URL of a request of Next.js, which writes the query anew: the condition `price<20` becomes `price%3C20=`. An `=` that a
 * client writes at the end of a value becomes `%3D`.
 */
export const urlOfNext = ({ url }: Request): string => {
  const start = url.indexOf('?') + 1
  if (start === 0) return url
  return url.slice(0, start) + url.slice(start).split('&').map(condition).join('&')
}

const condition = (part: string): string =>
  part.indexOf('=') === part.length - 1 && /%3[CE]/.test(part) ? part.slice(0, -1) : part
