import { defineEntity, type EventSubscriber, p, ref } from '@mikro-orm/core'
import { describe, expect, it } from 'vitest'
import { everything, type Row } from '../../../src/entry/source.ts'
import { onEachDatabase, openSqlite } from './databases.ts'
import { all, type Shop, shopOf } from './shop.ts'

const id = p.integer().primary()
const Owner = defineEntity({ name: 'Owner', properties: { id } })
const Address = defineEntity({
  name: 'Address',
  embeddable: true,
  properties: { city: p.string().length(50).nullable(), zip: p.string().nullable() },
})

const hearing: EventSubscriber = {
  beforeCreate: async () => {},
  beforeUpdate: async () => {},
  onLoad: async () => {},
}

const modelIn = ({ source }: Shop, name: string) => {
  const model = source.models.find((each) => each.name === name)
  return model ?? expect.fail(`No ${name}.`)
}

const refused = (act: () => unknown): Promise<unknown> =>
  (async () => act())().then(
    () => expect.fail('It must fail.'),
    (error: unknown) => error,
  )

onEachDatabase('odd entities', (open) => {
  it('pivot entities keep their names, filters, subscribers and other properties', async () => {
    const User = defineEntity({
      ...{ name: 'User', tableName: 'users' },
      properties: { id, teams: () => p.manyToMany(Team).pivotEntity(() => Member) },
    })
    const Team = defineEntity({
      name: 'Team',
      properties: { id, people: () => p.manyToMany(User).mappedBy('teams') },
    })
    const Member = defineEntity({
      name: 'Member',
      properties: {
        team: () => p.manyToOne(Team).primary(),
        user: () => p.manyToOne(User).primary(),
        role: p.string().default('guest'),
        since: p.string().onCreate(() => 'today'),
      },
      filters: { present: { name: 'present', cond: { role: { $ne: 'gone' } }, default: true } },
    })
    const heard: string[] = []
    const beforeCreate = async () => void heard.push('create')
    const subscribers = [{ getSubscribedEntities: () => [Member], beforeCreate }]
    const shop = shopOf(await open({ entities: [User, Team, Member], subscribers }))
    const { store } = shop
    expect(shop.source.models.map(({ name }) => name).sort()).toEqual(['Member', 'Team', 'User'])
    const { id: userId } = await store('User').create({})
    await store('Team').create({})
    const { id: teamId } = await store('Team').create({})
    const made = await store('Member').create({ userId, teamId })
    expect(made).toMatchObject({ role: 'guest', since: 'today' })
    expect(heard).toEqual(['create'])
    const teaming = { op: 'related', relation: 'teams', condition: everything } as const
    const peopled = { op: 'related', relation: 'people', condition: everything } as const
    expect(await store('User').count(teaming, everything)).toBe(1)
    expect(await store('Team').count(peopled, everything)).toBe(1)
    const key = modelIn(shop, 'Member').primaryKey.map((name) => made[name])
    await store('Member').update(key, { role: 'gone' }, everything)
    expect(await store('User').count(teaming, everything)).toBe(0)
  })

  it('unique keys with parts of embeddables have all their fields', async () => {
    const Shopper = defineEntity({
      name: 'Shopper',
      properties: { id, owner: () => p.manyToOne(Owner).nullable(), address: () => p.embedded(Address) },
      uniques: [{ properties: ['owner', 'address.city'] as never }],
    })
    const shop = shopOf(await open({ entities: [Owner, Address, Shopper] }))
    expect(modelIn(shop, 'Shopper').uniques).toEqual([['ownerId', 'addressCity']])
    const { id: ownerId } = await shop.store('Owner').create({})
    const create = () => shop.store('Shopper').create({ ownerId, addressCity: 'Rome' })
    await create()
    expect(await refused(create)).toMatchObject({ kind: 'unique', fields: ['ownerId', 'addressCity'] })
  })

  it('lists of enums are lists, and refuse what they cannot hold also if someone hears', async () => {
    const Thing = defineEntity({
      name: 'Thing',
      properties: {
        id,
        words: p.array().nullable(),
        levels: p.enum(['low', 'high']).array().nullable(),
      },
    })
    for (const subscribers of [[], [hearing]]) {
      const shop = shopOf(await open({ entities: [Thing], subscribers }))
      const levels = modelIn(shop, 'Thing').fields.find(({ name }) => name === 'levels')
      expect(levels).toMatchObject({ kind: 'array', element: { kind: 'enum', values: ['low', 'high'] } })
      const things = shop.store('Thing')
      for (const given of [{ levels: ['low', 'high'] }, { levels: [] }, { levels: ['high'] }])
        expect(await things.create(given)).toMatchObject(given)
      const made = await (async () => things.create({ words: ['a,b'] }))().catch((error: unknown) => error)
      const isRefused = made instanceof Error
      expect(made).toMatchObject(isRefused ? { kind: 'value', fields: ['words'] } : { words: ['a,b'] })
    }
  })

  it('references of scalars keep their values', async () => {
    const Note = defineEntity({
      name: 'Note',
      properties: {
        id,
        text: p.string().ref().nullable(),
        made: p
          .string()
          .ref()
          .onCreate(() => ref('now') as never),
        kind: p.string().ref().default('plain'),
      },
    })
    for (const subscribers of [[], [hearing]]) {
      const { store } = shopOf(await open({ entities: [Note], subscribers }))
      // MikroORM itself cannot save a default that is not a reference.
      const kind = subscribers.length === 0 ? {} : { kind: 'plain', made: 'now' }
      expect(await store('Note').create({ text: 'x', ...kind })).toMatchObject({
        ...{ text: 'x', kind: 'plain', made: 'now' },
      })
      expect(await store('Note').update([1], { text: 'y' }, everything)).toMatchObject({ text: 'y' })
      expect(await store('Note').list(all, everything)).toMatchObject([{ text: 'y', made: 'now' }])
    }
  })

  it('keys that only the database makes are stored, or required', async () => {
    const made = open === openSqlite ? `('k' || 'x')` : `(concat('k', 'x'))`
    const Token = defineEntity({
      name: 'Token',
      properties: { id: p.string().length(36).primary().defaultRaw(made), name: p.string() },
    })
    const shop = shopOf(await open({ entities: [Token] }))
    const isMade = modelIn(shop, 'Token').fields[0]?.hasDefault
    if (isMade) expect(await shop.store('Token').create({ name: 'a' })).toMatchObject({ id: 'kx' })
    else expect(await shop.store('Token').create({ id: 'a', name: 'a' })).toMatchObject({ id: 'a' })
  })
})

/** Runs the same acts without and with those who hear them. */
const same = async (
  open: typeof openSqlite,
  entities: readonly object[],
  acts: (shop: Shop) => readonly (() => unknown)[],
): Promise<readonly Row[]> => {
  const both: Row[][] = []
  for (const subscribers of [[], [hearing]]) {
    const shop = shopOf(await open({ entities: entities as never, subscribers }))
    const results: Row[] = []
    for (const act of acts(shop)) results.push((await (async () => act())()) as Row)
    both.push(results)
  }
  expect(both[1]).toEqual(both[0])
  return both[0] ?? []
}

onEachDatabase('records are written alike', (open) =>
  describe('whether or not someone hears, with', () => {
    it('embeddables', async () => {
      const Person = defineEntity({
        name: 'Person',
        properties: {
          id,
          home: () => p.embedded(Address).nullable(),
          billing: () => p.embedded(Address).object().nullable(),
          others: () => p.embedded(Address).array().nullable(),
        },
      })
      const rows = await same(open, [Person, Address], ({ store }) => {
        const update = (values: Row) => () => store('Person').update([1], values, everything)
        return [
          () =>
            store('Person').create({
              ...{ homeCity: 'Rome', billing: { city: 'Oslo', zip: '1' } },
              others: [{ city: 'Bern', zip: '2' }],
            }),
          update({ billing: { city: 'Kyiv' }, homeZip: '3' }),
          update({ billing: null, others: [], homeZip: null, homeCity: null }),
          update({ homeZip: '4' }),
          async () => (await refused(update({ billing: 5 }))) instanceof Error,
          async () => (await refused(update({ billing: [1] }))) instanceof Error,
          async () => (await refused(update({ others: { city: 'x' } }))) instanceof Error,
        ]
      })
      expect(rows[1]).toMatchObject({ billing: { city: 'Kyiv' }, homeCity: 'Rome', homeZip: '3' })
    })

    it('keys of several columns that refer to others', async () => {
      const Place = defineEntity({
        name: 'Place',
        properties: { x: p.integer().primary(), y: p.integer().primary() },
      })
      const Tile = defineEntity({
        name: 'Tile',
        properties: {
          place: () => p.manyToOne(Place).primary(),
          z: p.integer().primary(),
          text: p.string().nullable(),
          near: () => p.manyToOne(Place).mapToPk().nullable(),
        },
      })
      const rows = await same(open, [Place, Tile], ({ store }) => {
        const key = [1, 2, 3]
        return [
          () => store('Place').create({ x: 1, y: 2 }),
          () => store('Tile').create({ placeX: 1, placeY: 2, z: 3, nearX: 1, nearY: 2 }),
          () => store('Tile').update(key, { text: 'x', nearX: null, nearY: null }, everything),
          () => store('Tile').update(key, { nearX: 1, nearY: 2 }, everything),
          () => store('Tile').take(key, everything),
        ]
      })
      expect(rows.at(-1)).toMatchObject({ text: 'x', nearX: 1 })
    })

    it('references by another key than the primary one', async () => {
      const Country = defineEntity({
        name: 'Country',
        properties: { id, code: p.string().length(2).unique() },
      })
      const City = defineEntity({
        name: 'City',
        properties: { id, country: () => p.manyToOne(Country).targetKey('code').nullable() },
      })
      const rows = await same(open, [Country, City], ({ source, store }) => {
        const name = source.models
          .find((model) => model.name === 'City')
          ?.fields.find((field) => field.name !== 'id')?.name
        const set = (code: string | null) => () =>
          store('City').update([1], { [String(name)]: code }, everything)
        return [
          () => store('Country').create({ code: 'no' }),
          () => store('Country').create({ code: 'it' }),
          () => store('City').create({ [String(name)]: 'no' }),
          set('it'),
          async () => Reflect.get(Object(await refused(set('xx'))), 'kind'),
          set(null),
        ]
      })
      expect(rows[4]).toBe('missing-reference')
    })

    it('values that are missing or null', async () => {
      const Item = defineEntity({
        name: 'Item',
        properties: { id, code: p.string().length(9), size: p.integer().nullable() },
      })
      const rows = await same(open, [Item], ({ store }) => {
        const refusal = (act: () => unknown) => async () => {
          const error = Object(await refused(act))
          return { kind: error.kind, fields: error.fields }
        }
        return [
          () => store('Item').create({ id: 1, code: 'a' }),
          refusal(() => store('Item').create({ size: 1 })),
          refusal(() => store('Item').create({ code: null })),
          refusal(() => store('Item').update([1], { code: null }, everything)),
        ]
      })
      expect(rows.slice(1)).toEqual(Array(3).fill({ kind: 'not-null', fields: ['code'] }))
    })
  }),
)

it('unique keys with parts of JSON are none', async () => {
  const Thing = defineEntity({
    name: 'Thing',
    properties: { id, owner: () => p.manyToOne(Owner).nullable(), data: p.json().nullable() },
    uniques: [{ properties: ['owner', 'data.x'] as never }],
  })
  expect(modelIn(shopOf(await openSqlite({ entities: [Owner, Thing] })), 'Thing').uniques).toEqual([])
})
