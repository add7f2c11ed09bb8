import { defineEntity, p } from '@mikro-orm/core'
import { MikroORM as Postgres } from '@mikro-orm/postgresql'
import { MikroORM } from '@mikro-orm/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { everything, StartError } from '../../../src/entry/source.ts'
import { naming } from '../../naming.ts'

const id = p.integer().primary()

const thing = (name: string, more: object = {}) => defineEntity({ name, properties: { id }, ...more })

const opened = async (...entities: readonly object[]): Promise<MikroORM> => {
  const orm = await MikroORM.init({ dbName: ':memory:', entities: entities as never })
  onTestFinished(() => orm.close(true))
  return orm
}

it('an unknown option is refused', async () => {
  const orm = await opened(thing('Thing'))
  expect(() => mikroOrmModels(orm, {}, { shared: true } as never)).toThrow(StartError)
  expect(() => mikroOrmModels(orm, {}, { sharedReads: 1 } as never)).toThrow(StartError)
  const shares = (sharedReads?: boolean) =>
    mikroOrmModels(orm, undefined, { sharedReads } as object).capabilities.sharedReads
  expect([shares(true), shares(false), shares(undefined)]).toEqual([true, false, false])
})

it('the given entities are served by the given names, and keys to others stay keys', async () => {
  const Owner = thing('Owner')
  const Pet = defineEntity({ name: 'Pet', properties: { id, owner: () => p.manyToOne(Owner).nullable() } })
  const Part = defineEntity({ name: 'Part', embeddable: true, properties: { size: p.integer() } })
  const orm = await opened(Owner, Pet)
  const { models } = mikroOrmModels(orm, { Animal: Pet, Part, helper: 1, list: [] })
  expect(models.map(({ name }) => name)).toEqual(['Animal'])
  expect(models[0]?.fields).toMatchObject([{ name: 'id' }, { name: 'ownerId', foreign: true }])
  expect(() => mikroOrmModels(orm, { Stranger: thing('Stranger') })).toThrow(StartError)
})

it('a module with schemas, their classes and helpers serves each entity once', async () => {
  const PetSchema = thing('Pet')
  class Pet extends PetSchema.class {}
  PetSchema.setClass(Pet)
  const PartSchema = defineEntity({ name: 'Part', embeddable: true, properties: { size: p.integer() } })
  class Part extends PartSchema.class {}
  PartSchema.setClass(Part)
  const Home = defineEntity({
    name: 'Home',
    properties: { id, pet: () => p.manyToOne(Pet), part: () => p.embedded(Part) },
  })
  const given = { PetSchema, Pet, PartSchema, Part, Home, PetKind: { Cat: 'cat' }, connect: () => 1 }
  const { models } = mikroOrmModels(await opened(Pet, Home), given)
  expect(models.map(({ name }) => name)).toEqual(['Pet', 'Home'])
  expect(models[0]?.relations).toMatchObject([{ name: 'homes' }])
})

it.each([
  ['a promise', Promise.resolve()],
  ['nothing', undefined],
  ['a manager', { getPlatform: () => 1 }],
])('%s in the place of the ORM is refused', (_, given) => {
  expect(() => mikroOrmModels(given as never)).toThrow(StartError)
})

it('names of entities become names of models', async () => {
  expect(mikroOrmModels(await opened(thing('order_items'))).models.map(({ name }) => name)).toEqual([
    'OrderItem',
  ])
  const twice = await opened(thing('OrderItem', { tableName: 'one' }), thing('order_item'))
  expect(() => mikroOrmModels(twice)).toThrow(StartError)
})

it('what cannot be served is left out with a note', async () => {
  const Total = defineEntity({
    ...{ name: 'Total', expression: 'select 1 as n' },
    properties: { n: p.integer() },
  })
  const { models, notes } = mikroOrmModels(await opened(thing('Thing'), Total))
  expect(models.map(({ name }) => name)).toEqual(['Thing'])
  expect(notes).toHaveLength(1)
})

it('formulas are left out with one note, and properties that are not persisted without', async () => {
  const properties = {
    id: p.integer().primary(),
    ...{ parentId: p.integer(), total: p.integer().persist(false) },
    parent: () => p.manyToOne(Thing).fieldName('parent_id').persist(false),
    ...{ one: p.integer().formula('1'), two: p.integer().formula('2') },
  }
  const Thing: ReturnType<typeof thing> = defineEntity({ name: 'Thing', properties } as never)
  const { models, notes } = mikroOrmModels(await opened(Thing))
  expect(models.map(({ fields }) => fields.map(({ name }) => name))).toEqual([['id', 'parentId']])
  expect(notes).toEqual([expect.stringMatching(naming('Thing.one', 'Thing.two', 'formula'))])
  expect(notes?.join()).not.toMatch(/total|parent/)
})

it('a time zone that changes is refused, and an offset is kept', async () => {
  const zone = process.env['TZ']
  onTestFinished(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
  process.env['TZ'] = 'America/New_York'
  const open = async (options: object) =>
    Postgres.init({ dbName: 'x', connect: false, entities: [thing('Thing')], ...options } as never)
  const [local, utc, offset] = await Promise.all([
    open({ forceUtcTimezone: false }),
    open({}),
    open({ timezone: '+02:00' }),
  ])
  expect(() => mikroOrmModels(local)).toThrow(StartError)
  expect(mikroOrmModels(utc).models).toHaveLength(1)
  expect(mikroOrmModels(offset).models).toHaveLength(1)
  process.env['TZ'] = 'UTC'
  expect(mikroOrmModels(local).models).toHaveLength(1)
})

it('a database that cannot be reached is unavailable', async () => {
  const orm = await Postgres.init({ clientUrl: 'postgres://localhost:1/none', entities: [thing('Thing')] })
  const source = mikroOrmModels(orm)
  const [model] = source.models
  if (model === undefined) throw new Error('No model.')
  const refused = { kind: 'unavailable' }
  await expect(source.ping()).rejects.toMatchObject(refused)
  await expect(source.store(model).count(everything, everything)).rejects.toMatchObject(refused)
  await expect(source.transaction(() => 1)).rejects.toMatchObject(refused)
})
