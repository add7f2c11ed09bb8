import { relations } from 'drizzle-orm'
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { controllerFor, type ModelRestOptions } from '../../src/index.ts'
import { openSqlite } from '../stage/databases.ts'
import { serveModels } from '../stage/serve-models.ts'

const authors = sqliteTable('authors', {
  id: integer().primaryKey(),
  code: text().notNull().unique(),
  team: integer().notNull(),
})
const books = sqliteTable('books', {
  id: integer().primaryKey(),
  authorCode: text('author_code').notNull(),
  editorId: integer('editor_id'),
})
const readers = sqliteTable(
  'readers',
  { bookId: integer('book_id').default(1), authorId: integer('author_id').default(1) },
  (table) => [primaryKey({ columns: [table.bookId, table.authorId] })],
)
const tables = { authors, books, readers }
const declared = {
  ...tables,
  booksRelations: relations(books, ({ one }) => ({
    author: one(authors, { fields: [books.authorCode], references: [authors.code] }),
    editor: one(authors, { fields: [books.editorId], references: [authors.id], relationName: 'editor' }),
  })),
  readersRelations: relations(readers, ({ one }) => ({
    book: one(books, { fields: [readers.bookId], references: [books.id] }),
    author: one(authors, { fields: [readers.authorId], references: [authors.id] }),
  })),
}

const ddl = `
  create table authors (id integer primary key, code text not null unique, team integer not null);
  create table books (id integer primary key, author_code text not null, editor_id integer);
  create table readers (book_id integer default 1, author_id integer default 1, primary key (book_id, author_id));
  insert into authors values (1, 'ada', 1), (2, 'bob', 2);
  insert into books values (1, 'ada', 1), (2, 'bob', 9), (3, 'gone', null)`

const start = (given: object, options: Partial<ModelRestOptions> = {}) =>
  serveModels(openSqlite({ ...given }, ddl), options)

const idsIn = (body: unknown): readonly number[] =>
  (body as { readonly items: readonly { readonly id: number }[] }).items.map(({ id }) => id)

describe('relations() without a foreign key', () => {
  it('change neither the conditions on fields, nor bodies, nor what documents say of them', async () => {
    const [plain, related] = [await start(tables), await start(declared)]
    for (const { send, rest } of [plain, related]) {
      expect(idsIn((await send('GET', '/books?authorCode=o'))[1])).toEqual([2, 3])
      expect((await send('POST', '/books', { authorCode: 'nobody', editorId: 77 }))[0]).toBe(201)
      expect((await send('PATCH', '/books/1', { authorCode: 'nobody' }))[0]).toBe(200)
      expect((await send('DELETE', '/authors/1'))[0]).toBe(204)
      expect(rest.models.map(({ name }) => name)).toEqual(['Author', 'Book', 'Reader'])
    }
    const writesOf = ({ rest }: typeof plain) => {
      const { paths, components } = rest.openapi()
      const schemas = Object.entries(components.schemas).filter(([name]) =>
        /^(Author|Book|Reader)[CRU][a-z]+$/.test(name),
      )
      const described = ['/authors/', '/books/', '/readers/'].map(
        (path) => paths[path]?.['post']?.description,
      )
      return { schemas: Object.fromEntries(schemas), described }
    }
    expect(Object.keys(writesOf(plain).schemas).length).toBeGreaterThan(3)
    expect(writesOf(related)).toEqual(writesOf(plain))
  })

  it('can be used by scopes, which then bind references like foreign keys', async () => {
    const { send } = await start(declared, {
      controllers: [
        controllerFor('Author', { scope: () => ({ team: 1 }) }),
        controllerFor('Book', { scope: () => ({ author: { team: 1 } }) }),
      ],
    })
    expect(idsIn((await send('GET', '/books'))[1])).toEqual([1])
    expect((await send('PATCH', '/books/1', { editorId: 1 }))[0]).toBe(200)
    expect((await send('PATCH', '/books/1', { editorId: null }))[0]).toBe(200)
    for (const editorId of [2, 9]) expect((await send('PATCH', '/books/1', { editorId }))[0]).toBe(422)
    expect((await send('POST', '/books', { authorCode: 'bob' }))[0]).toBe(422)
    expect((await send('POST', '/books', { authorCode: 'ada' }))[0]).toBe(201)
  })
})
