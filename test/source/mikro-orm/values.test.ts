import { defineEntity, p, RequestContext, raw, Type } from '@mikro-orm/core'
import { expect, it, onTestFinished } from 'vitest'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { type Condition, DEFAULT, everything, type RecordStore, type Row } from '../../../src/entry/source.ts'
import { onFastify } from '../../stage/apps.ts'
import { senderTo } from '../../stage/requests.ts'
import { requestsTo } from '../facts.ts'
import { converted, expectKept } from '../kept.ts'
import { expectRefusedSizes } from '../refused-values.ts'
import { onEachDatabase, openSqlite } from './databases.ts'
import { all, shopOf } from './shop.ts'

/** Keeps a text in upper case. */
class Upper extends Type<string, string> {
  override convertToDatabaseValue(value: string): string {
    return value.toUpperCase()
  }

  override convertToJSValue(value: string): string {
    return value.toLowerCase()
  }

  override getColumnType(): string {
    return 'varchar(50)'
  }
}

const Thing = defineEntity({
  name: 'Thing',
  properties: {
    id: p.integer().primary(),
    code: p.string().length(50).nullable(),
    shout: p.type(Upper).nullable(),
    amount: p.decimal().precision(15).scale(2).nullable(),
    price: p.decimal('number').precision(10).scale(2).nullable(),
    large: p.bigint().nullable(),
    text: p.bigint('string').nullable(),
    few: p.bigint('number').nullable(),
    words: p.array().nullable(),
    level: p.enum([1, 2]).nullable(),
    count: p.integer().default(5),
    default: p.string().nullable().fieldName('other?column'),
    at: p.datetime(3).nullable(),
    made: p.datetime(0).defaultRaw('current_timestamp').nullable(),
    data: p.json().nullable(),
    bytes: p.uint8array().nullable(),
  },
})

const eq = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })

onEachDatabase('values', (open) => {
  const opened = async (): Promise<RecordStore> => shopOf(await open({ entities: [Thing] })).store('Thing')

  it('of all types are stored as they were given', async () => {
    const things = await opened()
    const given = {
      ...{ code: 'a?b:c\\d', shout: 'quiet', amount: '12.50', price: 1.25, large: 2n ** 62n, text: '7' },
      ...{ few: 8, level: '2', default: '?', at: new Date('2026-01-31T10:00:00.123Z') },
      ...{ data: { a: ['?', null] }, bytes: new Uint8Array([0, 255]) },
    }
    const made = await things.create(given)
    const { bytes, ...rest } = given
    expect(made).toMatchObject({ ...rest, count: 5 })
    expect([...(made['bytes'] as Uint8Array)]).toEqual([...bytes])
    expect(await things.update([made['id']], given, everything)).toMatchObject({ ...rest, count: 5 })
    for (const [field, value] of Object.entries(rest))
      if (field !== 'data') expect(await things.count(eq(field, value), everything), field).toBe(1)
    expect(await things.update([made['id']], { count: 6 }, eq('shout', 'quiet'))).toMatchObject({ count: 6 })
    expect(await things.update([made['id']], { count: DEFAULT }, everything)).toMatchObject({ count: 5 })
  })

  it('that a database fills in are sorted among those that clients give', async () => {
    const things = await opened()
    const [past, future] = [new Date('2020-01-01T00:00:00.000Z'), new Date('2200-01-01T00:00:00.000Z')]
    for (const at of [future, undefined, past]) await things.create({ ...(at && { made: at }) })
    const order = [{ field: 'made', direction: 'asc' }] as const
    const rows = await things.list({ ...all, order }, everything)
    expect([rows[0]?.['made'], rows[2]?.['made']]).toEqual([past, future])
    const between = { op: 'lt', field: 'made', value: new Date('2100-01-01T00:00:00.000Z') } as const
    expect(await things.count(between, { op: 'gt', field: 'made', value: past })).toBe(1)
  })

  it('that a database fills in are one group with equal ones that clients give', async () => {
    const things = await opened()
    const { made } = await things.create({})
    await things.create({ made })
    const aggregation = {
      ...{ filter: everything, groups: [{ field: 'made' }], limit: 9, order: [], timezone: 'UTC' },
      aggregates: [{ fn: 'count' }] as const,
    }
    expect(await things.aggregate?.(aggregation, everything)).toEqual([{ made, count: 2 }])
  })

  it('that a list in one text cannot hold are refused, and PostgreSQL holds all', async () => {
    const things = await opened()
    for (const words of [
      ['a', 'b'],
      ['x y', '"'],
    ])
      expect(await things.create({ words })).toMatchObject({ words })
    for (const words of [['a,b'], ['NULL', 'line\nbreak\\', '']]) {
      const made = await (async () => things.create({ words }))().catch((error: unknown) => error)
      expect(made).toMatchObject(made instanceof Error ? { kind: 'value', fields: ['words'] } : { words })
    }
  })
})

/** Holds numbers that are not negative. */
class Positive extends Type<number, number> {
  override convertToDatabaseValue(value: number): number {
    if (value < 0) throw new Error(`s3cret ${value}`)
    return value
  }

  override getColumnType(): string {
    return 'integer'
  }

  override get runtimeType(): string {
    return 'number'
  }
}

it('that a type of the application refuses are invalid in a query and in a body', async () => {
  const Box = defineEntity({ name: 'Box', properties: { id: p.integer().primary(), size: p.type(Positive) } })
  await expectRefusedSizes(mikroOrmModels(await openSqlite({ entities: [Box] })))
})

/** An address, which PostgreSQL writes with the length of its network. */
class Address extends Type<string, string> {
  override getColumnType(_property: unknown, platform: object): string {
    return platform.constructor.name.includes('Postgre') ? 'inet' : 'varchar(50)'
  }

  override get runtimeType(): string {
    return 'string'
  }
}

onEachDatabase('a type of the application', (open) => {
  it('is compared as the database compares it, also in keys', async () => {
    const Host = defineEntity({
      name: 'Host',
      properties: { ip: p.type(Address).primary(), name: p.string() },
    })
    const Use = defineEntity({
      name: 'Use',
      properties: { id: p.integer().primary(), host: () => p.manyToOne(Host) },
    })
    const models = mikroOrmModels(await open({ entities: [Host, Use] }))
    const app = await onFastify({ models }, { base: '' })
    onTestFinished(app.stop)
    const send = senderTo(app)
    const ip = '10.0.0.1'
    expect((await send('POST', '/hosts/', { body: { ip, name: 'a' } })).status).toBe(201)
    expect((await send('POST', '/uses/', { body: { hostIp: ip } })).status).toBe(201)
    expect((await send('PATCH', `/hosts/${ip}`, { body: { name: 'b' } })).json).toEqual({ ip, name: 'b' })
    expect((await send('GET', '/uses/?include=host')).json['items']).toMatchObject([
      { host: { ip, name: 'b' } },
    ])
    const found = async (query: string) => (await send('GET', `/hosts/?${query}`)).json['items']
    expect(await found(`ip==${ip}`)).toEqual([{ ip, name: 'b' }])
    expect(await found(`ip!=${ip}`)).toEqual([])
  })
})

onEachDatabase('texts of clients', (open) => {
  it('stay what they are in expressions and filters of the application', async () => {
    const Label = defineEntity({
      name: 'Label',
      properties: {
        id: p.integer().primary(),
        name: p.string(),
        lower: p.string().onCreate((label: object) => raw('lower(?)', [Reflect.get(label, 'name')]) as never),
      },
      filters: {
        own: { name: 'own', cond: ({ name }: Row) => ({ name }) as never, default: true },
      },
    })
    const { orm, store } = shopOf(await open({ entities: [Label] }))
    const name = `A'?':m0\\?:m1 m0`
    for (const other of [name, 'other'])
      expect(await store('Label').create({ name: other })).toMatchObject({ lower: other.toLowerCase() })
    await RequestContext.create(orm.em, async () => {
      orm.em.setFilterParams('own', { name })
      const isMine: Condition = { op: 'ne', field: 'lower', value: ':m0' }
      expect(await store('Label').list({ ...all, filter: isMine }, everything)).toMatchObject([{ name }])
    })
  })
})

/** A type that an application makes of a column. */
const made = (column: string, to: (value: never) => unknown, from: (stored: never) => unknown) =>
  class extends Type<unknown, unknown> {
    override convertToDatabaseValue(value: unknown): unknown {
      return value == null ? value : to(value as never)
    }

    override convertToJSValue(stored: unknown): unknown {
      return stored == null ? stored : from(stored as never)
    }

    override getColumnType(): string {
      return column
    }
  }

const Tags = made('text', (value) => JSON.stringify(value), JSON.parse)
const Joined = made(
  'text',
  (list: string[]) => list.join('|'),
  (text: string) => text.split('|'),
)
const Point = made(
  'text',
  ({ x, y }: { x: number; y: number }) => `${x} ${y}`,
  (text: string) => ({ x: Number(text.split(' ')[0]), y: Number(text.split(' ')[1]) }),
)
const Seconds = made(
  'int',
  (at: Date) => Math.floor(at.getTime() / 1000),
  (value: number) => new Date(value * 1000),
)

onEachDatabase('what types of the application show', (open) => {
  it('can be sent back, which changes nothing, and is refused if it would not be shown again', async () => {
    const Note = defineEntity({
      name: 'Note',
      properties: {
        id: p.integer().primary(),
        tags: p.type(Tags).nullable(),
        list: p.type(Joined).nullable(),
        point: p.type(Point).nullable(),
        at: p.type(Seconds).nullable(),
      },
    })
    const source = mikroOrmModels(await open({ entities: [Note] }))
    const { list, point } = converted
    await expectKept(source, { values: { 'Note.list': list, 'Note.point': point } })
    const send = await requestsTo(source)
    const shown = {
      ...{ tags: ['a', { b: null }], list: ['a', 'b'], point: { x: 1, y: -2 } },
      at: '2026-01-31T10:00:00.000Z',
    }
    expect(await send('POST', '/notes/', shown)).toMatchObject({ status: 201, json: shown })
    for (const refused of [{ list: ['a|b'] }, { point: { x: 1, y: 2, z: 3 } }])
      expect((await send('POST', '/notes/', refused)).status).toBe(422)
  })
})
