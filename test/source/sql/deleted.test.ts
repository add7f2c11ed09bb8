import { DataTypes, Sequelize } from 'sequelize'
import { expect, it, onTestFinished } from 'vitest'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import { everything, type RecordStore } from '../../../src/entry/source.ts'
import { nodeSqlite } from '../sequelize/node-sqlite.ts'

const opened = async () => {
  const sequelize = new Sequelize({
    ...{ dialect: 'sqlite', dialectModule: nodeSqlite, storage: ':memory:', logging: false },
  })
  const name = { type: DataTypes.STRING }
  const Author = sequelize.define('Author', { name }, { paranoid: true })
  const Book = sequelize.define('Book', { name })
  const Tag = sequelize.define('Tag', { name }, { paranoid: true })
  const BookTag = sequelize.define('BookTag', {}, { paranoid: true })
  Book.belongsTo(Author, { as: 'author', foreignKey: 'authorId' })
  Book.belongsToMany(Tag, { as: 'tags', through: BookTag, foreignKey: 'bookId' })
  Tag.belongsToMany(Book, { as: 'books', through: BookTag, foreignKey: 'tagId' })
  await sequelize.sync()
  onTestFinished(() => sequelize.close())
  const source = sequelizeModels(sequelize)
  const store = (model: string): RecordStore => {
    const found = source.models.find((each) => each.name === model)
    return found === undefined ? expect.fail(`No ${model}.`) : source.store(found)
  }
  const author = await Author.create({ name: 'a' })
  const book = await Book.create({ name: 'b', authorId: author.get('id') })
  const tag = await Tag.create({ name: 't' })
  const link = await BookTag.create({ bookId: book.get('id'), tagId: tag.get('id') })
  return { store, author, tag, link }
}

const tagged = { op: 'related', relation: 'tags', condition: everything } as const

it('records that are deleted softly are not found through a join table', async () => {
  const { store, tag } = await opened()
  expect(await store('Book').count(tagged, everything)).toBe(1)
  await tag.destroy()
  expect(await store('Book').count(tagged, everything)).toBe(0)
})

it('rows of a join table that are deleted softly join nothing', async () => {
  const { store, link } = await opened()
  await link.destroy()
  expect(await store('Book').count(tagged, everything)).toBe(0)
})

it('records that are deleted softly give no sort value', async () => {
  const { store, author } = await opened()
  const order = [{ field: 'name', direction: 'asc', via: [{ relation: 'author' }] }] as const
  const list = () => store('Book').list({ filter: everything, order, limit: 9, offset: 0 }, everything)
  expect(await list()).toMatchObject([{ 'author.name': 'a' }])
  await author.destroy()
  expect(await list()).toMatchObject([{ 'author.name': null }])
})
