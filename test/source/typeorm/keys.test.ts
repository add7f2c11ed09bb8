import { DataSource, type DataSourceOptions, EntitySchema, type ObjectLiteral } from 'typeorm'
import { expect, it, onTestFinished } from 'vitest'
import { everything, type ModelSource, type RecordStore } from '../../../src/entry/source.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { onEachDatabase } from './databases.ts'
import { all } from './shop.ts'

const id = { type: 'int', primary: true } as const
const text = { type: 'varchar', length: 50 } as const
const made = { ...id, generated: 'increment' } as const

const entities = [
  new EntitySchema<ObjectLiteral>({
    name: 'Post',
    columns: { id: made },
    relations: {
      tags: { type: 'many-to-many', target: 'Tag', joinTable: { name: 'post_tags' } },
      similar: { type: 'many-to-many', target: 'Post', joinTable: { name: 'similar_posts' } },
    },
  }),
  new EntitySchema<ObjectLiteral>({ name: 'Tag', columns: { id: made } }),
  new EntitySchema<ObjectLiteral>({ name: 'Account', columns: { tenantId: id, number: id } }),
  new EntitySchema<ObjectLiteral>({
    name: 'Payment',
    columns: { id: made, tenantId: { type: 'int' }, note: { ...text, nullable: true } },
    relations: {
      account: {
        ...{ type: 'many-to-one', target: 'Account', nullable: true },
        joinColumn: [
          { name: 'tenantId', referencedColumnName: 'tenantId' },
          { name: 'accountNumber', referencedColumnName: 'number' },
        ],
      },
    },
  }),
  new EntitySchema<ObjectLiteral>({
    name: 'Cell',
    columns: {
      row: { ...text, primary: true },
      column: { ...text, primary: true },
      value: { type: 'int' },
    },
  }),
]

interface Opened {
  readonly dataSource: DataSource
  readonly source: ModelSource
  store(model: string): RecordStore
}

const opened = async (options: DataSourceOptions): Promise<Opened> => {
  const dataSource = new DataSource({ ...options, entities, synchronize: true } as DataSourceOptions)
  await dataSource.initialize()
  onTestFinished(() => dataSource.destroy())
  const source = typeormModels(dataSource)
  const store = (name: string): RecordStore => {
    const model = source.models.find((known) => known.name === name)
    return model === undefined ? expect.fail(name) : source.store(model)
  }
  return { dataSource, source, store }
}

onEachDatabase('keys', (open) => {
  it('that count up can be given', async () => {
    const { dataSource, store } = await opened(await open())
    expect(await store('Post').create({ id: 700 })).toEqual({ id: 700 })
    dataSource.subscribers.push({ beforeInsert: () => {} })
    expect(await store('Post').create({ id: 800 })).toEqual({ id: 800 })
  })

  it.each(['alone', 'with a subscriber'])('of records out of reach stay as they are, %s', async (how) => {
    const { dataSource, store } = await opened(await open())
    if (how !== 'alone') dataSource.subscribers.push({ beforeUpdate: () => {} })
    const cell = await store('Cell').create({ row: 'a', column: 'b', value: 1 })
    const isOther = { op: 'eq', field: 'value', value: 2 } as const
    expect(await store('Cell').update(['a', 'b'], { column: 'c' }, isOther)).toBeUndefined()
    expect(await store('Cell').read(['a', 'b'], everything)).toEqual(cell)
  })

  it.each(['alone', 'with a subscriber'])('of join tables have their own values, %s', async (how) => {
    const { dataSource, store } = await opened(await open())
    if (how !== 'alone') dataSource.subscribers.push({ beforeInsert: () => {}, beforeRemove: () => {} })
    for (const name of ['Post', 'Tag', 'Tag', 'Tag', 'Post', 'Post', 'Post']) await store(name).create({})
    expect(await store('PostTag').create({ postId: 1, tagId: 3 })).toEqual({ postId: 1, tagId: 3 })
    const similar = { postId1: 2, postId2: 4 }
    expect(await store('SimilarPost').create(similar)).toEqual(similar)
    expect(await store('SimilarPost').update([2, 4], { postId2: 3 }, everything)).toEqual({
      ...similar,
      postId2: 3,
    })
    expect(await store('PostTag').remove([3, 1], everything)).toBe(false)
    expect(await store('PostTag').remove([1, 3], everything)).toBe(true)
  })

  it('of several columns are written only as far as columns are declared', async () => {
    const { source, dataSource, store } = await opened(await open())
    const payment = source.models.find(({ name }) => name === 'Payment')
    expect(payment?.fields.filter(({ generated }) => generated).map(({ name }) => name)).toEqual([
      'accountNumber',
    ])
    expect(source.notes?.filter((note) => note.includes('Payment.accountNumber'))).toHaveLength(1)
    await dataSource.getRepository('Account').insert({ tenantId: 7, number: 9 })
    const account = { tenantId: 7, number: 9 }
    const [{ id: stored }] = (await dataSource.getRepository('Payment').insert({ account })).identifiers as [
      ObjectLiteral,
    ]
    expect(await store('Payment').update([stored], { note: 'x' }, everything)).toEqual({
      ...{ id: stored, tenantId: 7, accountNumber: 9, note: 'x' },
    })
    expect(await store('Payment').create({ tenantId: 8 })).toMatchObject({
      ...{ tenantId: 8, accountNumber: null, note: null },
    })
  })

  it('that look alike when joined do not exchange their records', async () => {
    const { dataSource, store } = await opened(await open())
    dataSource.subscribers.push({ listenTo: () => 'Cell', afterLoad: () => {} })
    const cells = [
      { row: 'a_b', column: 'c', value: 1 },
      { row: 'a', column: 'b_c', value: 2 },
      { row: 'z', column: 'z', value: 3 },
    ]
    for (const cell of cells) await store('Cell').create(cell)
    const order = [{ field: 'value', direction: 'asc' }] as const
    expect(await store('Cell').list({ ...all, order }, everything)).toEqual(cells)
    expect(await store('Cell').list({ ...all, order, fields: ['value'] }, everything)).toEqual(
      cells.map(({ value }) => ({ value })),
    )
  })

  it('that a subscriber changes are those of the created record', async () => {
    const { dataSource, store } = await opened(await open())
    const cell = { row: 'a', column: 'b', value: 1 }
    await store('Cell').create(cell)
    dataSource.subscribers.push({
      listenTo: () => 'Cell',
      beforeInsert: ({ entity }: { entity: ObjectLiteral }) => {
        entity['row'] = 'changed'
      },
    })
    expect(await store('Cell').create({ ...cell, value: 2 })).toEqual({ ...cell, row: 'changed', value: 2 })
  })

  it('are those of the record that a subscriber of an entity without a class hears to be removed', async () => {
    const { dataSource, store } = await opened(await open())
    const heard: unknown[] = []
    await store('Cell').create({ row: 'a', column: 'b', value: 1 })
    dataSource.subscribers.push({
      listenTo: () => 'Cell',
      beforeRemove: ({ entity }: { entity?: ObjectLiteral }) => void heard.push({ ...entity }),
    })
    expect(await store('Cell').remove(['a', 'b'], everything)).toBe(true)
    expect(heard).toEqual([{ row: 'a', column: 'b', value: 1 }])
  })
})
