import { expect, it, vi } from 'vitest'
import type { RequestBody, RequestHead } from '../../src/host/call.ts'
import { routeTable } from '../../src/host/routes.ts'

const head: RequestHead = {
  ...{ method: 'GET', url: '/nothing', scheme: 'http', address: undefined, request: {} },
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  header: () => undefined,
}
const body: RequestBody = { whole: () => new Uint8Array(), bytes: () => (async function* () {})() }

it('rejects if a response cannot be sent at all, and never throws', async () => {
  const send = vi.fn((): string => {
    throw new Error('The connection is gone.')
  })
  let answered: string | Promise<string> = 'nothing'
  expect(() => {
    answered = routeTable().answer(head, body, send)
  }).not.toThrow()
  await expect(answered).rejects.toThrow('The connection is gone.')
  expect(send).toHaveBeenCalledTimes(2)
})

it('sends a 500 if the response itself cannot be sent', () => {
  const statuses: number[] = []
  const send = ({ status }: { readonly status: number }): number => {
    statuses.push(status)
    if (statuses.length === 1) throw new Error('A header is invalid.')
    return status
  }
  expect(routeTable().answer(head, body, send)).toBe(500)
  expect(statuses).toEqual([503, 500])
})
