import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core'
import { drizzle } from 'drizzle-orm/mysql2'
import mysql from 'mysql2/promise'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { controllerFor, type FetchApp, fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { createMysqlDatabase, nameOf, onEachMysql, startMysqlServer } from '../servers/test-mysql.ts'
import { type Answered, underLoad } from './load.ts'

const CLIENTS = 32

const things = mysqlTable('things', {
  id: int().primaryKey().autoincrement(),
  name: varchar({ length: 50 }).notNull(),
})

const serve = async (pool: mysql.Pool, hooks: object) => {
  const app = fetchApp()
  const controllers = [controllerFor('Thing', hooks as never)]
  const rest = new ModelRest<unknown>(app, { models: drizzleModels(drizzle(pool), { things }), controllers })
  await rest.init()
  return { rest, send: sendTo(app) }
}

const sendTo =
  (app: FetchApp) =>
  async (method: string, path: string, body?: object): Promise<Answered> => {
    const headers = { 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const reply = await app.fetch(new Request(`http://localhost${path}`, init))
    const given = (await reply.json()) as object
    return {
      status: reply.status,
      code: Reflect.get(given, 'code'),
      retry: reply.headers.get('retry-after'),
    }
  }

onEachMysql('a restart under load', (kind) => {
  it('loses nothing of a service, with hooks and without', { timeout: 180_000 }, async () => {
    const server = await startMysqlServer(kind, { isSafe: true })
    const { url } = await createMysqlDatabase('restart', { kind, server: server.url })
    const pool = mysql.createPool({ uri: url, connectionLimit: 8, connectTimeout: 2000 })
    await pool.query('create table things (id int primary key auto_increment, name varchar(50) not null)')
    const [plain, hooked] = [await serve(pool, {}), await serve(pool, { afterCreate: () => undefined })]
    const load = underLoad(CLIENTS, {
      reads: [() => plain.send('GET', '/things/?limit=5')],
      writes: [plain, hooked].map(
        ({ send }) =>
          (name: string) =>
            send('POST', '/things/', { name }),
      ),
    })
    const resumed: number[] = []
    for (const round of [1, 2]) {
      load.forget()
      const before = load.stored.size
      await load.until(`writes before restart ${round}`, () => load.stored.size > before + 200)
      await server.kill()
      const refused = load.denied.size
      await load.until(`refusals at restart ${round}`, () => load.denied.size > refused + CLIENTS)
      await server.start()
      const back = performance.now()
      load.forget()
      await load.until(`all clients after restart ${round}`, () => load.served === CLIENTS)
      resumed.push(Math.round(performance.now() - back))
    }
    await load.stop()
    process.stderr.write(
      `${nameOf(kind)} back: all ${CLIENTS} clients after ${resumed.join(' and ')} ms; slowest answer ${Math.round(load.slowest)} ms; ${JSON.stringify(Object.fromEntries(load.answers))}\n`,
    )

    const [rows] = await pool.query<mysql.RowDataPacket[]>('select name from things')
    const found = rows.map((row) => String(row['name']))
    const there = new Set(found)
    expect(there.size, 'each is there once').toBe(found.length)
    expect([...load.stored].filter((name) => !there.has(name))).toEqual([])
    expect([...load.denied].filter((name) => there.has(name))).toEqual([])
    expect([...load.answers.keys()].filter((answer) => !/^2|^503 /.test(answer))).toEqual([])
    expect(load.withoutRetry).toBe(0)
    expect(load.slowest).toBeLessThan(15_000)
    await Promise.all([plain.rest.close(), hooked.rest.close()])
    await pool.end()
    await server.stop()
  })
})
