import mysql, { type Pool } from 'mysql2/promise'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Cutting, cuttingBefore } from '../servers/cutting.ts'
import { createMysqlDatabase, onEachMysql, type TestMysql } from '../servers/test-mysql.ts'
import { executeWith, type ThingHooks, transactionWith } from './hooked.ts'
import { createThings, serveThings } from './mysql-things.ts'

onEachMysql('connections', (kind) => {
  let database: TestMysql
  let outside: mysql.Connection
  let way: Cutting
  let pool: Pool

  beforeAll(async () => {
    database = await createMysqlDatabase('connections', { kind })
    outside = await mysql.createConnection(database.url)
    await outside.query(createThings)
    way = await cuttingBefore(database.url)
  })
  beforeEach(async () => {
    way.plan({ at: () => false, lost: 'question' })
    await outside.query('truncate things')
    await outside.query(`insert into things (name) values ('first')`)
    pool = mysql.createPool({ uri: way.url, connectionLimit: 2 })
  })
  afterEach(() => pool.end())
  afterAll(async () => {
    await way.close()
    await outside.end()
    await database.drop()
  })

  describe.each([
    ['writes', {}],
    ['transactions', { afterUpdate: () => undefined }],
    [
      'statements of hooks',
      {
        afterUpdate: async (_request, _record, { db }) => {
          await executeWith(db, `insert into things (name) values ('of the hook')`)
        },
      },
    ],
    [
      'transactions of hooks',
      {
        beforeUpdate: async (_request, _record, _payload, _schema, { db }) => {
          await transactionWith(db, (inside) => executeWith(inside, `insert into things (name) values ('x')`))
        },
      },
    ],
  ] satisfies (readonly [string, ThingHooks])[])('to a server that may only be read, by %s', (_by, hooks) => {
    it('are not kept: others may lead to one that can be written', async () => {
      let mayOnlyBeRead = true
      pool.on('connection', (connection) => {
        if (mayOnlyBeRead) void connection.query('set session transaction read only')
      })
      const send = await serveThings(pool, hooks)
      const write = () => send('PATCH', '/things/1', { name: crypto.randomUUID() })
      for (const reply of await Promise.all([write(), write()]))
        expect(reply).toEqual({ status: 503, code: 'unavailable' })
      mayOnlyBeRead = false
      for (const reply of [await write(), await write(), await write()]) expect(reply.status).toBe(200)
    })
  })

  it('that cannot be made are no writes whose outcome is unknown', async () => {
    const send = await serveThings(pool)
    expect(await send('POST', '/things/', { name: 'second' })).toMatchObject({ status: 201 })
    way.plan({ at: () => true, lost: 'question', times: 99 })
    // Over the connection that is there.
    expect(await send('POST', '/things/', { name: 'third' })).toMatchObject({ status: 503 })
    expect(await send('POST', '/things/', { name: 'fourth' })).toEqual({ status: 503, code: 'unavailable' })
    expect(await send('PATCH', '/things/1', { name: 'fifth' })).toEqual({ status: 503, code: 'unavailable' })
    expect(await send('GET', '/things/1')).toEqual({ status: 503, code: 'unavailable' })
    way.plan({ at: () => false, lost: 'question' })
    expect(await send('POST', '/things/', { name: 'sixth' })).toMatchObject({ status: 201 })
  })
})
