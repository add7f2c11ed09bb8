import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { customType, integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import { decimal } from '../../../src/entry/drizzle-sqlite.ts'
import { startError } from '../../http/start-error.ts'
import { requestsTo } from '../facts.ts'

const things = sqliteTable('things', {
  id: integer().primaryKey(),
  price: decimal({ precision: 10, scale: 2 }),
  exact: decimal({ precision: 30, scale: 2 }),
  size: real(),
  at: integer({ mode: 'timestamp' }),
  name: text(),
})

const columns = {
  ...{ price: 'integer', exact: 'text', size: 'real', at: 'integer', name: 'text' },
} as const

const opened = (types: Partial<Record<keyof typeof columns, string>>, ...more: readonly string[]) => {
  const client = new Database(':memory:')
  const declared = Object.entries({ ...columns, ...types }).map(([name, type]) => `${name} ${type}`)
  client.exec(`create table things (id integer primary key, ${declared.join(', ')})`)
  for (const sql of more) client.exec(sql)
  return { client, source: drizzleModels(drizzle(client), { shop: { things } }) }
}

it.each([
  [{ price: 'TEXT' }, 'price'],
  [{ exact: 'NUMERIC(30, 2)' }, 'exact'],
  [{ size: 'varchar(20)' }, 'size'],
  [{ at: 'text' }, 'at'],
  [{ name: 'INTEGER' }, 'name'],
])('a column of %o, whose values could not be read again, is refused at start', async (types, column) => {
  const { source } = opened(types)
  await expect(requestsTo(source)).rejects.toThrow(startError('things', column))
})

it('columns of types that store values as they are given are served', async () => {
  const { source } = opened({
    price: 'BIGINT',
    exact: '',
    size: 'double',
    at: 'DATETIME',
    name: 'NVARCHAR(5)',
  })
  const send = await requestsTo(source)
  const thing = { price: '9.90', exact: '1.00', size: 1.5, at: '2026-01-31T10:00:00Z', name: '007' }
  expect(await send('POST', '/things/', thing)).toMatchObject({ status: 201, json: { name: '007' } })
})

it('writes that a trigger makes impossible to show are rolled back from the second on', async () => {
  const { source, client } = opened(
    {},
    `create trigger wrong after insert on things begin update things set price = 'x' where id = new.id; end`,
    `create trigger later after update of name on things begin update things set price = 'x' where id = new.id; end`,
  )
  const send = await requestsTo(source)
  const stored = (): unknown =>
    client.prepare('select count(*) as count, group_concat(name) as names from things').get()
  // RETURNING does not see what the triggers change.
  expect((await send('POST', '/things/', { name: 'a' })).status).toBe(201)
  expect((await send('PATCH', '/things/1', { size: 1 })).json).toMatchObject({
    code: 'unrepresentable_value',
  })
  for (let at = 0; at < 3; at += 1)
    expect((await send('PATCH', '/things/1', { size: 2 })).json).toMatchObject({
      code: 'unrepresentable_value',
    })
  expect(client.prepare('select size from things').get()).toEqual({ size: 1 })
  expect(stored()).toEqual({ count: 1, names: 'a' })
})

it('what a column with mappers of the application shows can be sent back', async () => {
  const client = new Database(':memory:')
  client.exec('create table things (id integer primary key, tags text)')
  const tags = customType<{ data: readonly string[]; driverData: string }>({
    dataType: () => 'text',
    fromDriver: (stored) => stored.split('|'),
    toDriver: (list) => list.join('|'),
  })
  const own = sqliteTable('things', { id: integer().primaryKey(), tags: tags() })
  client.exec("insert into things values (1, 'a|b')")
  const send = await requestsTo(drizzleModels(drizzle(client), { shop: { things: own } }))
  const shown = (await send('GET', '/things/1')).json
  expect(shown).toEqual({ id: 1, tags: ['a', 'b'] })
  expect(await send('PUT', '/things/1', shown)).toMatchObject({ status: 200, json: shown })
  for (const tags of [['a|b'], { a: 1 }, [1], [['a']]]) {
    const refused = await send('PUT', '/things/1', { id: 1, tags })
    expect(refused).toMatchObject({ status: 422, json: { errors: [{ pointer: '/tags' }] } })
  }
  expect((await send('GET', '/things/1')).json).toEqual(shown)
})
