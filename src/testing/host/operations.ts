import { HttpError, ValueError } from '../../error/errors.ts'
import type { Call, Reply } from '../../operation/call.ts'
import type { BodyShape, Operation } from '../../operation/operation.ts'
import { pullBody, type Steps, wait } from '../../operation/steps.ts'

/** The maximum number of bytes of a body of these operations. */
export const limit = 1000

/** The maximum number of milliseconds. */
export const timeout = 30_000

/** A body within these limits. */
export const body: BodyShape = {
  mediaTypes: ['application/json'],
  required: true,
  schema: { name: 'Any', schema: {} },
  limit,
  timeout,
}

type Run = (call: Call) => Steps<Reply>

/** Creates an operation, with the members that hosts do not use. */
export const operation = (
  method: Operation['method'],
  path: string,
  run: Run,
  more: Partial<Operation> = {},
): Operation => ({
  id: `${method.toLowerCase()}${path.replaceAll(/\W+/g, '_')}`,
  method,
  path,
  summary: 'Synthetic',
  tag: 'Synthetic',
  parameters: [],
  success: { status: 200, description: 'Fine' },
  problems: [],
  run,
  ...more,
})

const json = (status: number, value: unknown, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

/** Responds with what the host told the operation about the request. */
const echo = (as: string): Run =>
  function* (call) {
    yield* wait(undefined)
    const { method, path, params, query, requestId } = call
    const header = call.header('x-told') ?? null
    return json(200, { as, method, path, params, query, header, id: typeof requestId })
  }

const always = (reply: Reply): Run =>
  function* () {
    return yield* wait(reply)
  }

function* bytesBack(): Steps<Reply> {
  const bytes = yield* pullBody()
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: bytes }
}

const failing = (error: unknown): Run =>
  function* () {
    yield* wait(undefined)
    throw error
  }

const waits: Run = function* () {
  const before = yield* wait(Promise.resolve('before'))
  const bytes = yield* pullBody()
  const after = yield* wait(new Promise((resolve) => setImmediate(resolve, 'after')))
  return json(201, [before, bytes.length, after], { location: '/waits/1' })
}

/** Responds with what the operation knows about the client. */
const who: Run = function* (call) {
  yield* wait(undefined)
  const { address = null, scheme } = call
  return json(200, { address, scheme, authorization: call.header('authorization') ?? null })
}

/** Responds with headers that a client may send as several lines, or by another name. */
const asked: Run = function* (call) {
  yield* wait(undefined)
  const [host = null, cookie = null, told = null] = ['host', 'cookie', 'x-told'].map((name) =>
    call.header(name),
  )
  return json(200, { host, cookie, told })
}

/** The same list for every request, which a host must not change. */
export const cookies: readonly string[] = Object.freeze(['a=1; Path=/, HttpOnly', 'b=; Max-Age=0', 'c=3'])

/** Writes the line and the details of the body to the log. */
const logs: Run = function* (call) {
  const { line, details } = JSON.parse(new TextDecoder().decode(yield* pullBody()))
  call.log.info(line)
  call.log.warn(line, details)
  call.log.error(line, new Error(line, { cause: new Error(line) }))
  return { status: 204, headers: {}, body: undefined }
}

/** A record whose tag is `"1"`. */
const tagged: Run = function* (call) {
  yield* wait(undefined)
  const headers = { etag: '"1"' }
  if (call.header('if-none-match') === '"0", "1"') return { status: 304, headers, body: undefined }
  return json(200, { ifMatch: call.header('if-match') ?? null }, headers)
}

/** Each kind of operation that a host must serve. */
export const operations: readonly Operation[] = [
  operation('GET', '/items/', echo('items')),
  operation('POST', '/items/', bytesBack, { body }),
  operation('GET', '/items/special', echo('special')),
  operation('GET', '/items/{id}', echo('item')),
  operation('GET', '/kept/{id}', echo('kept'), {
    instead: operation('GET', '/kept/summary', echo('summary'), { isInstead: true }),
  }),
  operation('PUT', '/kept/{id}', bytesBack, { body }),
  operation('PUT', '/items/{id}', bytesBack, { body }),
  operation('DELETE', '/items/{id}', always({ status: 204, headers: {}, body: undefined })),
  operation('GET', '/items/{id}/parts/{part}', echo('part')),
  operation(
    'GET',
    '/plain.txt',
    always({
      status: 200,
      headers: { 'content-type': 'text/plain', etag: '"1"' },
      body: new Uint8Array([72, 105]),
    }),
  ),
  operation('GET', '/who', who),
  operation('POST', '/who', who, { body }),
  operation('GET', '/asked', asked),
  operation('GET', '/cookies', always(json(200, {}, { 'set-cookie': cookies, link: ['</a>', '</b>'] }))),
  operation('GET', '/cookie', always(json(200, {}, { 'set-cookie': 'a=1' }))),
  operation('POST', '/logs/', logs, { body }),
  operation('GET', '/same', always({ status: 304, headers: { etag: '"1"' }, body: undefined })),
  operation('GET', '/tagged', tagged),
  operation('PATCH', '/tagged', tagged, { body }),
  operation('POST', '/waits/', waits, { body }),
  operation(
    'POST',
    '/refused/',
    function* () {
      yield* wait(undefined)
      throw new HttpError(415, 'Not this type.', { headers: { Accept: 'application/json' } })
    },
    { body },
  ),
  operation(
    'POST',
    '/refused-later/',
    function* () {
      yield* wait(new Promise((resolve) => setImmediate(resolve)))
      return json(403, {})
    },
    { body },
  ),
  operation(
    'POST',
    '/fails-after/',
    function* () {
      yield* pullBody()
      yield* wait(Promise.reject(new Error('secret after')))
      return json(200, {})
    },
    { body },
  ),
  operation('GET', '/gone', failing(new HttpError(410, 'It is gone.', { headers: { 'X-Why': 'time' } }))),
  operation('GET', '/rejected', failing(new ValueError('Never on Sundays.'))),
  operation('GET', '/broken', failing(new Error('secret'))),
  operation('GET', '/broken-later', function* () {
    yield* wait(Promise.reject(new TypeError('secret later')))
    return json(200, {})
  }),
  operation('GET', '/bad-header', always(json(200, {}, { 'x-good': '1', 'x-bad': 'line\nbreak' }))),
  operation('POST', '/undeclared-body/', bytesBack),
  operation(
    'POST',
    '/two-bodies/',
    function* () {
      yield* pullBody()
      return yield* bytesBack()
    },
    { body },
  ),
]
