import { defineEntity, p, Type } from '@mikro-orm/core'
import { PrismaPg } from '@prisma/adapter-pg'
import { customType, jsonb, pgTable, serial } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import { DataTypes } from 'sequelize'
import { EntitySchema } from 'typeorm'
import { expect, it } from 'vitest'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import type { ModelSource } from '../../../src/entry/source.ts'
import type { Place } from '../../http/orm-places.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { requestsTo } from '../facts.ts'
import { converted, expectKept } from '../kept.ts'
import { onEachDatabase } from '../mikro-orm/databases.ts'
import { placeOf, withDrizzle, withMikroOrm, withPrisma, withSequelize, withTypeorm } from '../open-orms.ts'

/** Columns of arrays, with the types of their elements. */
const columns = {
  ...{ instants: 'timestamptz(3)', days: 'date', docs: 'jsonb', parts: 'bytea', words: 'text' },
  ...{ large: 'bigint', prices: 'numeric(10, 2)' },
} as const

const entriesOf = <T>(column: (name: string, type: string) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, column(name, type)]))

type Open = (place: Place) => Promise<{ readonly source: ModelSource }>

const drizzle: Open = async (place) => {
  const list = (name: string, type: string) =>
    customType<{ data: unknown }>({ dataType: () => `${type}[]` })(name)
  const things = pgTable('thing', { id: serial().primaryKey(), ...entriesOf(list), docs: jsonb().array() })
  return withDrizzle(place, { things })
}

const prisma: Open = (place) =>
  withPrisma(
    place,
    `model Thing {
      id       Int        @id @default(autoincrement())
      instants DateTime[] @db.Timestamptz(3)
      days     DateTime[] @db.Date
      docs     Json[]
      parts    Bytes[]
      words    String[]
      large    BigInt[]
      prices   Decimal[]  @db.Decimal(10, 2)
      @@map("thing")
    }`,
    new PrismaPg({ connectionString: place.url, options: '-c timezone=UTC' }),
  )

const typeorm: Open = (place) => {
  const list = (_name: string, type: string) => {
    const [, name = '', first, second] = /^(\w+)(?:\((\d+)(?:, (\d+))?\))?$/.exec(type) ?? []
    const digits = { ...(first && { precision: Number(first) }), ...(second && { scale: Number(second) }) }
    return { type: name, array: true, nullable: true, ...digits }
  }
  const columns = { id: { type: 'int', primary: true, generated: 'increment' }, ...entriesOf(list) } as never
  return withTypeorm(place, new EntitySchema({ name: 'Thing', tableName: 'thing', columns }))
}

/** An array whose elements the application converts. */
class Large extends Type<unknown, unknown> {
  override convertToDatabaseValue(value: unknown): unknown {
    return value
  }

  override convertToJSValue(stored: unknown): unknown {
    return (stored as readonly string[]).map(BigInt)
  }

  override getColumnType(): string {
    return 'bigint[]'
  }
}

const mikroOrm: Open = (place) => {
  const list = (_name: string, type: string) => p.array().columnType(`${type}[]`).nullable()
  const properties = { id: p.integer().primary(), ...entriesOf(list), large: p.type(Large).nullable() }
  return withMikroOrm(place, [defineEntity({ name: 'Thing', properties })])
}

const sequelize: Open = async (place) =>
  withSequelize(place, (instance) => {
    const types = {
      ...{ instants: DataTypes.DATE(3), days: DataTypes.DATEONLY, docs: DataTypes.JSONB },
      ...{ parts: DataTypes.BLOB, words: DataTypes.TEXT, large: DataTypes.BIGINT },
      prices: DataTypes.DECIMAL(10, 2),
    }
    const lists = Object.entries(types).map(([name, type]) => [name, DataTypes.ARRAY(type)])
    instance.define('Thing', Object.fromEntries(lists), { tableName: 'thing' })
  })

onPostgres('arrays of PostgreSQL', () => {
  it.each(Object.entries({ drizzle, prisma, typeorm, mikroOrm, sequelize }))(
    'are shown as their elements are, and can be sent back, through %s',
    async (_name, open) => {
      const list = Object.entries(columns).map(([name, type]) => `${name} ${type}[]`)
      const place = await placeOf(
        'postgres',
        `create table thing (id serial primary key, ${list.join(', ')})`,
      )
      const name = new URL(place.url).pathname.slice(1)
      await place.rows(`alter database "${name}" set timezone = 'America/St_Johns'`)
      const { source } = await open(place)
      const send = await requestsTo(source)
      const all = {
        instants: ['2026-01-31T10:00:00.123Z', '1969-12-31T23:59:59.000Z'],
        ...{ days: ['2024-02-29', '0001-01-01'], parts: ['AAE=', ''], words: ['a,b', '"', 'NULL', '\\'] },
        docs: [{ a: ['"', null, '\\'] }, 'text', 5, [], false],
        ...{ large: ['9007199254740993'], prices: ['1.50'] },
      }
      const served = new Set(source.models[0]?.fields.map(({ name }) => name))
      const lists = Object.fromEntries(Object.entries(all).filter(([name]) => served.has(name)))

      expect(await send('POST', '/things/', lists)).toMatchObject({ status: 201, json: lists })
      expect((await send('GET', '/things/')).json).toMatchObject({ items: [lists] })
      const none = Object.fromEntries(Object.keys(lists).map((name) => [name, []]))
      expect(await send('PATCH', '/things/1', none)).toMatchObject({ status: 200, json: none })
      for (const wrong of [{ days: ['x'] }, { instants: 'x' }, { parts: ['?'] }])
        expect((await send('PATCH', '/things/1', wrong)).status, JSON.stringify(wrong)).toBe(422)
      await expectKept(source, { values: { 'Thing.large': converted.large } })
    },
  )
})

onEachDatabase('arrays of numbers in texts', (open) => {
  it('are numbers with MikroORM, and what it makes of others can be sent back', async () => {
    const Thing = defineEntity({
      name: 'Thing',
      properties: {
        id: p.integer().primary(),
        numbers: p.array(Number).nullable(),
        large: p.array(BigInt as never).nullable(),
      },
    })
    const source = mikroOrmModels(await open({ entities: [Thing] }))
    const send = await requestsTo(source)
    const lists = { numbers: [1, -2.5, 1e21], large: ['9007199254740993'] }
    expect(await send('POST', '/things/', lists)).toMatchObject({ status: 201, json: lists })
    expect((await send('POST', '/things/', { numbers: ['1'] })).status).toBe(422)
    await expectKept(source, {
      values: { 'Thing.large': fc.array(fc.bigInt().map(String), { minLength: 1 }) },
    })
  })
})
