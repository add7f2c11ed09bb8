import { assertKnown } from '../../error/errors.ts'
import { readResponse, type TestResponse } from './response.ts'

/** Options of a request in addition to its method, path and body. */
export interface TestRequestOptions {
  /** They replace headers of the client with the same name. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Requests of a test. `path` is the complete path with its query, such as `/products/?q=price<20`; special characters are
 * encoded. The type argument is the type of `response.json`.
 */
export interface TestRequests {
  get<Body = JsonObject>(path: string, options?: TestRequestOptions): Promise<TestResponse<Body>>
  /**
   * @param body sent as JSON. `FormData` is sent as a form. A string, bytes, a `Blob`, `URLSearchParams` or a stream are sent
   * unchanged: set `content-type` in the headers
   */
  post<Body = JsonObject>(
    path: string,
    body?: unknown,
    options?: TestRequestOptions,
  ): Promise<TestResponse<Body>>
  put<Body = JsonObject>(
    path: string,
    body?: unknown,
    options?: TestRequestOptions,
  ): Promise<TestResponse<Body>>
  patch<Body = JsonObject>(
    path: string,
    body?: unknown,
    options?: TestRequestOptions,
  ): Promise<TestResponse<Body>>
  delete<Body = JsonObject>(path: string, options?: TestRequestOptions): Promise<TestResponse<Body>>
  /** Sends a request with any method, such as `HEAD`. */
  request<Body = JsonObject>(
    method: string,
    path: string,
    body?: unknown,
    options?: TestRequestOptions,
  ): Promise<TestResponse<Body>>
}

type JsonObject = Readonly<Record<string, unknown>>

/** Sends a request to the application. */
export type SendRequest = (request: Request) => Promise<Response>

/** @param headersOf the headers of a request, by their lower-case names @param received called with each response */
export const testRequests = (
  exchange: SendRequest,
  headersOf: (path: string) => Readonly<Record<string, string>>,
  received?: (response: Response, path: string) => void,
): TestRequests => {
  const send = async <Body>(
    method: string,
    path: string,
    body: unknown,
    options: TestRequestOptions = {},
  ): Promise<TestResponse<Body>> => {
    for (const name of Object.keys(options))
      assertKnown(`${method} ${path}: unknown option`, name, ['headers'])
    if (typeof path !== 'string' || !path.startsWith('/'))
      throw new TypeError(`The path of a request must start with a slash, not be ${String(path)}.`)
    const headers = new Headers(headersOf(path))
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value)
    const response = await exchange(requestOf(method, path, headers, body))
    received?.(response, path)
    return readResponse<Body>(response, `${method} ${path}`)
  }
  return {
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body, options) => send('POST', path, body, options),
    put: (path, body, options) => send('PUT', path, body, options),
    patch: (path, body, options) => send('PATCH', path, body, options),
    delete: (path, options) => send('DELETE', path, undefined, options),
    request: (method, path, body, options) => send(method.toUpperCase(), path, body, options),
  }
}

const requestOf = (method: string, path: string, headers: Headers, body: unknown): Request => {
  const url = `http://localhost${path}`
  if (body === undefined) return new Request(url, { method, headers })
  if (isSentUnchanged(body)) return new Request(url, { method, headers, body, duplex: 'half' })
  if (!headers.has('content-type')) headers.set('content-type', 'application/json')
  return new Request(url, { method, headers, body: JSON.stringify(body) })
}

const unchanged = [FormData, URLSearchParams, Blob, ReadableStream, ArrayBuffer]

const isSentUnchanged = (body: unknown): body is NonNullable<RequestInit['body']> =>
  typeof body === 'string' || ArrayBuffer.isView(body) || unchanged.some((type) => body instanceof type)
