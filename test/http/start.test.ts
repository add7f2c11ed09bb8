import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { ModelRest } from '../../src/entry/fastify.ts'
import { controllerFor, type ModelRestOptions } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { openSqlite } from '../stage/databases.ts'
import { openModels } from './service.ts'
import { startError } from './start-error.ts'

const startWith = async (options: object): Promise<unknown> => {
  const { models, close } = openModels()
  try {
    await new ModelRest(Fastify(), { models, ...options } as ModelRestOptions).init()
    return undefined
  } catch (error) {
    return error
  } finally {
    close()
  }
}

describe('start-up refuses', () => {
  it.each([
    [{ is_async: true }, ['is_async', 'isAsync']],
    [{ settings: { SECRET_KEY: 'only-for-tests' } }, ['SECRET_KEY', 32]],
    [{ modelConfig: { Prodct: {} } }, ['modelConfig', 'Prodct', 'Product']],
    [{ exclude: { app: ['Prodct'] } }, ['exclude.app', 'Prodct', 'Product']],
    [{ paginationType: 'cursr' }, ['paginationType', 'cursr', 'cursor', 'limit-offset', 'page-number']],
    [{ settings: { NINJA_PAGINATION_MAX: 5 } }, ['NINJA_PAGINATION_MAX']],
    [{ modelConfig: { Product: { path: 'notes' } } }, ['Product', 'Note', '/notes', 'modelConfig']],
    [{ modelConfig: { Product: { path: 'docs' } } }, ['Product', '/docs', 'modelConfig']],
  ])('%j', async (options, names) => {
    const error = await startWith(options)
    expect(error).toMatchObject({ name: 'StartError', message: expect.stringMatching(naming(...names)) })
  })

  it('a table that the database does not have', async () => {
    const { models, client, close } = openModels()
    client.exec('drop table notes')
    await expect(new ModelRest(Fastify(), { models }).init()).rejects.toThrow(
      startError(
        'Note',
        'notes',
        'start the server',
        'src/models.ts',
        'migrate:generate',
        "exclude: { app: ['Note'] }",
      ),
    )
    close()
  })

  it('a database file without tables, by the name of the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'modelrest-'))
    const file = join(folder, 'wrong.db')
    const client = new Database(file)
    const models = drizzleModels(drizzle(client), {
      notes: sqliteTable('notes', { id: integer().primaryKey() }),
    })
    await expect(new ModelRest(Fastify(), { models }).init()).rejects.toThrow(
      startError('Note', 'notes', 'wrong.db', 'drizzle-kit push'),
    )
    client.exec('create table notes (other integer)')
    await expect(new ModelRest(Fastify(), { models }).init()).rejects.toThrow(
      startError('Note', 'notes', 'id', 'wrong.db', 'drizzle-kit push'),
    )
    client.close()
    await rm(folder, { recursive: true })
  })

  it('a column that the table of served users does not have, which is named once', async () => {
    const users = sqliteTable('users', {
      id: integer().primaryKey({ autoIncrement: true }),
      ...{ email: text().notNull().unique(), password: text().notNull(), role: text() },
    })
    const { models, close } = openSqlite(
      { users },
      'create table users (id integer primary key autoincrement, email text not null unique, password text not null)',
    )
    onTestFinished(close)
    const settings = { SECRET_KEY: 'x'.repeat(40) }
    const modelConfig = { User: { internal: false } }
    const rest = new ModelRest(Fastify(), { models, auth: true, settings, modelConfig } as never)
    const error = await rest.init().catch((reason: unknown) => reason)
    expect(error).toEqual(startError('users', 'no column role'))
  })

  it('columns that a table does not have', async () => {
    const { models, client, close } = openModels()
    client.exec('drop view live_products; alter table notes drop column body')
    const exclude = { app: ['LiveProduct'] }
    await expect(new ModelRest(Fastify(), { models, exclude }).init()).rejects.toThrow(
      startError('Note', 'notes', 'body', 'migrate:generate'),
    )
    close()
  })

  it('an application that starts before init()', async () => {
    const { models, close } = openModels()
    const forgotten = Fastify()
    new ModelRest(forgotten, { models })
    await expect(forgotten.ready()).rejects.toThrow(startError('ModelRest', 'await rest.init()'))

    const hasty = Fastify()
    const starting = new ModelRest(hasty, { models }).init()
    hasty.ready().then(undefined, () => undefined)
    await expect(starting).rejects.toThrow(startError('await init()', 'ready()'))

    const inPlugin = Fastify()
    inPlugin.register(async (context) => void new ModelRest(context, { models }))
    await expect(inPlugin.inject('/products/')).rejects.toThrow(startError('await rest.init()'))
    close()
  })

  it('no application that registers only its models', async () => {
    const { models, close } = openModels()
    const app = Fastify()
    await new ModelRest(app, { models }).registerAllModels()
    expect(await app.inject('/products/')).toMatchObject({ statusCode: 200 })
    close()
  })

  it('a path that the application serves already', async () => {
    const { models, close } = openModels()
    const app = Fastify()
    await new ModelRest(app, { models }).init()
    await expect(new ModelRest(app, { models }).init()).rejects.toThrow(
      startError('/makers/', 'modelConfig: { Maker'),
    )
    close()
  })

  it('something that is no application', () => {
    const { models, close } = openModels()
    expect(() => new ModelRest({} as never, { models })).toThrow(
      startError('ModelRest', 'Fastify', 'fetchApp'),
    )
    close()
  })
})

describe('starting', () => {
  it('serves one of two fields whose names differ only in style: a key, or the first', async () => {
    const owners = sqliteTable('owners', { id: integer().primaryKey() })
    const logins = sqliteTable('logins', {
      id: integer().primaryKey(),
      createdAt: integer('createdAt'),
      created_at: integer('created_at'),
      owner_id: integer('owner_id'),
      ownerId: integer('ownerId').references(() => owners.id),
    })
    const ddl = `create table owners (id integer primary key);
      create table logins (id integer primary key, createdAt int, created_at int, owner_id int, ownerId int references owners)`
    const { models, close } = openSqlite({ owners, logins }, ddl)
    onTestFinished(close)
    const lines: string[] = []
    const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
    await new ModelRest(app, { models }).init()
    const said = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(said).toContainEqual(expect.stringMatching(naming('Login', 'created_at', 'createdAt')))
    expect(said).toContainEqual(expect.stringMatching(naming('Login', 'owner_id', 'ownerId')))
    const post = (payload: object) => app.inject({ method: 'POST', url: '/logins/', payload })
    expect((await post({ createdAt: 5, ownerId: null })).json()).toEqual({
      id: 1,
      createdAt: 5,
      ownerId: null,
    })
    expect((await post({ created_at: 5 })).json()).toMatchObject({ status: 422, code: 'invalid_body' })
    expect((await app.inject('/logins/?sort=created_at')).statusCode).toBe(400)
    const modelConfig = { Login: { hidden: { created_at: false } } }
    expect(() => new ModelRest(Fastify(), { models, modelConfig })).toThrow(
      startError('created_at', 'createdAt'),
    )
  })

  it('says what is served, what is hidden and what was left out, once', async () => {
    const { models, close } = openModels()
    const lines: string[] = []
    const app = Fastify({
      logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
    })
    const rest = new ModelRest(app, { models })
    await Promise.all([rest.init(), rest.init(), rest.registerAllModels()])
    await rest.init()
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(messages).toEqual([
      expect.stringMatching(naming(5, 34, 'auth: false', 'controllers', '/docs')),
      expect.stringMatching(naming('Maker', 'hidden: { apiSecret: false }')),
    ])
    expect(rest.models.map(({ name }) => name)).toEqual(['Maker', 'Product', 'Shelf', 'Note', 'LiveProduct'])
    expect(rest.operations.map(({ id }) => id)).toContain('listProducts')
    expect(Object.keys(rest.schemas('Product'))).toEqual(['list', 'detail', 'create', 'update', 'replace'])
    expect(() => rest.schemas('Produkt' as never)).toThrow(startError('Produkt', 'Product'))
    expect(rest.openapi().paths).toHaveProperty(['/products/'])
    await rest.close()
    close()
  })

  it('names the models that are open to everyone, to a function and to every user', async () => {
    const { models, close } = openModels()
    const lines: string[] = []
    const app = Fastify({
      logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } },
    })
    const Notes = controllerFor('Note', { permissions: { read: 'public', update: () => false } })
    const Makers = controllerFor('Maker', { scope: () => ({}) })
    await new ModelRest(app, {
      models,
      auth: { authenticate: () => null },
      exclude: { app: ['Shelf'] },
      modelConfig: { Product: { public: true } },
      controllers: [Notes, Makers, controllerFor('LiveProduct', { access: () => ({}) })],
    }).init()
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(messages.slice(0, 2)).toEqual([
      expect.stringMatching(/ for Product, Note \(read\), .*: Note \(update\), /),
      expect.stringMatching(/: Note \(create, delete\)$/),
    ])
    close()
  })

  it('serves in one tick with isAsync: false', async () => {
    const { models, close } = openModels()
    const app = Fastify()
    await new ModelRest(app, { models, isAsync: false }).init()
    expect((await app.inject('/makers/')).json()).toMatchObject({ count: 2 })
    close()
  })

  it('warns where the database cannot be reached', async () => {
    const { models, client, close } = openModels()
    const lines: string[] = []
    const app = Fastify({
      logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } },
    })
    client.close()
    await new ModelRest(app, { models }).init()
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, msg: expect.any(String) }])
    const reply = await app.inject('/makers/')
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5'])
    close()
  })
})
