import { counted, int, text } from '../../stage/columns.ts'
import type { Send } from '../../stage/requests.ts'

/** One table whose records count, with a column for each kind of version. */
export const counters = {
  counters: {
    ...{ id: counted, name: text(20, { default: 'one' }), count: int() },
    ...{ secret_word: text(20, { default: 'a' }), revision: int({ default: 0 }) },
    changed: { type: 'seconds', default: new Date('2026-01-01T00:00:00.000Z') },
  },
} as const

/** The versions that a model may have. */
export const versions = {
  integer: { version: 'revision' },
  timestamp: { version: 'changed' },
  none: undefined,
} as const

/** Clients that each add one to a number: each reads the record, and writes it if it is still the same. */
export const countUp = async (
  send: Send,
  path: string,
  {
    clients,
    field = 'count',
    inJson = (count) => count,
  }: { readonly clients: number; readonly field?: string; readonly inJson?: (count: number) => unknown },
): Promise<readonly string[]> => {
  const refused: string[] = []
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (;;) {
        const { headers, json } = await send('GET', path)
        const body = { [field]: inJson(Number(json[field]) + 1) }
        const { status, json: stored } = await send('PATCH', path, {
          body,
          headers: { 'if-match': headers['etag'] ?? '' },
        })
        if (status !== 200) refused.push(`${status} ${stored['code']}`)
        if (status !== 412) return
      }
    }),
  )
  return [...new Set(refused)]
}
