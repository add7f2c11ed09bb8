import { DataSource, type DataSourceOptions, EntitySchema, type ObjectLiteral } from 'typeorm'
import { expect, it, onTestFinished } from 'vitest'
import {
  type Condition,
  DEFAULT,
  everything,
  type ModelSource,
  type RecordStore,
} from '../../../src/entry/source.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { requestsTo } from '../facts.ts'
import { converted, expectKept } from '../kept.ts'
import { expectRefusedSizes } from '../refused-values.ts'
import { onEachDatabase } from './databases.ts'

const text = { type: 'varchar', length: 50, nullable: true } as const

const opened = async (
  options: DataSourceOptions,
): Promise<{
  readonly source: ModelSource
  readonly db: DataSource
  readonly things: RecordStore
  readonly isMysql: boolean
}> => {
  const { type } = options
  const isMysql = type === 'mysql' || type === 'mariadb'
  const Thing = new EntitySchema<ObjectLiteral>({
    name: 'Thing',
    columns: {
      id: { type: 'int', primary: true, generated: 'increment' },
      code: text,
      fixed: { ...text, update: false },
      price: { type: 'decimal', precision: 15, scale: 2, nullable: true, update: false },
      late: { ...text, insert: false },
      default: { ...text, name: 'other_column' },
      as: { ...text, name: 'as_column' },
      amount: { type: 'decimal', precision: 15, scale: 2, nullable: true },
      words: { type: 'simple-array', nullable: true },
      count: { type: 'int', default: 5 },
      at: {
        type: isMysql ? 'timestamp' : type === 'postgres' ? 'timestamptz' : 'datetime',
        ...(isMysql && { precision: 6 }),
        nullable: true,
      },
    },
  })
  const dataSource = new DataSource({
    ...options,
    entities: [Thing],
    synchronize: true,
  } as DataSourceOptions)
  await dataSource.initialize()
  onTestFinished(() => dataSource.destroy())
  const source = typeormModels(dataSource)
  const [model] = source.models
  return {
    source,
    isMysql,
    db: dataSource,
    things: model === undefined ? expect.fail('No model.') : source.store(model),
  }
}

const eq = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })

onEachDatabase('values', (open) => {
  it('of columns that TypeORM does not write are refused', async () => {
    const { source, things } = await opened(await open())
    const generated = source.models[0]?.fields.filter((field) => field.generated).map(({ name }) => name)
    expect(generated).toEqual(['late'])
    const { id } = await things.create({ fixed: 'a', price: '1.50' })
    const changed = async (values: object) => things.update([id], { ...values }, everything)
    await expect(changed({ fixed: 'b' })).rejects.toMatchObject({ kind: 'value', fields: ['fixed'] })
    await expect(changed({ fixed: 'b', count: 3 })).rejects.toMatchObject({ fields: ['fixed'] })
    expect(await changed({ fixed: 'a', price: '1.5', count: 3 })).toMatchObject({ fixed: 'a', count: 3 })
    expect(await things.update([id], { fixed: 'b' }, eq('count', 0))).toBeUndefined()
  })

  it('of columns that TypeORM does not update are read-only in updates, also in the document', async () => {
    const { source } = await opened(await open())
    const send = await requestsTo(source, {}, { onlyModels: false })
    const { status, json } = await send('POST', '/things/', { fixed: 'a', price: '1.50', code: 'x' })
    expect([status, json]).toMatchObject([201, { fixed: 'a', price: '1.50' }])
    const document = (await send('GET', '/openapi.json')).json as unknown as Record<string, never>
    const fieldsOf = (name: string): readonly string[] =>
      Object.keys(Object(document['components']?.['schemas'])[name].properties)
    expect(fieldsOf('ThingCreate')).toContain('fixed')
    for (const name of ['ThingUpdate', 'ThingReplace']) expect(fieldsOf(name)).not.toContain('fixed')
    const path = `/things/${json['id']}`
    for (const [method, body] of [
      ['PATCH', { fixed: 'b' }],
      ['PATCH', { fixed: null }],
      ['PUT', { ...json, fixed: 'b' }],
    ] as const) {
      const refused = await send(method, path, body)
      expect([refused.status, refused.json['errors']], method).toEqual([
        422,
        [expect.objectContaining({ pointer: '/fixed', code: 'read_only' })],
      ])
    }
    // An omitted field keeps its value.
    for (const body of [json, { code: 'y' }])
      expect(await send('PUT', path, body)).toMatchObject({
        status: 200,
        json: { fixed: 'a', price: '1.50' },
      })
  })

  it('of properties with names of SQL words are their own', async () => {
    const { source, things } = await opened(await open())
    const at = new Date('2026-01-31T10:00:00.000Z')
    const { id } = await things.create({ default: 'x', as: 'y', at, count: 1 })
    expect(await things.read([id], everything)).toMatchObject({ default: 'x', as: 'y', at, count: 1 })
    expect(await things.update([id], { count: DEFAULT, at }, everything)).toMatchObject({
      ...{ default: 'x', as: 'y', at, count: 5 },
    })
    expect(source.models).toHaveLength(1)
  })

  it('of times are found in every range, and refused if the column cannot hold them', async () => {
    const { things, isMysql } = await opened(await open())
    const at = new Date('2026-01-31T10:00:00.123Z')
    const { id } = await things.create({ at })
    for (const far of ['0050-01-01', '1960-01-01', '2500-01-01', '9999-12-31']) {
      const value = new Date(`${far}T00:00:00.000Z`)
      const isBefore = value < at
      expect(await things.count({ op: 'gt', field: 'at', value }, everything)).toBe(isBefore ? 1 : 0)
      expect(await things.count({ op: 'lt', field: 'at', value }, everything)).toBe(isBefore ? 0 : 1)
      expect(await things.count({ op: 'ne', field: 'at', value }, everything)).toBe(1)
      if (!isMysql) continue
      const refused = { kind: 'value', fields: ['at'] }
      await expect((async () => things.create({ at: value }))()).rejects.toMatchObject(refused)
      await expect((async () => things.update([id], { at: value }, everything))()).rejects.toMatchObject(
        refused,
      )
    }
    expect(await things.count(eq('at', at), everything)).toBe(1)
  })

  it('that a list in one text cannot hold are refused', async () => {
    const { things } = await opened(await open())
    for (const words of [['a,b'], ['']])
      await expect((async () => things.create({ words }))()).rejects.toMatchObject({
        ...{ kind: 'value', fields: ['words'] },
      })
    for (const words of [[], ['a', 'b'], ['', '']])
      expect(await things.create({ words })).toMatchObject({ words })
  })

  it('of large decimals have exact sums', async () => {
    const { things, db } = await opened(await open())
    for (let at = 0; at < 10; at++) await things.create({ amount: '9999999999999.99' })
    // More than 64 bits of cents in SQLite, which adds integers.
    await db.query('insert into thing (amount) select a.amount from thing a, thing b, thing c, thing d')
    const aggregation = {
      ...{ filter: everything, groups: [], limit: 1, order: [], timezone: 'UTC' },
      aggregates: [{ fn: 'sum', field: 'amount' }] as const,
    }
    expect(await things.aggregate?.(aggregation, everything)).toEqual([
      { sum_amount: '100099999999999899.90' },
    ])
  })
})

it('that a transformer refuses are invalid in a query and in a body', async () => {
  const positive = {
    to: (value: number) => {
      if (value < 0) throw new Error('s3cret')
      return value
    },
    from: (value: unknown) => Number(value),
  }
  const Box = new EntitySchema<ObjectLiteral>({
    name: 'Box',
    columns: {
      id: { type: 'int', primary: true, generated: 'increment' },
      size: { type: 'int', transformer: positive },
    },
  })
  const dataSource = new DataSource({
    ...{ type: 'better-sqlite3', database: ':memory:' },
    ...{ entities: [Box], synchronize: true },
  })
  await dataSource.initialize()
  onTestFinished(() => dataSource.destroy())
  await expectRefusedSizes(typeormModels(dataSource))
})

/** What applications make of columns. */
const json = {
  to: (value: unknown) => (value == null ? value : JSON.stringify(value)),
  from: (text: unknown) => (text == null ? text : JSON.parse(String(text))),
}
const itself = { to: (value: unknown) => value, from: (value: unknown) => value }
const joined = {
  to: (list: readonly string[] | null) => list?.join('|'),
  from: (text: string | null) => text?.split('|'),
}
const point = {
  to: (at: { x: number; y: number } | null) => at && `${at.x} ${at.y}`,
  from: (text: string | null) => {
    const [x, y] = (text ?? '').split(' ').map(Number)
    return text && { x, y }
  },
}
const seconds = {
  to: (at: Date | null) => at && Math.floor(at.getTime() / 1000),
  from: (value: number | null) => (value === null ? value : new Date(value * 1000)),
}
const rounded = { to: (value: number) => value, from: (value: unknown) => value && Number(value) }

onEachDatabase('what transformers show', (open) => {
  it('can be sent back, which changes nothing, and is refused if it would not be shown again', async () => {
    const options = await open()
    const isPg = options.type === 'postgres'
    const column = (type: string, transformer: object, more: object = {}) => ({
      ...{ type, transformer, nullable: true },
      ...more,
    })
    const Thing = new EntitySchema<ObjectLiteral>({
      name: 'Thing',
      columns: {
        id: { type: 'int', primary: true, generated: 'increment' },
        tags: column('text', json),
        list: column('text', joined),
        point: column('text', point),
        at: column('int', seconds),
        meta: column('simple-json', itself),
        price: column('decimal', rounded, { precision: 10, scale: 2 }),
        ...(isPg && {
          large: column(
            'bigint',
            { to: itself.to, from: (all: string[] | null) => all?.map(BigInt) },
            { array: true },
          ),
          data: column('jsonb', itself),
        }),
      } as never,
    })
    const dataSource = await new DataSource({
      ...options,
      ...{ entities: [Thing], synchronize: true },
    } as DataSourceOptions).initialize()
    onTestFinished(() => dataSource.destroy())
    const source = typeormModels(dataSource)
    const { list, point: at, large } = converted
    await expectKept(source, { values: { 'Thing.list': list, 'Thing.point': at, 'Thing.large': large } })
    const send = await requestsTo(source)
    const shown = {
      ...{
        tags: ['a', { b: null }],
        list: ['a', 'b'],
        point: { x: 1, y: -2 },
        at: '2026-01-31T10:00:00.000Z',
      },
      ...(isPg && { large: ['9007199254740993'], data: { a: [1] } }),
    }
    expect(await send('POST', '/things/', shown)).toMatchObject({ status: 201, json: shown })
    for (const [name, value] of Object.entries({ list: ['a|b'], point: { x: 1, y: 2, z: 3 } }))
      expect((await send('POST', '/things/', { [name]: value })).status, name).toBe(422)
    const { id } = await dataSource.getRepository('Thing').save({ tags: [1], at: new Date(0) })
    expect((await send('GET', `/things/${id}`)).json).toMatchObject({
      ...{ tags: [1], at: '1970-01-01T00:00:00.000Z' },
    })
  })
})
