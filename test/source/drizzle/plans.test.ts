import type Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { beforeEach, expect, it } from 'vitest'
import { type Condition, everything, type Order } from '../../../src/query/ast.ts'
import { rangesAfter } from '../../../src/query/keyset.ts'
import type { RecordStore } from '../../../src/source/source.ts'
import { fieldNamed as field, modelOf } from '../../sample-model.ts'
import { sqliteStore } from './open-store.ts'

const things = sqliteTable(
  'things',
  {
    tenant: integer().notNull(),
    code: text().notNull(),
    name: text().notNull(),
    note: text(),
    plain: text(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.code] }), index('names').on(table.name)],
)

const create = `create table things (tenant integer not null, code text not null, name text not null, note text, plain text,
  primary key (tenant, code)) without rowid; create index names on things (name); create index notes on things (note)`

let statements: { readonly query: string; readonly values: readonly unknown[] }[]
let client: Database.Database
let store: RecordStore

beforeEach(() => {
  const logger = { logQuery: (query: string, values: unknown[]) => void statements.push({ query, values }) }
  const opened = sqliteStore(create, things, (database) => drizzle(database, { logger }))
  client = opened.client
  store = opened.store
  statements = []
})

/** How SQLite goes about the last statement. */
const plan = (): string => {
  const { query = '', values = [] } = statements.at(-1) ?? {}
  const steps = client.prepare(`explain query plan ${query}`).all(...values) as { detail: string }[]
  return steps.map(({ detail }) => detail).join('; ')
}

const list = (filter: Condition, order: readonly Order[] = []): string => {
  store.list({ filter, order, limit: 20, offset: 0 }, everything)
  return plan()
}

it.each(['asc', 'desc'] as const)('a sort by what is never null takes its index: %s', (direction) => {
  const order: readonly Order[] = [
    { field: 'name', direction },
    { field: 'tenant', direction },
    { field: 'code', direction },
  ]
  expect(list(everything, order)).toBe('SCAN things USING INDEX names')
})

it.each(['asc', 'desc'] as const)('and so does one by what may be null: %s', (direction) => {
  expect(list(everything, [{ field: 'note', direction }])).toBe('SCAN things USING INDEX notes')
})

it('a sort by the primary key needs no sorting', () => {
  const order: readonly Order[] = [
    { field: 'tenant', direction: 'asc' },
    { field: 'code', direction: 'asc' },
  ]
  expect(list(everything, order)).toBe('SCAN things')
})

it('equality of text, byte for byte, takes the index', () => {
  expect(list({ op: 'eq', field: 'name', value: 'x' })).toBe('SEARCH things USING INDEX names (name=?)')
  expect(list({ op: 'in', field: 'name', values: ['x', 'y'] })).toBe(
    'SEARCH things USING INDEX names (name=?)',
  )
  expect(list({ op: 'gt', field: 'name', value: 'x' })).toBe('SEARCH things USING INDEX names (name>?)')
  expect(list({ op: 'is-null', field: 'note' })).toBe('SEARCH things USING INDEX notes (note=?)')
})

it('how a text starts is a range of the index', () => {
  const range = 'SEARCH things USING INDEX names (name>? AND name<?)'
  expect(list({ op: 'starts-with', field: 'name', value: 'x%' })).toBe(range)
  expect(list({ op: 'starts-with', field: 'name', value: 'x\u{10ffff}' })).toBe(range)
})

it('a key is searched by all of its parts, with a guard too', () => {
  const guard: Condition = { op: 'or', conditions: [{ op: 'eq', field: 'plain', value: 'x' }] }
  const searched = 'SEARCH things USING PRIMARY KEY (tenant=? AND code=?)'
  store.read([1, 'a'], guard)
  expect(plan()).toBe(searched)
  store.update([1, 'a'], { plain: 'y' }, guard)
  expect(plan()).toBe(searched)
  store.remove([1, 'a'], guard)
  expect(plan()).toBe(searched)
})

it('and that of a column with another collation', () => {
  client.exec('drop table things')
  client.exec(create.replace('name text not null', 'name text not null collate nocase'))
  expect(list({ op: 'eq', field: 'name', value: 'x' })).toBe('SEARCH things USING INDEX names (name=?)')
})

it('a page behind a cursor among ties starts in the index', () => {
  const order: readonly Order[] = [
    { field: 'tenant', direction: 'asc' },
    { field: 'code', direction: 'asc' },
  ]
  const model = modelOf('Thing', [field('tenant', 'integer', 'number'), field('code', 'text', 'string')])
  const [range = everything] = rangesAfter(model, order, { values: [3, 'code 7'], ties: 1 })
  expect(list(range, order)).toBe('SEARCH things USING PRIMARY KEY (tenant=? AND code>?)')
})

it('counting everything asks for nothing else', () => {
  store.count(everything, everything)
  expect(statements).toEqual([{ query: 'select count(*) from "things"', values: [] }])
})

it('each act is one statement', () => {
  store.create({ tenant: 1, code: 'a', name: 'n' })
  store.read([1, 'a'], everything)
  store.update([1, 'a'], { name: 'm' }, everything)
  store.update([1, 'a'], {}, everything)
  list(everything)
  store.remove([1, 'a'], everything)
  expect(statements).toHaveLength(6)
})
