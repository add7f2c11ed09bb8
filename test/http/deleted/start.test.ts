import { integer, primaryKey, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'
import { DataTypes, Sequelize } from 'sequelize'
import { DataSource, EntitySchema } from 'typeorm'
import { describe, expect, it } from 'vitest'
import { sequelizeModels } from '../../../src/entry/sequelize.ts'
import { typeormModels } from '../../../src/entry/typeorm.ts'
import { controllerFor, type ModelSource } from '../../../src/index.ts'
import { nodeSqlite } from '../../source/sequelize/node-sqlite.ts'
import { openSqlite } from '../../stage/databases.ts'
import { serveModels } from '../../stage/serve-models.ts'
import { startError } from '../start-error.ts'
import { onSqlite } from './stage.ts'
import { library } from './tables.ts'

const notes = sqliteTable('notes', {
  id: integer().primaryKey(),
  text: text(),
  gone: integer({ mode: 'boolean' }),
  gone_at: integer({ mode: 'timestamp' }),
  removed_at: integer({ mode: 'timestamp' }).notNull(),
  made_at: integer({ mode: 'timestamp' }).default(new Date(0)),
})
const keys = sqliteTable('stamps', { at: integer({ mode: 'timestamp' }).primaryKey() })
const seen = sqliteView('seen', {
  id: integer().primaryKey(),
  gone_at: integer({ mode: 'timestamp' }),
}).existing()

const ddl = `create table notes (id integer primary key, text text, gone integer, gone_at integer, removed_at integer not null, made_at integer);
create table stamps (at integer primary key); create view seen as select id, gone_at from notes`

const start = (modelConfig: object, options: object = {}) =>
  serveModels(openSqlite({ notes, stamps: keys, seen }, ddl), { modelConfig, ...options })

describe('softDelete is refused at start', () => {
  it.each<[string, object, readonly string[]]>([
    ['with an unknown field', { Note: { softDelete: 'gone_a' } }, ['Note.softDelete', 'gone_a', 'gone_at']],
    ['with a text', { Note: { softDelete: 'text' } }, ['Note.softDelete', 'text']],
    ['with a boolean', { Note: { softDelete: 'gone' } }, ['Note.softDelete', 'gone', 'boolean', 'timestamp']],
    ['with a column that is never null', { Note: { softDelete: 'removed_at' } }, ['removed_at', 'null']],
    ['with a default', { Note: { softDelete: 'made_at' } }, ['made_at', 'default']],
    ['with a key', { Stamp: { softDelete: 'at' } }, ['Stamp.softDelete', 'at', 'key']],
    ['for a view', { Seen: { softDelete: 'gone_at' } }, ['Seen.softDelete', 'Seen', 'view']],
    ['without a name', { Note: { softDelete: true } }, ['Note.softDelete', 'deleted_at']],
    [
      'with a column that clients write',
      { Note: { softDelete: 'gone_at', readOnly: { gone_at: false } } },
      ['Note.readOnly', 'gone_at', 'softDelete'],
    ],
    [
      'with a column that clients only write',
      { Note: { softDelete: 'gone_at', writeOnly: ['gone_at'] } },
      ['Note.writeOnly', 'gone_at', 'softDelete'],
    ],
  ])('%s', async (_what, modelConfig, names) => {
    await expect(start(modelConfig)).rejects.toThrow(startError(...names))
  })

  it('with the column that an ORM sets itself', async () => {
    const instance = new Sequelize({
      dialect: 'sqlite',
      dialectModule: nodeSqlite,
      storage: ':memory:',
      logging: false,
    })
    instance.define('Task', { title: DataTypes.TEXT }, { paranoid: true })
    const Task = new EntitySchema({
      name: 'Task',
      columns: {
        id: { type: 'int', primary: true, generated: 'increment' },
        deletedAt: { type: 'datetime', deleteDate: true },
      },
    })
    const dataSource = new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [Task],
      synchronize: true,
    })
    await dataSource.initialize()
    const serve = (models: ModelSource, end: () => Promise<void>) =>
      serveModels(
        { models, execute: async () => undefined, rows: async () => [], close: end },
        { modelConfig: { Task: { softDelete: 'deletedAt' } } },
      )
    const names = ['Task.softDelete', 'deletedAt', 'ORM']
    await expect(serve(sequelizeModels(instance), () => instance.close())).rejects.toThrow(
      startError(...names),
    )
    await expect(serve(typeormModels(dataSource), () => dataSource.destroy())).rejects.toThrow(
      startError(...names),
    )
  })

  it('with a relation that is written through a join table whose records stay', async () => {
    const database = openSqlite(
      { ...library.sqlite.tables, bookTags: sqliteLinks },
      library.sqlite.ddl.replace('tag_id integer not null,', 'tag_id integer not null, gone_at integer,'),
    )
    const modelConfig = { BookTag: { softDelete: 'gone_at' }, Book: { write: ['tags'] } }
    await expect(serveModels(database, { modelConfig })).rejects.toThrow(
      startError('Book.write', 'tags', 'BookTag', 'softDelete'),
    )
  })
})

const sqliteLinks = sqliteTable(
  'book_tags',
  {
    book_id: integer().references(() => library.sqlite.tables['books']?.['id' as never] as never),
    tag_id: integer().references(() => library.sqlite.tables['tags']?.['id' as never] as never),
    gone_at: integer({ mode: 'timestamp' }),
  },
  (table) => [primaryKey({ columns: [table.book_id, table.tag_id] })],
)

describe('permissions.deleted is refused at start', () => {
  it('for a model without softDelete', async () => {
    const controllers = [controllerFor('Note', { permissions: { deleted: 'public' } })]
    await expect(start({}, { controllers })).rejects.toThrow(
      startError('permissions.deleted', 'Note', 'softDelete'),
    )
  })

  it("with 'authenticated' for an application without authentication", async () => {
    const hooks = { Book: { permissions: { deleted: 'authenticated' } } }
    await expect(onSqlite({ parts: hooks as never })).rejects.toThrow(
      startError('permissions.deleted', 'auth'),
    )
  })
})

it('an action cannot have the path of restore', async () => {
  const actions = { restore: { on: 'record', run: () => undefined } }
  await expect(onSqlite({ parts: { Book: { actions } as never } })).rejects.toThrow(
    startError('actions.restore'),
  )
})

it('a relation cannot have the path of restore', async () => {
  const modelConfig = { Shelf: { relations: { books: 'restore' } } } as never
  await expect(onSqlite({ modelConfig })).rejects.toThrow(startError('Shelf.softDelete', 'restore'))
})

it('the document describes the parameter and restore only for models with softDelete', async () => {
  const { send } = await onSqlite()
  const paths = (await send('GET', '/openapi.json')).json['paths'] as Readonly<
    Record<string, Readonly<Record<string, { readonly parameters: readonly object[] }>>>
  >
  const deleted = { $ref: '#/components/parameters/Deleted' }
  const parametersOf = (path: string) => paths[path]?.['get']?.parameters
  for (const path of ['/books/', '/books/{id}', '/shelves/{id}/books/'])
    expect(parametersOf(path)).toContainEqual(deleted)
  for (const path of ['/reviews/', '/reviews/{id}', '/books/aggregate', '/books/{id}/reviews/'])
    expect(parametersOf(path)).not.toContainEqual(deleted)
  expect(paths['/books/{id}/restore']?.['post']).toMatchObject({ operationId: 'restoreBook' })
  const { description } = Object(paths['/books/{id}']?.['delete'])['responses']['409']
  expect(description).not.toContain('still_referenced')
  expect(Object.keys(paths).filter((path) => path.endsWith('/restore'))).toHaveLength(3)
})

it('without the operation delete, clients cannot restore', async () => {
  const { send } = await onSqlite({ modelConfig: { Book: { operations: ['list', 'read'] } } })
  expect((await send('POST', '/books/1/restore')).status).toBe(404)
})

it('a deleted record of a join table links nothing', async () => {
  const database = openSqlite(
    { ...library.sqlite.tables, bookTags: sqliteLinks },
    library.sqlite.ddl.replace('tag_id integer not null,', 'tag_id integer not null, gone_at integer,'),
  )
  const { send } = await serveModels(database, { modelConfig: { BookTag: { softDelete: 'gone_at' } } })
  expect((await send('DELETE', '/book-tags/1,1'))[0]).toBe(204)
  const [, included] = await send('GET', '/books/1?include=tags')
  expect(included).toMatchObject({ tags: [{ name: 'blue' }] })
  expect(await send('GET', '/books/?q=tags.name=red')).toMatchObject([200, { items: [] }])
})
