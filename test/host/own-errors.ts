import { expect } from 'vitest'

/** Errors with the members that those of `http-errors` have. */
const errors = {
  hidden: Object.assign(new Error("ENOENT: no such file, stat '/srv/app/private/7'"), {
    ...{ status: 404, expose: false },
  }),
  slow: Object.assign(new Error('slow'), { status: 429, headers: { 'Retry-After': 7 } }),
  down: Object.assign(new Error('secret'), { statusCode: 503, headers: { 'retry-after': '8' } }),
  broken: Object.assign(new Error('secret'), { status: 500, headers: { 'x-seen': ['a', 'b'] } }),
  unnamed: Object.assign(new Error(), { status: 410 }),
  fraction: Object.assign(new Error('odd'), { status: 404.5 }),
  odd: Object.assign(new Error('odd'), {
    status: 400,
    headers: {
      ...{ 'content-type': 'text/html', 'Content-Length': '1', 'content-encoding': 'gzip' },
      ...{ 'transfer-encoding': 'chunked', 'x-bad': 'a\r\nset-cookie: b', 'x-\n': 'a', 'x-high': '\u0100' },
      ...{ 'x-null': null, 'x-kept': 'yes', 'set-cookie': ['a=1', 'b=2'] },
    },
  }),
} as const

export const throwOwn = (name: string): never => {
  throw errors[name as keyof typeof errors]
}

export const ownErrorNames = Object.keys(errors)

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** @param ask sends a request to a route that calls `throwOwn` with this name */
export const expectOwnErrors = async (ask: (name: string) => Promise<Answered>): Promise<void> => {
  const answers = new Map<string, Answered>()
  for (const name of ownErrorNames) answers.set(name, await ask(name))
  const seen = (name: string) => {
    const { status, headers, text } = answers.get(name) as Answered
    return { status, text, header: (header: string) => headers.get(header), json: JSON.parse(text) }
  }
  for (const name of ownErrorNames) expect(seen(name).header('content-type')).toBe('application/problem+json')
  expect(seen('hidden')).toMatchObject({ status: 404, json: { code: 'not_found' } })
  expect(seen('hidden').text).not.toContain('srv')
  expect(seen('slow')).toMatchObject({ status: 429, json: { code: 'too_many_requests', detail: 'slow' } })
  expect(seen('slow').header('retry-after')).toBe('7')
  expect(seen('down').status).toBe(503)
  expect(seen('down').header('retry-after')).toBe('8')
  expect(seen('broken').status).toBe(500)
  expect(seen('broken').header('x-seen')).toBe('a, b')
  for (const name of ['down', 'broken']) expect(seen(name).text).not.toContain('secret')
  expect(seen('unnamed')).toMatchObject({ status: 410, json: { code: 'gone', detail: 'Gone.' } })
  expect(seen('fraction').status).toBe(500)
  expect(seen('odd')).toMatchObject({ status: 400, json: { detail: 'odd' } })
  expect(['x-kept', 'content-encoding', 'x-bad', 'x-high', 'x-null'].map(seen('odd').header)).toEqual([
    ...['yes', null, null, null, null],
  ])
  expect(seen('odd').header('set-cookie')).toBe('b=2')
}
