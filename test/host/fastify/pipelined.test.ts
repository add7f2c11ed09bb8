import { once } from 'node:events'
import { connect } from 'node:net'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { controllerFor, ModelRest } from '../../../src/entry/fastify.ts'
import { listen } from '../listen.ts'

const notes = sqliteTable('notes', { id: integer().primaryKey(), text: text().notNull() })

describe('requests that come on one connection before their responses', () => {
  const begun: string[] = []
  let under = 0
  let most = 0
  let server: Awaited<ReturnType<typeof listen>>

  beforeAll(async () => {
    const client = new Database(':memory:')
    client.exec('create table notes (id integer primary key, text text not null)')
    const app = Fastify()
    const controller = controllerFor('Note', {
      // It waits, so that the next request could begin in between.
      async beforeList(_request, query) {
        under += 1
        most = Math.max(most, under)
        await new Promise((resolve) => setImmediate(resolve))
        under -= 1
        begun.push(String(query.limit))
        return undefined
      },
    })
    await new ModelRest(app, {
      models: drizzleModels(drizzle({ client }), { notes }),
      controllers: [controller],
    }).init()
    server = await listen(app)
  })
  afterAll(() => server.stop())
  beforeEach(() => {
    begun.length = 0
    most = 0
  })

  /** Everything that comes until the server closes the connection, or so many responses are there. */
  const answersTo = async (requests: readonly string[], responses = requests.length): Promise<string> => {
    const socket = connect(server.port, '127.0.0.1').setEncoding('latin1')
    let received = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk: string) => {
      received += chunk
      if (received.split('HTTP/1.1 ').length > responses) socket.destroy()
    })
    await once(socket, 'connect')
    socket.write(requests.join(''))
    await once(socket, 'close')
    return received
  }

  const list = (limit: number): string => `GET /notes/?limit=${limit} HTTP/1.1\r\nhost: x\r\n\r\n`
  const created = (body: string): string =>
    `POST /notes/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

  it('are served one after the other, in their order', async () => {
    const limits = Array.from({ length: 30 }, (_, index) => index + 1)
    const received = await answersTo(limits.map(list))
    expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(30)
    expect(begun).toEqual(limits.map(String))
    expect(most).toBe(1)
  })

  it('see what those before them wrote', async () => {
    const received = await answersTo([created('{"text":"first"}'), list(1), created('{"text":"second"}')])
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200', 'HTTP/1.1 201'])
    expect(received).toMatch(/"items":\[\{"id":1,"text":"first"\}\]/)
  })

  it('end the connection where there are hundreds of them', async () => {
    const received = await answersTo(Array(1000).fill(list(1)))
    expect(received.split('HTTP/1.1 200').length - 1).toBeLessThan(1000)
    expect(begun.length).toBeLessThan(200)
    const { status } = await fetch(`http://127.0.0.1:${server.port}/notes/`)
    expect(status).toBe(200)
  })
})
