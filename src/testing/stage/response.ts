import type { Problem } from '../../error/problem.ts'

/** The response to a request of a test. */
export interface TestResponse<Body = Readonly<Record<string, unknown>>> {
  readonly status: number
  readonly headers: Headers
  /** The body as text. */
  readonly text: string
  /** The body as bytes, such as the content of a file. */
  readonly bytes: Uint8Array
  /** The parsed body. Its type is not checked. @throws Error if the body is not JSON */
  readonly json: Body
  /** The parsed body of an error response. @throws Error if the response is not a problem of modelrest */
  readonly problem: Problem
}

/** The longest part of a body in a message. */
const SHOWN = 500

/** A response for messages: `422 {"type":…`. */
export const responseText = ({ status, text }: Pick<TestResponse, 'status' | 'text'>): string =>
  `${status} ${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}`.trim()

/** @param request the method and path, for messages */
export const readResponse = async <Body>(
  response: Response,
  request: string,
): Promise<TestResponse<Body>> => {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  const { status, headers } = response
  const type = headers.get('content-type') ?? ''
  const read = { status, headers, text }
  const fail = (what: string): never => {
    throw new Error(`The response to ${request} is not ${what}: ${responseText(read)}`)
  }
  const json = isJson.test(type) && text !== '' ? { value: JSON.parse(text) } : undefined
  // Plain objects: assertions that compare a part of them refuse instances of classes.
  return Object.defineProperties(
    { ...read, ...(json && { json: json.value }) },
    {
      bytes: { value: bytes },
      ...(json === undefined && { json: { get: () => fail('JSON') } }),
      problem: {
        get: () => (type.startsWith('application/problem+json') ? json?.value : fail('a problem')),
      },
    },
  ) as TestResponse<Body>
}

const isJson = /^application\/(?:[\w.-]+\+)?json\b/
