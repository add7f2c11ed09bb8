import { inspect } from 'node:util'
import { DataTypes, type Model, Op, Sequelize } from 'sequelize'
import { describe, expect, it } from 'vitest'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import { type Condition, everything, SourceError, StartError } from '../../../src/entry/source.ts'
import { naming } from '../../naming.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { onEachDatabase } from './databases.ts'
import { nodeSqlite } from './node-sqlite.ts'
import { all, onPg, onSqlite, openShop, transactionOf } from './shop.ts'

const is = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })

const refusal = async (act: Promise<unknown>): Promise<SourceError> => {
  const error = await act.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SourceError)
  return error as SourceError
}

describe('the given models', () => {
  const opened = () =>
    new Sequelize({ dialect: 'sqlite', dialectModule: nodeSqlite, storage: ':memory:', logging: false })

  it('may have two attributes for one column, which is missed once', async () => {
    const sequelize = opened()
    const options = { underscored: true, timestamps: false }
    const Post = sequelize.define('Post', {}, options)
    const Comment = sequelize.define('Comment', {}, options)
    Post.hasMany(Comment, { as: 'comments' })
    Comment.belongsTo(Post, { as: 'post' })
    await sequelize.query('create table posts (id integer primary key)')
    await sequelize.query('create table comments (id integer primary key)')
    const source = sequelizeModels(sequelize)
    const comment = source.models.find(({ name }) => name === 'Comment')
    expect(comment?.fields.map(({ name }) => name)).toEqual(['id', 'PostId', 'postId'])
    expect(await source.missing?.(source.models)).toMatchObject([{ table: 'comments', columns: ['post_id'] }])
  })

  it('are served once each, with the join tables between them', () => {
    const sequelize = opened()
    const [Pet, Tag, Home] = ['Pet', 'Tag', 'Home'].map((name) => sequelize.define(name, {}))
    if (!Pet || !Tag || !Home) return expect.unreachable()
    Pet.belongsToMany(Tag, { as: 'tags', through: 'PetTag' })
    Tag.belongsToMany(Pet, { as: 'pets', through: 'PetTag' })
    Pet.belongsToMany(Home, { as: 'homes', through: 'PetHome' })
    const given = { Pets: Pet, Pet, Tag, connect: () => 1, PetKind: { Cat: 'cat' }, sequelize }
    const { models } = sequelizeModels(sequelize, given)
    expect(models.map(({ name }) => name)).toEqual(['Pet', 'Tag', 'PetTag'])
    expect(models[0]?.relations.map(({ name }) => name)).toContain('tags')
    const { PetTag } = sequelize.models
    expect(sequelizeModels(sequelize, { Pet, Tag, Link: PetTag }).models.map(({ name }) => name)).toEqual([
      ...['Pet', 'Tag', 'Link'],
    ])
  })

  it.each(['+0200', 'Europe/Berlin', ''])('refuse a zone of MySQL that is no offset: %s', (timezone) => {
    const zoned = new Sequelize({ dialect: 'mysql', timezone, logging: false })
    zoned.define('Pet', {})
    expect(() => sequelizeModels(zoned)).toThrow(StartError)
  })

  it('must be those of the instance', () => {
    const [sequelize, other] = [opened(), opened()]
    expect(() => sequelizeModels(sequelize, { Pet: other.define('Pet', {}) })).toThrow(StartError)
    expect(() => sequelizeModels(sequelize, [] as never)).toThrow(StartError)
    expect(() => sequelizeModels(undefined as never)).toThrow(StartError)
  })
})

onEachDatabase('models of Sequelize', (open) => {
  it('have the names, fields and relations that Sequelize knows', async () => {
    const { source } = await openShop(open)
    const [customer, order] = ['Customer', 'Order'].map((name) =>
      source.models.find((model) => model.name === name),
    )
    expect(customer?.fields.map(({ name }) => name)).not.toContain('label')
    expect(customer?.fields.find(({ name }) => name === 'name')).toMatchObject({ maxLength: 40 })
    expect(customer?.fields.find(({ name }) => name === 'password')).toMatchObject({ access: 'write-only' })
    expect(customer?.uniques).toEqual([['email']])
    expect(customer?.relations.map(({ name }) => name)).toEqual(['purchases'])
    expect(order?.relations.map(({ name }) => name)).toContain('buyer')
    expect(order?.relations.map(({ name }) => name)).toContain('labels')
    expect(order?.fields.find(({ name }) => name === 'total')).toMatchObject({
      kind: 'decimal',
      form: 'number',
    })
    for (const name of ['createdAt', 'updatedAt', 'deletedAt', 'version'])
      expect(order?.fields.find((field) => field.name === name)).toMatchObject({ generated: true })
  })

  it('hide deleted records, also behind relations, and delete as the model says', async () => {
    const { store, Order } = await openShop(open)
    const { id } = await store('Customer').create({ name: 'Ann' })
    const order = await store('Order').create({ customerId: id, total: 5, note: 'x' })
    const bought: Condition = { op: 'related', relation: 'purchases', condition: everything }
    expect(await store('Customer').count(bought, everything)).toBe(1)
    expect(await store('Order').take([order['id']], everything)).toMatchObject({ note: 'x', total: 5 })
    expect(await store('Order').count(everything, everything)).toBe(0)
    expect(await store('Order').count(everything, everything, 5)).toBe(0)
    expect(await store('Customer').count(bought, everything)).toBe(0)
    expect(await store('Order').update([order['id']], { note: 'y' }, everything)).toBeUndefined()
    expect(await store('Order').remove([order['id']], everything)).toBe(false)
    expect(await Order.count({ paranoid: false })).toBe(1)
  })

  it('keep the default scope in reads, writes, counts, relations and sort keys', async () => {
    const { store, Customer } = await openShop(open)
    const other = await Customer.create({ name: 'Bob', tenant: 'b', password: 'secret' })
    const id = other.get('id')
    const order = await store('Order').create({ customerId: id, total: 1 })
    expect(await store('Customer').read([id], everything)).toBeUndefined()
    expect(await store('Customer').count(everything, everything)).toBe(0)
    expect(await store('Customer').count(everything, everything, 9)).toBe(0)
    expect(await store('Customer').update([id], { name: 'x' }, everything)).toBeUndefined()
    expect(await store('Customer').remove([id], everything)).toBe(false)
    const bought: Condition = { op: 'related', relation: 'buyer', condition: everything }
    expect(await store('Order').count(bought, everything)).toBe(0)
    const order1 = [{ field: 'name', direction: 'asc', via: [{ relation: 'buyer' }] }] as const
    const rows = await store('Order').list({ ...all, order: order1 }, everything)
    expect(rows).toMatchObject([{ id: order['id'], 'buyer.name': null }])
    expect((await other.reload({ logging: false }).catch(() => other)).get('name')).toBe('Bob')
  })

  it('say what validators refuse, by field and without values', async () => {
    const { store, source } = await openShop(open)
    const invalid = await refusal(
      Promise.resolve(store('Customer').create({ name: 'Ann', email: 'S3cret-4711' })),
    )
    expect(invalid).toMatchObject({ kind: 'check', fields: ['email'] })
    expect(JSON.stringify(Object.getOwnPropertyNames(invalid.cause))).not.toContain('errors')
    expect(String(invalid.cause)).not.toContain('S3cret')
    const missing = await refusal(Promise.resolve(store('Customer').create({ name: null })))
    expect(missing).toMatchObject({ kind: 'not-null', fields: ['name'] })
    await store('Customer').create({ name: 'Ann', email: 'ann@example.com' })
    const taken = await refusal(
      Promise.resolve(store('Customer').create({ name: 'Bob', email: 'ann@example.com' })),
    )
    expect(taken).toMatchObject({ kind: 'unique', fields: ['email'] })
    expect(source.loggable?.(taken)).not.toHaveProperty('cause.sql')
  })

  it('clean errors of statements that hooks run by themselves', async () => {
    const { source, Customer } = await openShop(open)
    await Customer.create({ name: 'Ann', email: 'S3cret-4711@example.com' })
    const work = source.transaction((inside) =>
      Customer.create(
        { name: 'Bob', email: 'S3cret-4711@example.com' },
        { transaction: transactionOf(inside.db) },
      ),
    )
    const error: unknown = await Promise.resolve(work).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(inspect(source.loggable?.(error), { depth: 9, showHidden: true })).not.toContain('S3cret')
  })

  it('give hooks a transaction that rolls back with the request', async () => {
    const { source, sequelize, Tag } = await openShop(open)
    const own = new Error('own')
    const run = source.transaction(async (inside) => {
      const transaction = transactionOf(inside.db)
      await Tag.create({ name: 'a' }, { transaction })
      await sequelize.transaction({ transaction }, (inner) =>
        Tag.create({ name: 'b' }, { transaction: inner }),
      )
      expect(await Tag.count({ transaction })).toBe(2)
      throw own
    })
    await expect(run).rejects.toBe(own)
    expect(await Tag.count()).toBe(0)
    expect(source.db).toBe(sequelize)
  })

  it('take every text literally, in conditions of reads and writes', async () => {
    const { store, source, Tag } = await openShop(open)
    const texts = [
      ...[
        `'`,
        `"`,
        '`',
        '\\',
        `\\'`,
        `'; drop table "Tags" --`,
        '$1',
        '$sequelize_1',
        '$$',
        'a$1',
        '$$x',
        '$',
      ],
      ...[':name', '?', '::text', '%', '_', '{{1}}', '\n\r\t\b', '\u001a', '\\0024', "\\u0027 or '1'='1"],
    ]
    for (const name of texts) await Tag.create({ name })
    const model = source.models.find((known) => known.name === 'Tag')
    for (const name of texts) {
      expect(await store('Tag').count(is('name', name), everything), name).toBe(1)
      const contained = texts.filter((text) => text.toLowerCase().includes(name.toLowerCase())).length
      const contains: Condition = { op: 'contains', field: 'name', value: name }
      expect(await store('Tag').count(contains, everything, 99), name).toBe(contained)
      const [row] = await store('Tag').list({ ...all, filter: is('name', name) }, everything)
      expect(row).toMatchObject({ name })
      const among: Condition = { op: 'in', field: 'name', values: [name, 'none $1'] }
      expect(await store('Tag').update([row?.['id']], { name }, among), name).toMatchObject({ name })
      const condition = model && source.conditionOf?.(model, is('name', name))
      const replaced = { where: condition as never, replacements: { name: 'x' } }
      expect(await Tag.count(replaced), name).toBe(1)
    }
    for (const name of texts) {
      const [row] = await store('Tag').list({ ...all, filter: is('name', name) }, everything)
      expect(await store('Tag').remove([row?.['id']], is('name', name)), name).toBe(true)
    }
    expect(await Tag.count()).toBe(0)
  })
})

onPostgres('connections of Sequelize', () =>
  describe('the connections of Sequelize', () => {
    it('that break make a transaction fail, and are replaced', async () => {
      const { source, store, sequelize } = await openShop(onPg)
      const broken = await refusal(
        Promise.resolve(
          source.transaction(async (inside) => {
            const transaction = transactionOf(inside.db)
            const [rows] = await sequelize.query('select pg_backend_pid() as pid', { transaction })
            const pid = Number(Reflect.get(Object(rows[0]), 'pid'))
            await sequelize.query(`select pg_terminate_backend(${pid})`)
            const [tag] = source.models.filter(({ name }) => name === 'Tag')
            return tag && inside.store(tag).create({ name: 'lost' })
          }),
        ),
      )
      expect(broken.kind).toBe('unavailable')
      expect(await store('Tag').count(everything, everything)).toBe(0)
      await source.ping()
    })

    it('that are all in use make statements unavailable', async () => {
      const { source, store } = await openShop(onPg, { pool: { max: 1, acquire: 1_000 } })
      await source.transaction(async () => {
        expect((await refusal(Promise.resolve(store('Tag').create({ name: 'a' })))).kind).toBe('unavailable')
        expect((await refusal(Promise.resolve(source.ping()))).kind).toBe('unavailable')
      })
    })

    it('run transactions that conflict, which are contended', async () => {
      const { source, store } = await openShop(onPg, { isolationLevel: 'SERIALIZABLE' as never })
      const [tag] = source.models.filter(({ name }) => name === 'Tag')
      if (tag === undefined) throw new Error('no model')
      const both = Array.from({ length: 2 }, (_, at) =>
        source.transaction(async (inside) => {
          await inside.store(tag).count(everything, everything)
          await inside.store(tag).create({ name: `${at}` })
        }),
      )
      const ended = await Promise.allSettled(both)
      const [lost] = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as SourceError] : []))
      expect(lost === undefined ? 2 : 1).toBe(await store('Tag').count(everything, everything))
      expect(lost?.kind ?? 'contended').toBe('contended')
    })
  }),
)

describe('sequelizeModels', () => {
  it('works with options that change what Sequelize returns', async () => {
    const { store, Order } = await openShop(onSqlite, { query: { raw: true } })
    Order.addHook('beforeUpdate', () => undefined)
    const { id } = await store('Order').create({ note: 'a', total: 1 })
    expect(await store('Order').update([id], { note: 'b' }, everything)).toMatchObject({
      note: 'b',
      total: 1,
    })
    expect(await store('Order').take([id], everything)).toMatchObject({ note: 'b' })
  })

  it.each([
    ['a version', {}, { version: true }],
    ['a validator of the whole record', {}, { validate: { isShort(this: object) {} } }],
    ['a validator that is a function', { validate: { isShort() {} } }, {}],
    [
      'a setter',
      {
        set(this: Model, value: unknown) {
          this.setDataValue('name' as never, `${value}!` as never)
        },
      },
      {},
    ],
  ])('updates instances of models with %s', async (_what, attribute, options) => {
    const { sequelize } = await openShop()
    const Part = sequelize.define('Part', { name: { type: DataTypes.STRING, ...attribute } }, options)
    await sequelize.sync()
    const source = sequelizeModels(sequelize, { Part })
    const [model] = source.models
    if (model === undefined) throw new Error('no model')
    const { id } = await source.store(model).create({ name: 'a' })
    const bulk: unknown[] = []
    Part.addHook('beforeBulkUpdate', (update) => void bulk.push(update))
    const updated = await source.store(model).update([id], { name: 'b' }, everything)
    expect(updated?.['name']).toMatch(/^b!?$/)
    expect(updated?.['version'] ?? 1).toBe(1)
    expect(bulk).toEqual([])
  })

  it('takes some models by other names', async () => {
    const { sequelize, Customer, Tag } = await openShop()
    const { models } = sequelizeModels(sequelize, { Buyer: Customer, Tag, other: 1 })
    expect(models.map(({ name }) => name)).toEqual(['Buyer', 'Tag'])
  })

  it.each([
    ['limit', { limit: 1 }],
    ['a required include', { include: [{ association: 'orders', required: true }] }],
    ['a bind parameter', { where: { name: '$1' } }],
    ['a column of an include', { where: { '$owner.name$': 'x' } }],
  ])('refuses a default scope with %s', async (_what, defaultScope) => {
    const { sequelize } = await openShop()
    sequelize.define('Limited', { name: 'text' }, { defaultScope })
    expect(() => sequelizeModels(sequelize)).toThrow('Limited')
  })

  it('refuses all default scopes at once, and none whose include limits nothing', async () => {
    const { sequelize } = await openShop()
    const define = (name: string, key: object, include: object, limit?: number) => {
      const Owner = sequelize.models['Owner'] ?? sequelize.define('Owner', { name: 'text' })
      const defaultScope = { include: [{ association: 'owner', required: true, ...include }] }
      const scope = limit === undefined ? defaultScope : { ...defaultScope, limit }
      const Part = sequelize.define(name, {}, { defaultScope: scope })
      Part.belongsTo(Owner, { as: 'owner', foreignKey: { name: 'ownerId', ...key } })
    }
    define('share', { allowNull: false }, {})
    const { models } = sequelizeModels(sequelize, sequelize.models)
    expect(models.map(({ name }) => name)).toContain('Share')
    define('nullable', { allowNull: true }, {})
    define('filtered', { allowNull: false }, { where: { name: 'x' } })
    define('counted', { allowNull: false }, {}, 3)
    const start = (): unknown => sequelizeModels(sequelize)
    expect(start).toThrow(naming('Nullable', 'Filtered', 'Counted', 'limit', 'include'))
    expect(start).not.toThrow('Share')
    const { nullable: _a, filtered: _b, counted: _c, ...rest } = sequelize.models
    expect(() => sequelizeModels(sequelize, rest)).not.toThrow()
  })

  it('keeps a default scope with operators beside the conditions of a request', async () => {
    const { sequelize } = await openShop()
    const Part = sequelize.define(
      'Part',
      { name: 'varchar(20)', size: { type: 'integer', field: 'part_size' } },
      { timestamps: false, defaultScope: { where: { [Op.and]: [{ size: { [Op.gt]: 3 } }, { name: 'a' }] } } },
    )
    await sequelize.sync()
    await Part.bulkCreate([
      { name: 'a', size: 5 },
      { name: 'a', size: 1 },
      { name: 'b', size: 5 },
    ])
    const source = sequelizeModels(sequelize, { Part })
    const [model] = source.models
    if (model === undefined) throw new Error('no model')
    const named = is('id', 2)
    expect(await source.store(model).count(everything, everything)).toBe(1)
    expect(await source.store(model).count(named, everything, 9)).toBe(0)
    expect(await source.store(model).update([2], { name: 'z' }, everything)).toBeUndefined()
  })

  it('refuses zones of MySQL whose clocks change, other dialects, and unknown options', async () => {
    const { sequelize } = await openShop()
    expect(() => sequelizeModels(sequelize, undefined, { shared: true } as never)).toThrow('shared')
    expect(() => sequelizeModels(sequelize, { Nope: class {} })).toThrow('Nope')
  })
})
