import { defineEntity, type EventSubscriber, p } from '@mikro-orm/core'
import { expect, it } from 'vitest'
import { DEFAULT, everything, type Row } from '../../../src/entry/source.ts'
import { onEachDatabase } from './databases.ts'
import { all, shopOf } from './shop.ts'

const Kind = defineEntity({
  name: 'Kind',
  properties: { id: p.integer().primary(), code: p.string().length(9) },
})

const Item = defineEntity({
  name: 'Item',
  properties: {
    ...{ id: p.integer().primary(), name: p.string().length(50), size: p.integer().default(5) },
    ...{ note: p.string().length(50).nullable(), version: p.integer().version() },
    made: p.datetime(0).defaultRaw('current_timestamp').nullable(),
    stamp: p
      .string()
      .length(9)
      .onCreate(() => 'made'),
    kind: () => p.manyToOne(Kind).nullable(),
  },
})

const Node = defineEntity({
  name: 'Node',
  properties: {
    id: p.string().length(20).primary(),
    parent: () => p.manyToOne(Node).nullable(),
  },
})

const Line = defineEntity({
  name: 'Line',
  properties: {
    kind: () => p.manyToOne(Kind).primary(),
    number: p.integer().primary(),
    text: p.string().length(20).nullable(),
  },
})

const Blank = defineEntity({
  name: 'Blank',
  properties: { id: p.integer().primary(), text: p.string().length(9).nullable() },
})

/** Hears what MikroORM creates. */
class Listening implements EventSubscriber {
  readonly heard: string[] = []

  async beforeCreate({ entity }: { readonly entity: object }): Promise<void> {
    const name: unknown = Reflect.get(entity, 'name')
    this.heard.push(String(name))
    if (typeof name === 'string') Reflect.set(entity, 'name', name.trim())
  }
}

const numbered = <T>(length: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length }, (_, at) => make(at))

onEachDatabase('many new records', (open) => {
  const opened = async (subscriber?: Listening) => {
    const statements: string[] = []
    const orm = await open({
      ...{ entities: [Kind, Item, Node, Line, Blank], debug: ['query'], colors: false },
      logger: (message) => statements.push(message),
      ...(subscriber && { subscribers: [subscriber] }),
    })
    const shop = shopOf(orm)
    const storeAll = (name: string, rows: readonly Row[]): Promise<readonly Row[]> => {
      const model = shop.source.models.find((known) => known.name === name)
      if (model === undefined) throw new Error(`No model ${name}.`)
      return Promise.resolve(
        shop.source.transaction(async (inside) => (await inside.store(model).createMany?.(rows)) ?? []),
      )
    }
    return { ...shop, storeAll, statements }
  }

  it.each([
    ['one by one in their order', undefined],
    ['by a flush, and heard', new Listening()],
  ])('are stored in few statements, %s', async (_, subscriber) => {
    const { store, storeAll, statements } = await opened(subscriber)
    const { id: kindId } = await store('Kind').create({ code: 'a' })
    statements.length = 0
    if (subscriber !== undefined) subscriber.heard.length = 0
    const rows = await storeAll(
      'Item',
      numbered(1000, (at) => ({ name: `n${999 - at} `, kindId, note: at % 2 === 0 ? null : `${at}` })),
    )
    expect(statements.length).toBeLessThanOrEqual(15)
    const name = (at: number): string => `n${999 - at}${subscriber === undefined ? ' ' : ''}`
    expect(rows.map((row) => row['name'])).toEqual(numbered(1000, name))
    expect(rows[3]).toMatchObject({ kindId, note: '3', size: 5, version: 1, stamp: 'made' })
    expect(rows[3]?.['made']).toBeInstanceOf(Date)
    expect(rows.slice(1).every((row, at) => Number(row['id']) > Number(rows[at]?.['id']))).toBe(true)
    expect(await store('Item').read([rows[17]?.['id']], everything)).toEqual(rows[17])
    if (subscriber !== undefined) expect(subscriber.heard).toHaveLength(1000)
  })

  it('without values get keys of their own', async () => {
    const { storeAll } = await opened()
    const rows = await storeAll('Blank', [{}, {}, { text: 'a' }, {}])
    expect(rows.map(({ text }) => text)).toEqual([null, null, 'a', null])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(4)
  })

  it.each([
    ['by inserts', undefined],
    ['by flushes', new Listening()],
  ])('with different fields get their own defaults, %s', async (_, subscriber) => {
    const { store, storeAll } = await opened(subscriber)
    const made = new Date('2020-01-01T00:00:00.000Z')
    const rows = await storeAll('Item', [
      { name: 'a' },
      { name: 'b', size: 7, made },
      { name: 'c', id: 900 },
      { name: 'd', note: 'x', size: DEFAULT },
      { name: 'e', made: null },
    ])
    expect(rows).toMatchObject([
      { name: 'a', size: 5, note: null },
      { name: 'b', size: 7, made },
      { name: 'c', id: 900 },
      { name: 'd', note: 'x', size: 5 },
      { name: 'e', made: null },
    ])
    for (const at of [0, 2, 3])
      expect(Math.abs(Number(rows[at]?.['made']) - Date.now())).toBeLessThan(600_000)
    expect(await store('Item').count(everything, everything)).toBe(5)
  })

  it.each([
    ['by inserts', undefined],
    ['by flushes', new Listening()],
  ])(
    'may refer to each other, and have keys of their own or of several columns, %s',
    async (_, subscriber) => {
      const { store, storeAll } = await opened(subscriber)
      const nodes = [
        { id: 'root', parentId: null },
        { id: 'leaf', parentId: 'root' },
        { id: 'bud', parentId: 'root' },
        { id: 'twig', parentId: 'leaf' },
      ]
      expect(await storeAll('Node', nodes)).toEqual(nodes)
      const kinds = await storeAll('Kind', [{ code: 'a' }, { code: 'b' }])
      const lines = numbered(700, (at) => ({
        kindId: kinds[at % 2]?.['id'],
        number: 700 - at,
        text: `${at}`,
      }))
      expect(await storeAll('Line', lines)).toEqual(lines)
      expect(
        await store('Node').list({ ...all, order: [{ field: 'id', direction: 'asc' }] }, everything),
      ).toHaveLength(4)
      expect(await storeAll('Kind', [])).toEqual([])
    },
  )

  it.each([
    ['by inserts', undefined],
    ['by flushes', new Listening()],
  ])('are all refused where one is, %s', async (_, subscriber) => {
    const { store, storeAll } = await opened(subscriber)
    const kinds = (more: object) => numbered(20, (at) => ({ id: at + 1, code: 'x', ...(at === 17 && more) }))
    await expect(storeAll('Kind', kinds({ id: 3 }))).rejects.toMatchObject({ name: 'SourceError' })
    await expect(storeAll('Kind', kinds({ code: null }))).rejects.toMatchObject({ kind: 'not-null' })
    await store('Node').create({ id: 'old' })
    const again = storeAll('Node', [{ id: 'new', parentId: 'old' }, { id: 'old' }])
    await expect(again).rejects.toMatchObject({ kind: 'unique' })
    const items = (kindId: number) => numbered(20, (at) => ({ name: 'x', ...(at === 17 && { kindId }) }))
    await expect(storeAll('Item', items(99))).rejects.toMatchObject({ name: 'SourceError' })
    expect(await store('Kind').count(everything, everything)).toBe(0)
    expect(await store('Item').count(everything, everything)).toBe(0)
  })
})
