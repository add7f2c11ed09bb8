import { DataSource, type DataSourceOptions, EntitySchema, type ObjectLiteral } from 'typeorm'
import { expect, it, onTestFinished } from 'vitest'
import type { ModelSource } from '../../../src/entry/source.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { defineSettings } from '../../../src/index.ts'
import { requestsTo } from '../facts.ts'
import { onEachDatabase } from './databases.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

const id = { type: 'int', primary: true } as const

/** A service of these entities, in a new database with these records. */
const serving = async (
  options: DataSourceOptions,
  entities: readonly EntitySchema<ObjectLiteral>[],
  records: Readonly<Record<string, Rows>>,
  prepare: (dataSource: DataSource) => Promise<unknown> = async () => undefined,
): Promise<{
  readonly source: ModelSource
  readonly dataSource: DataSource
  items(path: string): Promise<unknown>
}> => {
  const dataSource = await new DataSource({ ...options, entities } as DataSourceOptions).initialize()
  onTestFinished(() => dataSource.destroy())
  await prepare(dataSource)
  await dataSource.synchronize()
  for (const [name, rows] of Object.entries(records))
    await dataSource.getRepository(name).insert(rows as ObjectLiteral[])
  const source = typeormModels(dataSource)
  const send = await requestsTo(source)
  const items = async (path: string): Promise<unknown> => {
    const { status, json, text } = await send('GET', path)
    expect(status, text).toBe(200)
    return json['items']
  }
  return { source, dataSource, items }
}

onEachDatabase('reads', (open) => {
  it('include the record whose key has many digits, not one with almost the same', async () => {
    const type = 'bigint'
    const many = { type: 'many-to-one', target: 'Owner', joinColumn: { name: 'ownerId' } } as const
    const Owner = new EntitySchema<ObjectLiteral>({
      name: 'Owner',
      columns: { id: { type, primary: true }, name: { type: 'varchar', length: 9 } },
    })
    const Car = new EntitySchema<ObjectLiteral>({
      name: 'Car',
      columns: { id, ownerId: { type } },
      relations: { owner: { ...many, inverseSide: 'cars' } },
    })
    const [ann, bob] = ['9007199254740992', '9007199254740993']
    const { items } = await serving(await open(), [Owner, Car], {
      Owner: [
        { id: ann, name: 'Ann' },
        { id: bob, name: 'Bob' },
      ],
      Car: [
        { id: 1, ownerId: ann },
        { id: 2, ownerId: bob },
      ],
    })
    expect(await items('/cars/?include=owner')).toMatchObject([
      { owner: { id: ann, name: 'Ann' } },
      { owner: { id: bob, name: 'Bob' } },
    ])
    expect(await items('/owners/?include=cars')).toMatchObject([
      { id: ann, cars: [{ id: 1 }] },
      { id: bob, cars: [{ id: 2 }] },
    ])
  })

  it('show times without a fraction of a second, one group for each', async () => {
    const options = await open()
    const isSqlite = options.type === 'better-sqlite3'
    const at = { type: isSqlite ? 'datetime' : 'timestamp', default: () => 'CURRENT_TIMESTAMP' } as const
    const Visit = new EntitySchema<ObjectLiteral>({ name: 'Visit', columns: { id, at } })
    const { items, dataSource } = await serving(options, [Visit], { Visit: [{ id: 1 }, { id: 2 }] })
    // As TypeORM and SQLite itself write a time.
    for (const [key, end] of ['', isSqlite ? '.000' : ''].entries())
      await dataSource.query(`update visit set at = '2026-01-01 10:00:00${end}' where id = ${key + 1}`)
    const shown = { at: expect.stringMatching(/^2026-01-01T10:00:00/) }
    expect(await items('/visits/?sort=at')).toMatchObject([shown, shown])
    expect(await items('/visits/aggregate?group=at')).toMatchObject([{ ...shown, count: 2 }])
  })

  it('sort and filter through relations of a table that is named with its schema', async () => {
    const options = await open()
    const isPostgres = options.type === 'postgres'
    const Room = new EntitySchema<ObjectLiteral>({
      name: 'Room',
      tableName: isPostgres ? 'hotel.rooms' : 'rooms',
      columns: { id, parentId: { type: 'int', nullable: true } },
      relations: {
        parent: { type: 'many-to-one', target: 'Room', nullable: true, joinColumn: { name: 'parentId' } },
      },
    })
    const rows = [
      { id: 1, parentId: null },
      { id: 2, parentId: 1 },
    ]
    const { items } = await serving(options, [Room], { Room: rows }, async (dataSource) =>
      isPostgres ? dataSource.query('create schema hotel') : undefined,
    )
    expect(await items('/rooms/?sort=parent.id')).toEqual([rows[1], rows[0]])
    expect(await items('/rooms/?parent.id=1')).toEqual([rows[1]])
  })

  it('of pages follow the order of the type, not that of its text', async () => {
    const options = await open()
    const isPostgres = options.type === 'postgres'
    const Stay = new EntitySchema<ObjectLiteral>({
      name: 'Stay',
      columns: { id, time: { type: isPostgres ? 'interval' : 'int' } },
    })
    const [short, long] = isPostgres ? ['9 days', '10 days'] : [9, 10]
    const { source } = await serving(options, [Stay], {
      Stay: [
        { id: 1, time: long },
        { id: 2, time: short },
      ],
    })
    const settings = defineSettings({ NINJA_PAGINATION_CLASS: 'cursor', SECRET_KEY: 'k'.repeat(32) })
    const send = await requestsTo(source, { settings })
    const { json: first } = await send('GET', '/stays/?sort=time&limit=1')
    expect(first['items']).toEqual([{ id: 2, time: short }])
    const { json: last } = await send('GET', `/stays/?sort=time&limit=1&cursor=${first['next']}`)
    expect(last).toMatchObject({ items: [{ id: 1, time: long }], next: null })
  })

  it('of pages have each value of an enum, in the order of the whole list', async () => {
    const options = await open()
    const type = options.type === 'better-sqlite3' ? 'simple-enum' : 'enum'
    const Mood = new EntitySchema<ObjectLiteral>({
      name: 'Mood',
      columns: { id, mood: { type, enum: ['z', 'b', 'm'] } },
    })
    const { source, items } = await serving(options, [Mood], {
      Mood: ['m', 'z', 'b'].map((mood, at) => ({ id: at + 1, mood })),
    })
    const settings = defineSettings({ NINJA_PAGINATION_CLASS: 'cursor', SECRET_KEY: 'k'.repeat(32) })
    const send = await requestsTo(source, { settings })
    for (const order of ['asc', 'desc']) {
      const path = `/moods/?sort=mood&order=${order}`
      const pages: unknown[] = []
      let next: unknown = ''
      while (next !== null) {
        const { json }: Awaited<ReturnType<typeof send>> = await send('GET', `${path}&limit=1${next}`)
        pages.push(json['items'])
        next = json['next'] === null ? null : `&cursor=${json['next']}`
      }
      expect(pages.flat()).toEqual(await items(path))
    }
  })

  it('include records along keys of a fixed length', async () => {
    const options = await open()
    const type = { type: options.type === 'better-sqlite3' ? 'character' : 'char', length: 4 } as const
    const Country = new EntitySchema<ObjectLiteral>({
      name: 'Country',
      columns: { id: { ...type, primary: true } },
    })
    const City = new EntitySchema<ObjectLiteral>({
      name: 'City',
      columns: { id, countryId: type },
      relations: {
        country: { type: 'many-to-one', target: 'Country', joinColumn: { name: 'countryId' } },
      },
    })
    const { items } = await serving(options, [Country, City], {
      Country: [{ id: 'de' }, { id: 'fr' }],
      City: [{ id: 1, countryId: 'fr' }],
    })
    expect(await items('/cities/?include=country')).toMatchObject([
      { id: 1, country: { id: expect.stringMatching(/^fr *$/) } },
    ])
    expect(await items('/countries/?include=cities')).toMatchObject([{ cities: [] }, { cities: [{ id: 1 }] }])
  })
})
