/** Each limit of docs/settings.md met, exceeded by one and exceeded a thousandfold. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingsTable } from '../../src/app/options.ts'
import type { SettingRow } from '../../src/error/settings.ts'
import { filePart, form, formType, part } from './random-forms.ts'
import { filled } from './random-paths.ts'
import { MOST_START, startTarget, type Target, within } from './stage.ts'
import type { Sent } from './stage-wire.ts'
import { workshopLimits } from './stage-workshop.ts'

let target: Target
beforeAll(async () => {
  target = await startTarget('workshop', 1000)
}, MOST_START)
afterAll(() => target.stop())

/** More is not sent, but only declared. */
const MOST_SENT = 1_200_000

const asked = (query: string): Sent => ({
  method: 'GET',
  target: `/api/parts/?${query}`,
  headers: [['authorization', target.token()]],
})

const posted = (body: Buffer, type: string): Sent => ({
  method: 'POST',
  target: '/api/parts/',
  headers: [
    ['authorization', target.token()],
    ['content-type', type],
    ['content-length', String(body.length)],
  ],
  body,
})

/** The same request, which says that its body has so many bytes. */
const declaring = (sent: Sent, bytes: number): Sent => ({
  ...sent,
  headers: (sent.headers ?? []).map(([name, value]) => [
    name,
    name === 'content-length' ? String(bytes) : value,
  ]),
})

/** Conditions of which any may hold. */
const any = (count: number, condition: string): Sent =>
  asked(`q=${encodeURIComponent(`(${Array(count).fill(condition).join('|')})`)}`)

const sorted = ['id', 'name', 'about', 'state', 'price', 'exact', 'amount', 'serial', 'weight', 'made_at']

const times = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => make(index))

const formOf = (parts: readonly string[]): Sent => posted(form(parts), formType)

/** A form of so many bytes in all. */
const formOfBytes = (bytes: number): Sent => {
  const make = (text: string) =>
    form([part('name', 'x'), filePart('picture', 240_000), filePart('manual', 240_000), part('about', text)])
  return posted(make(filled('x', bytes - make('').length)), formType)
}

/** A request that holds as much as the limit is asked for. */
const limits: Readonly<Record<string, (amount: number) => Sent>> = {
  NINJA_PAGINATION_MAX_LIMIT: (amount) => asked(`limit=${amount}`),
  QUERY_MAX_BYTES: (amount) => asked(`id==1${filled('&', amount - 5)}`),
  QUERY_MAX_CONDITIONS: (amount) => any(amount, 'id==1'),
  QUERY_MAX_CONTAINS: (amount) => any(amount, 'about=a'),
  QUERY_MAX_SORTS: (amount) =>
    asked(times(amount, (index) => `sort=${sorted[index % sorted.length]}`).join('&')),
  QUERY_MAX_DEPTH: (amount) => asked(`q=${filled('(', amount)}id==1${filled(')', amount)}`),
  JSON_BODY_LIMIT: (amount) =>
    posted(Buffer.from(`{"name":"x"${filled(' ', amount - 12)}}`), 'application/json'),
  UPLOAD_FILE_LIMIT: (amount) => formOf([part('name', 'x'), filePart('picture', amount)]),
  UPLOAD_BODY_LIMIT: formOfBytes,
  UPLOAD_TEXT_LIMIT: (amount) => formOf([part('name', 'x'), part('about', filled('x', amount - 1))]),
  UPLOAD_MAX_FILES: (amount) => formOf(times(amount, (index) => filePart(`f${index}`, 20))),
  UPLOAD_MAX_FIELDS: (amount) => formOf(times(amount, (index) => part(`k${index}`, 'x'))),
  UPLOAD_NAME_LENGTH: (amount) => formOf([part(filled('n', amount), 'x')]),
  // What stands before the name and behind it has 40 bytes.
  UPLOAD_HEADER_LIMIT: (amount) => formOf([part('name', 'x', '', `x-a: ${filled('y', amount - 50)}\r\n`)]),
  UPLOAD_MAX_HEADERS: (amount) =>
    formOf([part('name', 'x', '', times(amount - 1, (index) => `x-${index}: b\r\n`).join(''))]),
}

/** Numbers that bound no request by itself. Times, tries and pages have tests of their own. */
const others: ReadonlySet<string> = new Set([
  ...['NINJA_PAGINATION_PER_PAGE', 'QUERY_COUNT_BOUND', 'RESPONSE_MAX_BYTES', 'TRANSACTION_TIMEOUT'],
  'MEMORY_IN_FLIGHT',
  ...['DATABASE_RETRIES', 'JSON_BODY_TIMEOUT', 'UPLOAD_IDLE_TIMEOUT', 'UPLOAD_TIMEOUT', 'MEDIA_URL_EXP'],
  'MAX_WAITING',
  // The model that is attacked here has no relations, and takes one record at a time.
  'BULK_MAX',
  ...['QUERY_MAX_TO_MANY', 'INCLUDE_PER_RECORD', 'INCLUDE_MAX_PER_RECORD', 'INCLUDE_MAX_DEPTH'],
  ...['INCLUDE_MAX_RELATIONS', 'INCLUDE_MAX_RECORDS', 'WRITE_MAX_CHILDREN'],
])

const numbers = Object.entries<SettingRow>(settingsTable).filter(([, { type }]) => type === 'integer')

it.each(numbers)('%s is attacked here, or bounds no request by itself', (name) => {
  expect(name in limits !== others.has(name)).toBe(true)
})

/** A field that does not exist, or is there twice, is refused by itself. */
const codesBelow = ['unknown_parameter', 'invalid_body']

describe.each(numbers.filter(([name]) => name in limits))('%s', (name, row) => {
  const limit = Number(Reflect.get(workshopLimits, name) ?? row.default)
  const make = limits[name] ?? asked.bind(undefined, '')

  const answerTo = async (sent: () => Sent): Promise<{ status: number; code: string | undefined }> => {
    const { measured, most } = await within(target, sent)
    expect(target.ended()).toBeUndefined()
    expect(measured.status, measured.body.slice(0, 500)).toBeLessThan(500)
    expect(measured.bytes).toBeLessThanOrEqual(measured.status < 400 ? 1_000_000 : 65_536)
    expect(measured.cpu).toBeLessThanOrEqual(most)
    const isProblem = measured.headers['content-type'] === 'application/problem+json'
    const { code } = isProblem ? (JSON.parse(measured.body) as { readonly code: string }) : {}
    return { status: measured.status, code }
  }

  it('may be met', async () => {
    const { status, code } = await answerTo(() => make(limit))
    if (status >= 300) expect(codesBelow, code).toContain(code)
  })

  it('may not be exceeded by one', async () => {
    expect((await answerTo(() => make(limit + 1))).status).toBeGreaterThanOrEqual(400)
  })

  it('may not be exceeded a thousandfold', async () => {
    const { status } = await answerTo(() =>
      limit * 1000 > MOST_SENT ? declaring(make(limit + 1), limit * 1000) : make(limit * 1000),
    )
    // Node hangs up on a head of hundreds of kilobytes, and the client may not get to read why.
    expect(status === 0 || status >= 400, String(status)).toBe(true)
  })
})
