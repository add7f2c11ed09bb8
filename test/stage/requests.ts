import type { App } from './apps.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | (string & {})

/** A reply as a test sees it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The lines of `Set-Cookie`. */
  readonly cookies: readonly string[]
  readonly text: string
  /** The body as JSON; an empty object where it is empty or not JSON. */
  readonly json: Readonly<Record<string, unknown>>
}

/** What a request has beside its method and path. */
export interface Sent {
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** For `Authorization: Bearer`. */
  readonly token?: string
  /** Cookies by name. */
  readonly cookies?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Where the request comes from. @default 127.0.0.1 */
  readonly address?: string | null
}

export type Send = (method: Method, path: string, sent?: Sent) => Promise<Answer>

export const headersOf = ({ body, token, cookies, headers }: Sent): Record<string, string> => ({
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(cookies !== undefined && {
    cookie: Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join('; '),
  }),
  ...headers,
})

export const requestOf = (method: Method, sent: Sent): RequestInit => ({
  method,
  headers: headersOf(sent),
  ...(sent.body !== undefined && {
    body: typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body),
  }),
})

export const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    cookies: response.headers.getSetCookie(),
    text,
    json: isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {},
  }
}

type Asked = Pick<App, 'ask'> | { readonly fetch: (request: Request) => Promise<Response> }

/** Sends requests to a service, and reads what it answers. */
export const senderTo =
  (app: Asked): Send =>
  async (method, path, sent = {}) => {
    const init = requestOf(method, sent)
    return answerOf(
      'ask' in app
        ? await app.ask(path, init, sent.address)
        : await app.fetch(new Request(`http://localhost${path}`, init)),
    )
  }
