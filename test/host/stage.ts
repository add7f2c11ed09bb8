import type { ModelSource } from 'modelrest'
import type { FieldFacts } from 'modelrest/source'
import { memorySource } from 'modelrest/testing'
import { afterAll, beforeAll, beforeEach, vi } from 'vitest'

/** Keeps what a file of tests logs from stderr. Returns what the current test has logged. */
export const logOfTests = (): (() => string) => {
  beforeAll(() => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  })
  beforeEach(() => {
    vi.mocked(process.stderr.write).mockClear()
  })
  afterAll(() => {
    vi.restoreAllMocks()
  })
  return () => vi.mocked(process.stderr.write).mock.calls.join('')
}

/** A source with the model `Task`, which has an `id`, a `title`, and these fields. */
export const tasks = (...fields: readonly FieldFacts[]): ModelSource<unknown> =>
  memorySource([
    {
      name: 'Task',
      fields: [{ name: 'id', kind: 'integer', hasDefault: true }, { name: 'title', kind: 'text' }, ...fields],
      primaryKey: ['id'],
    },
  ])

export const size: FieldFacts = { name: 'size', kind: 'float', nullable: true, hasDefault: true }
export const note: FieldFacts = { name: 'note', kind: 'text', nullable: true, hasDefault: true }

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: ReturnType<typeof JSON.parse>
}

export type Ask = (path: string, init?: RequestInit) => Promise<Answer>

export const askingAt =
  (port: number): Ask =>
  async (path, init) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init)
    const { status, headers } = response
    const text = await response.text()
    return { status, headers, text, json: /^[{[]/.test(text) ? JSON.parse(text) : undefined }
  }

/** A body of JSON: a value, or a text as it is. */
export const json = (body: unknown, method = 'POST') => ({
  ...{ method, body: typeof body === 'string' ? body : JSON.stringify(body) },
  headers: { 'content-type': 'application/json' },
})
