import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { controllerFor, type FastifyApp, ModelRest } from '../../src/entry/fastify.ts'
import { executeWith, type ThingHooks } from './hooked.ts'

const things = sqliteTable('things', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
})

let folder = ''
let stop = async (): Promise<void> => undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'modelrest-libsql-'))
})
afterEach(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

const serve = async (hooks: ThingHooks) => {
  const client = createClient({ url: `file:${join(folder, 'things.db')}` })
  await client.execute('create table things (id integer primary key autoincrement, name text not null)')
  const app = Fastify()
  const models = drizzleModels(drizzle(client), { things })
  const controllers = [controllerFor('Thing', hooks as never)]
  const rest = new ModelRest(app as unknown as FastifyApp, { models, controllers })
  await rest.init()
  stop = async () => {
    await rest.close()
    await app.close()
    client.close()
  }
  const names = async () => (await client.execute('select name from things')).rows.map((row) => row['name'])
  const create = (name: string) => app.inject({ method: 'POST', url: '/things/', body: { name } })
  const rename = (id: number, name: string) =>
    app.inject({ method: 'PATCH', url: `/things/${id}`, body: { name } })
  return { app, client, names, create, rename }
}

it('writers over a libsql file take turns, those with slow hooks too, and readers wait for nobody', async () => {
  const { app, names, create, rename } = await serve({
    afterCreate: async (_request, { name }, { db }) => {
      await new Promise((resolve) => setImmediate(resolve))
      await executeWith(db, `insert into things (name) values ('log ${name}')`)
    },
  })
  await create('first')
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, n) => [
      create(`n${n}`),
      rename(1, `renamed ${n}`),
      app.inject('/things/?limit=2'),
    ]).flat(),
  )
  expect(replies.filter(({ statusCode }) => statusCode >= 300)).toEqual([])
  const expected = Array.from({ length: 30 }, (_, n) => [`n${n}`, `log n${n}`]).flat()
  expect((await names()).filter((name) => !/first|renamed/.test(String(name))).sort()).toEqual(
    expected.sort(),
  )
})

it.each([
  ['a statement', {}],
  ['a transaction', { afterCreate: () => undefined }],
])(
  '%s that somebody else is in the way of is refused, and what comes after it is not lost',
  async (_what, hooks) => {
    const { create } = await serve(hooks)
    const other = createClient({ url: `file:${join(folder, 'things.db')}` })
    const held = await other.transaction('write')
    const refused = await create('a')
    expect(refused.json()).toMatchObject({ status: 503, code: 'write_conflict' })
    expect(refused.headers['retry-after']).toBe('1')
    expect(refused.body).not.toMatch(/SQLITE|locked|busy/i)
    await held.commit()
    // What the driver says is stored is seen by others.
    const { statusCode } = await create('b')
    const seen = (await other.execute('select name from things')).rows.map((row) => row['name'])
    expect([statusCode, seen]).toEqual(statusCode === 201 ? [201, ['b']] : [503, []])
    other.close()
  },
)

it('a write over a connection that the application spoiled is stored, or refused', async () => {
  const { client, create } = await serve({})
  const other = createClient({ url: `file:${join(folder, 'things.db')}` })
  const held = await other.transaction('write')
  await expect(client.execute(`insert into things (name) values ('own')`)).rejects.toThrow(/locked/)
  await held.commit()
  const { statusCode } = await create('a')
  // What nobody else would see is not acknowledged.
  const seen = (await other.execute('select name from things')).rows.map((row) => row['name'])
  expect([statusCode, seen]).toEqual(statusCode === 201 ? [201, ['a']] : [503, []])
  other.close()
})
