import { expect, it, vi } from 'vitest'
import type { RequestBody, RequestHead } from '../../src/host/call.ts'
import { routeTable } from '../../src/host/routes.ts'
import { isStream, serveWith } from '../../src/host/serve.ts'
import type { Reply, ReplyStream } from '../../src/operation/call.ts'
import { runAsync, wait } from '../../src/operation/steps.ts'
import { operation } from '../../src/testing/host/operations.ts'

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

it('sends a 500 if the response itself cannot be sent by an asynchronous send', async () => {
  const statuses: number[] = []
  const send = async ({ status }: { readonly status: number }): Promise<number> => {
    statuses.push(status)
    if (statuses.length === 1) throw new Error('A header is invalid.')
    return status
  }
  expect(await routeTable().answer(head, body, send)).toBe(500)
  expect(statuses).toEqual([503, 500])
})

it('sends no other response when an asynchronous send has begun to read a stream', async () => {
  const routes = routeTable()
  const stream: ReplyStream = {
    destroy: () => undefined,
    async *[Symbol.asyncIterator]() {
      yield new Uint8Array(1)
      throw new Error('The file is broken.')
    },
  }
  const download = operation('GET', '/file', function* () {
    return yield* wait({ status: 200, headers: { 'content-length': '2' }, body: stream })
  })
  routes.add([download], serveWith(runAsync))
  const statuses: number[] = []
  const send = async (reply: Reply): Promise<void> => {
    statuses.push(reply.status)
    if (isStream(reply.body)) for await (const _chunk of reply.body);
  }
  const answered = routes.answer({ ...head, url: '/file' }, body, send)
  await expect(answered).rejects.toThrow('The file is broken.')
  expect(statuses).toEqual([200])
})

it('matches fixed parts literally if it is told to', () => {
  const table = routeTable('/caf%C3%A9', { literal: true })
  const fixed = function* () {
    yield* wait(undefined)
    return { status: 200, headers: {}, body: undefined }
  }
  table.add([operation('GET', '/größen/{id}', fixed)], serveWith(runAsync))
  expect(table.serves('GET', '/caf%C3%A9/größen/{id}')).toBe(true)
  const covers = (url: string): boolean => table.covers({ method: 'GET', url })
  expect(covers('/caf%C3%A9/gr%C3%B6%C3%9Fen/%37')).toBe(true)
  for (const url of ['/caf%C3%A9/%67r%C3%B6%C3%9Fen/7', '/%63af%C3%A9/gr%C3%B6%C3%9Fen/7'])
    expect(covers(url)).toBe(false)
})
