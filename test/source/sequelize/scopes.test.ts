import { DataTypes, Op, QueryTypes } from 'sequelize'
import { expect, it } from 'vitest'
import { type Condition, everything, type ModelSource } from '../../../src/entry/source.ts'
import { naming } from '../../naming.ts'
import { onEachDatabase, openModels } from './databases.ts'
import { all, onSqlite, openShop } from './shop.ts'

const eq = (field: string, value: unknown): Condition => ({ op: 'eq', field, value })

const plain = { timestamps: false }
const text = DataTypes.STRING(50)

const relationsOf = (source: ModelSource, name: string): readonly string[] | undefined =>
  source.models.find((model) => model.name === name)?.relations.map((relation) => relation.name)

onEachDatabase('scopes', (open) => {
  it('do not hide a record from the request that moves it out of the default scope', async () => {
    const { store } = await openShop(open)
    const customers = store('Customer')
    expect(await customers.create({ name: 'Bob', tenant: 'b' })).toMatchObject({ name: 'Bob', tenant: 'b' })
    const { id } = await customers.create({ name: 'Ann' })
    expect(await customers.update([id], { tenant: 'b' }, everything)).toMatchObject({ id, tenant: 'b' })
    expect(await customers.read([id], everything)).toBeUndefined()
  })

  it('leave records that they hide out of estimates', async () => {
    const { store, sequelize, Customer } = await openShop(open)
    const customers = Array.from({ length: 50 }, (_, at) => ({ name: 'x', tenant: at === 0 ? 'a' : 'b' }))
    await Customer.bulkCreate(customers)
    const analyze: Readonly<Record<string, string>> = {
      mysql: 'analyze table customers',
      mariadb: 'analyze table customers persistent for all',
    }
    const statement = analyze[sequelize.getDialect()] ?? 'analyze'
    await sequelize.query(statement, { raw: true, type: QueryTypes.SELECT })
    expect((await store('Customer').estimate?.(everything)) ?? 0).toBeLessThan(40)
  })

  it('of paranoid models respect a default of the date of deletion', async () => {
    const { store } = await openModels(await open(), (sequelize) => {
      const never = new Date('1970-01-02T00:00:00.000Z')
      const Book = sequelize.define(
        'Book',
        { name: text, deletedAt: { type: DataTypes.DATE, defaultValue: never } },
        { paranoid: true },
      )
      const Shelf = sequelize.define('Shelf', { name: text }, plain)
      Book.belongsTo(Shelf, { as: 'shelf', foreignKey: 'shelfId' })
      Shelf.hasMany(Book, { as: 'books', foreignKey: 'shelfId' })
    })
    const { id: shelfId } = await store('Shelf').create({ name: 'a' })
    const { id } = await store('Book').create({ name: 'b', shelfId })
    const filled: Condition = { op: 'related', relation: 'books', condition: everything }
    expect(await store('Book').count(everything, everything, 9)).toBe(1)
    expect(await store('Shelf').count(filled, everything)).toBe(1)
    expect(await store('Book').remove([id], everything)).toBe(true)
    expect(await store('Book').count(everything, everything, 9)).toBe(0)
    expect(await store('Shelf').count(filled, everything)).toBe(0)
  })

  it('hold for names of columns that are those of other attributes', async () => {
    const { store } = await openModels(await open(), (sequelize) =>
      sequelize.define(
        'Thing',
        { one: { type: text, field: 'two' }, two: { type: text, field: 'one', unique: true }, c0: text },
        { ...plain, defaultScope: { where: { one: { [Op.ne]: 'hidden' } } } },
      ),
    )
    const things = store('Thing')
    const { id } = await things.create({ one: '1', two: '2', c0: 'c' })
    await things.create({ one: 'hidden', two: 'other' })
    const order = [{ field: 'c0', direction: 'asc' }] as const
    expect(await things.list({ ...all, order }, everything)).toEqual([{ id, one: '1', two: '2', c0: 'c' }])
    expect(await things.update([id], { c0: 'd' }, eq('two', '1'))).toBeUndefined()
    expect(await things.update([id], { c0: 'd' }, eq('two', '2'))).toMatchObject({ c0: 'd' })
    const twice = (async () => things.create({ one: 'x', two: '2' }))()
    await expect(twice).rejects.toMatchObject({ kind: 'unique', fields: ['two'] })
  })
})

it('associations with a scope do not become relations with all records', async () => {
  const { source } = await openModels(await onSqlite(), (sequelize) => {
    const Post = sequelize.define('Post', { title: text }, plain)
    const Image = sequelize.define('Image', { url: text }, plain)
    const Comment = sequelize.define('Comment', { ownerId: DataTypes.INTEGER, ownerType: text }, plain)
    for (const [Owner, ownerType] of [
      [Post, 'post'],
      [Image, 'image'],
    ] as const) {
      const owned = { foreignKey: 'ownerId', constraints: false }
      Owner.hasMany(Comment, { ...owned, as: 'comments', scope: { ownerType } })
      Comment.belongsTo(Owner, { ...owned, as: ownerType })
    }
  })
  for (const name of ['Post', 'Image', 'Comment']) expect(relationsOf(source, name)).toEqual([])
  expect(source.notes).toEqual([expect.stringMatching(naming('Post.comments', 'Image.comments', 'scope'))])
})

it('associations with a scope beside one without leave that one', async () => {
  const { source } = await openModels(await onSqlite(), (sequelize) => {
    const User = sequelize.define('User', { name: text }, plain)
    const Post = sequelize.define('Post', { isPublished: DataTypes.BOOLEAN }, plain)
    User.hasMany(Post, { as: 'published', foreignKey: 'userId', scope: { isPublished: true } })
    User.hasMany(Post, { as: 'posts', foreignKey: 'userId' })
    Post.belongsTo(User, { as: 'user', foreignKey: 'userId' })
  })
  expect(relationsOf(source, 'User')).toEqual(['posts'])
  expect(relationsOf(source, 'Post')).toEqual(['user'])
  expect(source.notes?.filter((note) => note.startsWith('User.published '))).toHaveLength(1)
})

it('relations across a join table with a scope are left out', async () => {
  const { source } = await openModels(await onSqlite(), (sequelize) => {
    const Post = sequelize.define('Post', { title: text }, plain)
    const Tag = sequelize.define('Tag', { name: text }, plain)
    const Tagging = sequelize.define('Tagging', { type: text }, plain)
    const through = { model: Tagging, scope: { type: 'post' }, unique: false }
    Post.belongsToMany(Tag, { as: 'tags', through, foreignKey: 'postId', otherKey: 'tagId' })
    Tag.belongsToMany(Post, { as: 'posts', through: Tagging, foreignKey: 'tagId', otherKey: 'postId' })
  })
  expect(relationsOf(source, 'Post')).toEqual([])
  expect(relationsOf(source, 'Tag')).not.toContain('posts')
})
