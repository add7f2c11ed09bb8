import { pgSchema, serial } from 'drizzle-orm/pg-core'
import { integer, numeric, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { controllerFor, type ModelRestOptions } from '../../src/index.ts'
import { describeTables } from '../../src/source/drizzle/describe.ts'
import { naming } from '../naming.ts'
import { openSqlite } from '../stage/databases.ts'
import { serveModels } from '../stage/serve-models.ts'
import { startError } from './start-error.ts'

const owners = sqliteTable('owners', { id: integer().primaryKey(), name: text().notNull() })
const parcels = sqliteTable('parcels', {
  id: integer().primaryKey(),
  label: text().notNull(),
  ownerId: integer('owner_id').references(() => owners.id),
})
const sessions = sqliteTable('sessions', { id: integer().primaryKey(), token: text() })
const drizzleMigrations = sqliteTable('__drizzle_migrations', {
  id: integer().primaryKey(),
  hash: text().notNull(),
  createdAt: numeric('created_at'),
})

const ddl = `
  create table owners (id integer primary key, name text not null);
  create table parcels (id integer primary key, label text not null, owner_id integer references owners (id));
  create table sessions (id integer primary key, token text);
  create table __drizzle_migrations (id integer primary key, hash text not null, created_at numeric);
  insert into owners values (1, 'Ada'), (2, 'Bob');
  insert into parcels values (1, 'of Ada', 1), (2, 'of Bob', 2)`

describe('models that are not served', () => {
  const start = (options: Partial<ModelRestOptions> = {}) =>
    serveModels(
      openSqlite({ auth: { sessions }, shop: { owners, parcels, drizzleMigrations } }, ddl),
      options,
    )

  it('are those of the app auth, and tables of migrations, and the log says so', async () => {
    const { rest, lines, send } = await start()
    expect(rest.models.map(({ name }) => name)).toEqual(['Owner', 'Parcel'])
    for (const name of ['auth.Session', 'shop.DrizzleMigration'])
      expect(lines.filter((line) => line.includes(name))).toHaveLength(1)
    expect(lines.filter((line) => line.includes('DrizzleMigration: { internal: false }'))).toEqual([])
    expect(lines.filter((line) => line.includes('Session: { internal: false }'))).toHaveLength(1)
    expect((await send('GET', '/sessions'))[0]).toBe(404)
    expect(Object.keys(rest.openapi().paths ?? {}).join()).not.toMatch(/session|migration/)
  })

  it('show how to serve the user model, but not what the application has left out itself', async () => {
    const users = sqliteTable('users', { id: integer().primaryKey(), email: text(), password: text() })
    const table = 'create table users (id integer primary key, email text, password text);'
    const { lines } = await serveModels(openSqlite({ shop: { users, parcels, owners } }, table + ddl), {
      modelConfig: { Owner: { internal: true } },
    })
    expect(lines.filter((line) => line.startsWith('internal'))).toEqual([
      expect.stringMatching(naming('shop.User', 'shop.Owner', 'modelConfig: { User: { internal: false } }')),
    ])
    const { lines: chosen } = await start({
      exclude: { auth: null },
      modelConfig: { Owner: { internal: true }, DrizzleMigration: { internal: false } },
    })
    expect(chosen.filter((line) => line.startsWith('internal'))).toEqual([
      expect.not.stringContaining('internal: false'),
    ])
  })

  it('are served where the application asks for them', async () => {
    const { lines, send } = await start({
      exclude: { auth: null },
      modelConfig: { DrizzleMigration: { internal: false } },
    })
    expect(lines.join()).not.toMatch(/auth\.Session|shop\.DrizzleMigration/)
    expect(await send('GET', '/sessions')).toEqual([200, { items: [], count: 0, count_exact: true }])
    expect((await send('GET', '/drizzle-migrations'))[0]).toBe(200)
  })

  it('are known as migrations in any schema, by the name of their table alone', () => {
    const migrations = pgSchema('drizzle').table('__drizzle_migrations', { id: serial().primaryKey() })
    const other = pgSchema('drizzle').table('migrations', { id: serial().primaryKey() })
    const { tables } = describeTables({ app: { migrations, other } })
    expect(tables.map(({ model }) => [model.name, model.internal])).toEqual([
      ['Migration', true],
      ['Other', undefined],
    ])
  })

  it.each<[string, Omit<ModelRestOptions, 'models'>]>([
    ['exclude', { exclude: { shop: ['Owner'] } }],
    ['modelConfig', { modelConfig: { Owner: { internal: true } } }],
  ])('stay what foreign keys and scopes refer to, left out by %s', async (_how, options) => {
    const { send } = await start({
      ...options,
      controllers: [controllerFor('Parcel', { scope: () => ({ owner: { name: 'Ada' } }) })],
    })
    expect((await send('GET', '/owners/1'))[0]).toBe(404)
    expect(await send('GET', '/parcels')).toMatchObject([200, { items: [{ id: 1, ownerId: 1 }], count: 1 }])
    expect((await send('GET', '/parcels/2'))[0]).toBe(404)
    expect((await send('POST', '/parcels', { label: 'x', ownerId: 1 }))[0]).toBe(201)
    expect((await send('POST', '/parcels', { label: 'x', ownerId: 2 }))[0]).toBe(403)
    expect(await send('POST', '/parcels', { label: 'x', ownerId: 9 })).toMatchObject([
      422,
      { errors: [{ pointer: '/ownerId', code: 'missing_reference' }] },
    ])
    expect(await send('GET', '/parcels?q=ownerId=1')).toMatchObject([200, { count: 2 }])
  })

  it('cannot have a controller, whose hooks would never run', async () => {
    await expect(start({ controllers: [controllerFor('Session', {})] })).rejects.toThrow(
      startError('Session', 'internal', 'exclude'),
    )
  })
})

describe('names that suggest secrets', () => {
  const verifications = sqliteTable('verifications', { id: integer().primaryKey(), value: text() })
  const accounts = sqliteTable('accounts', {
    id: integer().primaryKey(),
    name: text(),
    pash: text(),
    access_code: text(),
    zip_code: text(),
  })
  const start = (options: Partial<ModelRestOptions> = {}) =>
    serveModels(
      openSqlite(
        { app: { verifications, accounts } },
        `create table verifications (id integer primary key, value text);
         insert into verifications values (1, '123456');
         create table accounts (id integer primary key, name text, pash text, access_code text, zip_code text);
         insert into accounts values (1, 'Ada', '$2b$', 'sesame', '8000')`,
      ),
      options,
    )

  it('close fields, with a line for each model that shows how to open them', async () => {
    const { lines, send } = await start()
    expect(await send('GET', '/accounts/1')).toEqual([200, { id: 1, name: 'Ada', zip_code: '8000' }])
    expect(lines.filter((line) => naming('Account', 'pash', 'access_code').test(line))).toHaveLength(1)
    const opened = await start({ modelConfig: { Account: { hidden: { pash: false, access_code: false } } } })
    expect(await opened.send('GET', '/accounts/1')).toMatchObject([
      200,
      { pash: '$2b$', access_code: 'sesame' },
    ])
    expect(opened.lines.join()).not.toContain('pash')
  })

  it('close models that hold secrets, and the line shows how to serve them', async () => {
    const { lines, send } = await start()
    expect((await send('GET', '/verifications/1'))[0]).toBe(404)
    expect(
      lines.filter((line) => naming('app.Verification', 'value', 'internal: false').test(line)),
    ).toHaveLength(1)
    const opened = await start({ modelConfig: { Verification: { internal: false } } })
    expect(await opened.send('GET', '/verifications/1')).toEqual([200, { id: 1 }])
  })
})
