import Fastify from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ModelRest } from '../../src/entry/fastify.ts'
import { ModelRest as FetchModelRest, fetchApp } from '../../src/entry/fetch.ts'
import { naming } from '../naming.ts'
import { openModels } from './service.ts'

const json = { 'content-type': 'application/json' }
const body = JSON.stringify({ name: 'Lamp' })
const hint = naming('body', 'request.clone()')

describe('a body that the application has read is a mistake that the log explains', () => {
  const reads: readonly (readonly [string, (request: Request) => unknown])[] = [
    ['with json()', (request) => request.json()],
    ['with a reader that still holds it', (request) => request.body?.getReader()],
  ]

  it.each(reads)('in a fetch application: %s', async (_how, read) => {
    const { models, close } = openModels()
    onTestFinished(close)
    const app = fetchApp()
    await new FetchModelRest(app, { models, controllers: [] }).init()
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => written.mockRestore())
    const request = new Request('http://localhost/products/', { method: 'POST', headers: json, body })
    await read(request)
    expect((await app.fetch(request)).status).toBe(500)
    expect(written.mock.calls.join('\n')).toMatch(hint)
  })

  it('in a fetch application: by a parser that leaves an empty stream behind', async () => {
    const { models, close } = openModels()
    onTestFinished(close)
    const app = fetchApp()
    await new FetchModelRest(app, { models, controllers: [] }).init()
    const empty = new ReadableStream({ start: (controller) => controller.close() })
    const headers = { ...json, 'content-length': String(body.length) }
    const init = { method: 'POST', headers, body: empty, duplex: 'half' } as const
    expect((await app.fetch(new Request('http://localhost/products/', init))).status).toBe(500)
  })

  it('in a hook of Fastify', async () => {
    const { models, close } = openModels()
    onTestFinished(close)
    const lines: string[] = []
    const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
    onTestFinished(() => app.close())
    app.addHook('onRequest', async ({ raw }) => {
      for await (const _ of raw);
    })
    await new ModelRest(app, { models, controllers: [] }).init()
    const url = `${await app.listen({ port: 0 })}/products/`
    const { status } = await fetch(url, { method: 'POST', headers: json, body })
    expect([status, lines.join('\n')]).toEqual([500, expect.stringMatching(hint)])
  })
})
