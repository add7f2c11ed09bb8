import { DataSource, EntitySchema } from 'typeorm'
import { expect, it, onTestFinished } from 'vitest'
import { fetchApp, ModelRest } from '../../../src/entry/fetch.ts'
import { StartError } from '../../../src/entry/source.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { startError } from '../../http/start-error.ts'
import { createDatabase, onPostgres } from '../../servers/test-database.ts'

const id = { type: 'int', primary: true, generated: 'increment' } as const

const thing = (name: string, more: object = {}) =>
  new EntitySchema<{ id: number }>({ name, tableName: name.toLowerCase(), columns: { id }, ...more })

const opened = async (...entities: readonly EntitySchema[]): Promise<DataSource> => {
  const dataSource = new DataSource({ type: 'better-sqlite3', database: ':memory:', entities: [...entities] })
  await dataSource.initialize()
  onTestFinished(() => dataSource.destroy())
  return dataSource
}

it('a data source that is not initialized is refused', () => {
  const dataSource = new DataSource({ type: 'better-sqlite3', database: ':memory:' })
  expect(() => typeormModels(dataSource)).toThrow(StartError)
})

it('a database that is not supported is refused', () => {
  const dataSource = new DataSource({ type: 'mongodb', database: 'x', driver: {} })
  expect(() => typeormModels(dataSource)).toThrow(StartError)
})

onPostgres('a data source with replicas', () =>
  it('a data source that reads from replicas is refused', async () => {
    const { url, drop } = await createDatabase('replicated')
    const open = async (defaultMode: 'master' | 'slave') => {
      const replication = { master: { url }, slaves: [{ url }], defaultMode }
      const dataSource = new DataSource({ type: 'postgres', replication, entities: [thing('Thing')] })
      await dataSource.initialize()
      onTestFinished(() => dataSource.destroy())
      return dataSource
    }
    const [master, slave] = [await open('master'), await open('slave')]
    onTestFinished(drop)
    expect(typeormModels(master).models).toHaveLength(1)
    expect(() => typeormModels(slave)).toThrow(StartError)
  }),
)

onPostgres('a process in another zone', () =>
  it('is refused if subscribers hear writes of date-times without a zone', async () => {
    const { url, drop } = await createDatabase('zones')
    const At = thing('At', { columns: { id, at: { type: 'timestamp' } } })
    const dataSource = new DataSource({ type: 'postgres', url, entities: [At, thing('Thing')] })
    await dataSource.initialize()
    onTestFinished(drop)
    onTestFinished(() => dataSource.destroy())
    const zone = process.env['TZ']
    onTestFinished(() => {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    })
    process.env['TZ'] = 'America/New_York'
    expect(typeormModels(dataSource).models).toHaveLength(2)
    dataSource.subscribers.push({ listenTo: () => 'Thing', beforeInsert: () => {} })
    expect(typeormModels(dataSource).models).toHaveLength(2)
    dataSource.subscribers.push({ listenTo: () => 'At', beforeInsert: () => {} })
    expect(() => typeormModels(dataSource)).toThrow(StartError)
    process.env['TZ'] = 'UTC'
    expect(typeormModels(dataSource).models).toHaveLength(2)
  }),
)

it('an unknown option is refused', async () => {
  const dataSource = await opened()
  expect(() => typeormModels(dataSource, {}, { shared: true } as never)).toThrow(StartError)
  expect(() => typeormModels(dataSource, {}, { sharedReads: 1 } as never)).toThrow(StartError)
})

it('the given entities are served by the given names, and keys to others stay keys', async () => {
  const Owner = thing('Owner')
  const Pet = thing('Pet', {
    relations: { owner: { type: 'many-to-one', target: 'Owner', nullable: true } },
  })
  const dataSource = await opened(Owner, Pet)
  const { models } = typeormModels(dataSource, { Animal: Pet, helper: 1 })
  expect(models.map(({ name }) => name)).toEqual(['Animal'])
  expect(models[0]?.fields).toMatchObject([{ name: 'id' }, { name: 'ownerId', foreign: true }])
  expect(() => typeormModels(dataSource, { Stranger: thing('Stranger') })).toThrow(StartError)
})

it('a module with other exports than entities is served', async () => {
  class Base {}
  const Pet = thing('Pet')
  const others = { Base, PetKind: { Cat: 'cat' }, connect: () => 1, list: [], default: Pet, Pets: Pet, Pet }
  const { models } = typeormModels(await opened(Pet), others)
  expect(models.map(({ name }) => name)).toEqual(['Pet'])
})

it.each([
  ['a promise', Promise.resolve()],
  ['nothing', undefined],
  ['a manager', { connection: {} }],
])('%s in the place of the data source is refused', (_, given) => {
  expect(() => typeormModels(given as never)).toThrow(StartError)
})

it.each([
  ['a list', []],
  ['a name', 'Thing'],
  ['null', null],
])('%s in the place of entities is refused', async (_, given) => {
  const dataSource = await opened(thing('Thing'))
  expect(() => typeormModels(dataSource, given as never)).toThrow(StartError)
})

it('names of entities become names of models', async () => {
  const dataSource = await opened(thing('order_items'))
  expect(typeormModels(dataSource).models.map(({ name }) => name)).toEqual(['OrderItem'])
  const twice = await opened(thing('OrderItem'), thing('order_item'))
  expect(() => typeormModels(twice)).toThrow(StartError)
})

it('a view without a primary column has only list', async () => {
  const Total = new EntitySchema({
    ...{ name: 'Total', type: 'view', expression: 'select 1 as n' },
    columns: { n: { type: 'int' } },
  })
  const { models, notes } = typeormModels(await opened(thing('Thing'), Total))
  expect(models).toMatchObject([{ name: 'Thing' }, { name: 'Total', primaryKey: [], operations: ['list'] }])
  expect(notes).toEqual([])
})

const started = async (entity: EntitySchema, config: object): Promise<unknown> => {
  const models = typeormModels(await opened(entity), { Thing: entity })
  return await new ModelRest(fetchApp(), { models, ...config } as never).init()
}

it('a missing table is refused with the command of TypeORM', async () => {
  const refusal = started(thing('Thing'), {})
  await expect(refusal).rejects.toEqual(startError('Thing', 'thing', 'typeorm'))
  await expect(refusal).rejects.not.toEqual(startError('drizzle-kit'))
})

it.each([
  [{ version: 'own' }, { type: 'datetime', updateDate: true }],
  [{ stamps: { own: 'now' } }, { type: 'datetime', updateDate: true }],
] as const)('%o of a column that TypeORM writes is refused', async (config, own) => {
  const refusal = started(thing('Thing', { columns: { id, own } }), { modelConfig: { Thing: config } })
  await expect(refusal).rejects.toEqual(startError('Thing', 'own', 'ORM'))
})
