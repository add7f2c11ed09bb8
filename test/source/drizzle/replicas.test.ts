import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text, withReplicas } from 'drizzle-orm/sqlite-core'
import { expect, it } from 'vitest'
import { drizzleModels, type ReplicaOptions } from '../../../src/entry/drizzle.ts'
import { StartError } from '../../../src/error/errors.ts'
import { everything } from '../../../src/query/ast.ts'
import { naming } from '../../naming.ts'

const products = sqliteTable('products', { id: integer().primaryKey(), name: text().notNull() })

const open = (name: string) => {
  const client = new Database(':memory:')
  client.exec('create table products (id integer primary key, name text not null)')
  client.prepare('insert into products (name) values (?)').run(name)
  return { client, db: drizzle({ client }) }
}

const selection = { filter: everything, order: [], limit: 10, offset: 0 }

const stage = (freshFor: number) => {
  const [primary, one, other] = [open('primary'), open('one'), open('other')]
  const db = withReplicas(primary.db, [one.db, other.db])
  const source = drizzleModels(db, { products }, { replicas: { freshFor } })
  const [model] = source.models
  if (model === undefined) throw new Error('The source describes no model.')
  const page = () => source.store(model, 'page')
  return {
    ...{ source, model, one, other },
    list: () => page().list(selection, everything),
    page,
    store: source.store(model),
  }
}

it('reads any of several replicas, and by ids the primary', () => {
  const { list, page, store } = stage(0)
  const names = Array.from({ length: 60 }, () => JSON.stringify(list()))
  expect(names.filter((text) => text.includes('"one"')).length).toBeGreaterThan(0)
  expect(names.filter((text) => text.includes('"other"')).length).toBeGreaterThan(0)
  expect(page().count(everything, everything)).toBe(1)
  expect(page().read([1], everything)).toEqual({ id: 1, name: 'primary' })
  expect(store.list(selection, everything)).toEqual([{ id: 1, name: 'primary' }])
})

it('asks the primary where a replica fails', () => {
  const { list, one, other } = stage(0)
  one.client.close()
  other.client.exec('drop table products')
  for (let asked = 0; asked < 4; asked += 1) expect(list()).toEqual([{ id: 1, name: 'primary' }])
})

it('asks the primary after a start and after each write, one that fails included', async () => {
  const { list, store, source, model } = stage(0.05)
  const primary = () => JSON.stringify(list()).includes('"primary"')
  expect(primary()).toBe(true)
  const writes: readonly (() => unknown)[] = [
    () => store.create({ name: 'new' }),
    () => store.update([1], { name: 'primary' }, everything),
    () => store.remove([2], everything),
    () => store.take([3], everything),
    () => expect(() => store.create({ name: null })).toThrow(),
    () => source.transaction((inside) => inside.store(model).read([1], everything)),
  ]
  for (const write of writes) {
    await expect.poll(primary, { interval: 20 }).toBe(false)
    write()
    expect(primary()).toBe(true)
  }
})

it('gives hooks the primary, which is the database itself where there are no replicas', () => {
  const [primary, replica] = [open('primary'), open('replica')]
  expect(drizzleModels(withReplicas(primary.db, [replica.db]), { products }).db).toBe(primary.db)
  expect(drizzleModels(primary.db, { products }).db).toBe(primary.db)
})

it('reads the primary alone where nothing is said', () => {
  const { db } = open('primary')
  const { models, store } = drizzleModels(withReplicas(db, [db]), { products })
  const [model] = models
  expect(model && store(model, 'page')).toBe(model && store(model))
})

it.each<[unknown, readonly (string | number)[]]>([
  [{ freshFor: -1 }, ['drizzleModels', 'replicas.freshFor', 0, 86400]],
  [{ freshFor: '5' }, ['drizzleModels', 'replicas.freshFor', 0, 86400]],
  [{ freshfor: 5 }, ['drizzleModels', 'replicas.freshfor', 'freshFor', 'freshFor']],
  [true, ['drizzleModels', 'replicas', '{ freshFor: 5 }']],
])('refuses %o', (replicas, names) => {
  const { db } = open('primary')
  const start = () =>
    drizzleModels(withReplicas(db, [db]), { products }, { replicas: replicas as ReplicaOptions })
  expect(start).toThrow(StartError)
  expect(start).toThrow(naming(...names))
})

it('refuses replicas of a database that has none', () => {
  expect(() => drizzleModels(open('primary').db, { products }, { replicas: {} })).toThrow(
    naming('drizzleModels', 'replicas', 'withReplicas(primary, [replica])'),
  )
})
