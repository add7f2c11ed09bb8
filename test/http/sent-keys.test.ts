import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { controllerFor, type ModelRestOptions } from '../../src/index.ts'
import { openSqlite } from '../stage/databases.ts'
import { serveModels } from '../stage/serve-models.ts'

const users = sqliteTable('users', { id: integer().primaryKey(), name: text().notNull() })
/** One to one: its key is that of its user. */
const profiles = sqliteTable('profiles', {
  user_id: integer()
    .primaryKey()
    .references(() => users.id),
  bio: text(),
})
const avatars = sqliteTable('avatars', {
  user_id: integer()
    .primaryKey()
    .references(() => users.id)
    .$defaultFn(() => 1),
  colour: text(),
})
const tags = sqliteTable('tags', { id: integer().primaryKey(), word: text().notNull() })
/** A join table, one of whose keys has a default. */
const userTags = sqliteTable(
  'user_tags',
  {
    user_id: integer()
      .notNull()
      .references(() => users.id),
    tag_id: integer()
      .notNull()
      .default(1)
      .references(() => tags.id),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.tag_id] })],
)
const drafts = sqliteTable('drafts', {
  id: text({ length: 36 })
    .primaryKey()
    .$defaultFn(() => crypto.randomUUID()),
  title: text().notNull(),
})

const ddl = `
  create table users (id integer primary key, name text not null);
  create table profiles (user_id integer primary key references users (id), bio text);
  create table avatars (user_id integer primary key references users (id), colour text);
  create table tags (id integer primary key, word text not null);
  create table user_tags (user_id integer not null references users (id),
    tag_id integer not null default 1 references tags (id), primary key (user_id, tag_id));
  create table drafts (id text primary key, title text not null);
  insert into users values (1, 'Ada'), (2, 'Bob'), (7, 'Cy');
  insert into tags values (1, 'first'), (2, 'second')`

const start = (
  options: Partial<ModelRestOptions> = {},
  tables: Record<string, unknown> = { users, profiles, avatars, tags, userTags, drafts },
) => serveModels(openSqlite(tables, ddl), options)

const missing = (...names: readonly string[]) => ({
  code: 'invalid_body',
  errors: names.map((name) => ({ pointer: `/${name}`, code: 'required' })),
})

describe('a key that refers to another record', () => {
  it('is asked for at create, and is the one that was sent', async () => {
    const { send } = await start()
    expect(await send('POST', '/profiles', { bio: 'x' })).toMatchObject([422, missing('user_id')])
    expect(await send('POST', '/profiles', { user_id: 7, bio: 'x' })).toEqual([201, { user_id: 7, bio: 'x' }])
    expect(await send('GET', '/profiles/7')).toEqual([200, { user_id: 7, bio: 'x' }])
    expect(await send('POST', '/profiles', { user_id: 7 })).toMatchObject([
      409,
      { errors: [{ pointer: '/user_id', code: 'taken' }] },
    ])
    expect(await send('POST', '/profiles', { user_id: 9 })).toMatchObject([
      422,
      { errors: [{ pointer: '/user_id', code: 'missing_reference' }] },
    ])
  })

  it('is asked for whatever default it has, and in join tables', async () => {
    const { send } = await start()
    expect(await send('POST', '/avatars', { colour: 'red' })).toMatchObject([422, missing('user_id')])
    expect(await send('POST', '/avatars', { user_id: 2 })).toMatchObject([201, { user_id: 2 }])
    expect(await send('POST', '/user-tags', {})).toMatchObject([422, missing('user_id', 'tag_id')])
    expect(await send('POST', '/user-tags', { user_id: 1, tag_id: 2 })).toEqual([
      201,
      { user_id: 1, tag_id: 2 },
    ])
    expect((await send('GET', '/user-tags/1,2'))[0]).toBe(200)
  })

  it('is asked for where the table that it refers to is none of the models', async () => {
    const { send } = await start({}, { profiles })
    expect(await send('POST', '/profiles', {})).toMatchObject([422, missing('user_id')])
    expect((await send('POST', '/profiles', { user_id: 7 }))[0]).toBe(201)
  })

  it('never changes', async () => {
    const { send } = await start()
    await send('POST', '/profiles', { user_id: 7, bio: 'x' })
    const readOnly = { errors: [{ pointer: '/user_id', code: 'read_only' }] }
    expect(await send('PATCH', '/profiles/7', { user_id: 1 })).toMatchObject([422, readOnly])
    expect(await send('PUT', '/profiles/7', { user_id: 1, bio: 'y' })).toMatchObject([422, readOnly])
    expect(await send('PUT', '/profiles/7', { user_id: 7, bio: 'y' })).toEqual([
      200,
      { user_id: 7, bio: 'y' },
    ])
  })

  it('stands in the document as required, without a default', async () => {
    const { rest } = await start()
    expect(rest.openapi().components.schemas).toMatchObject({
      ProfileCreate: { required: ['user_id'], properties: { user_id: { type: 'integer' } } },
      UserTagCreate: { required: ['user_id', 'tag_id'] },
      ProfileUpdate: { properties: { bio: {} } },
    })
    expect(rest.openapi().components.schemas).not.toHaveProperty('UserTagCreate.properties.tag_id.default')
    expect(rest.openapi().components.schemas).not.toHaveProperty('ProfileUpdate.properties.user_id')
  })

  it('is filled in by a scope or a hook, and left to them where the application says so', async () => {
    const scoped = await start({
      controllers: [controllerFor('Profile', { scope: () => ({ user_id: 2 }) })],
    })
    expect(await scoped.send('POST', '/profiles', {})).toMatchObject([201, { user_id: 2 }])
    const hooked = await start({
      modelConfig: { Profile: { optional: ['user_id'] }, Avatar: { readOnly: ['user_id'] } },
      controllers: [
        controllerFor('Profile', { beforeCreate: (_request, payload) => ({ ...payload, user_id: 7 }) }),
      ],
    })
    expect(await hooked.send('POST', '/profiles', {})).toMatchObject([201, { user_id: 7 }])
    // Its own default.
    expect(await hooked.send('POST', '/avatars', {})).toMatchObject([201, { user_id: 1 }])
    expect(await hooked.send('POST', '/avatars', { user_id: 2 })).toMatchObject([
      422,
      { errors: [{ pointer: '/user_id', code: 'read_only' }] },
    ])
  })
})

describe('a key that has a default', () => {
  it('is the database’s or the ORM’s to make', async () => {
    const { send } = await start()
    expect(await send('POST', '/drafts', { id: 'mine', title: 'x' })).toMatchObject([
      422,
      { errors: [{ pointer: '/id', code: 'read_only' }] },
    ])
  })

  it('can be sent where the application says so, and is made where it is not', async () => {
    const { send, rest } = await start({
      modelConfig: { Draft: { readOnly: { id: false } }, Tag: { readOnly: { id: false } } },
    })
    expect(await send('POST', '/drafts', { id: 'mine', title: 'x' })).toEqual([
      201,
      { id: 'mine', title: 'x' },
    ])
    expect(await send('POST', '/drafts', { title: 'x' })).toMatchObject([
      201,
      { id: expect.stringMatching(/^[\da-f-]{36}$/) },
    ])
    expect(await send('POST', '/drafts', { id: 'mine', title: 'y' })).toMatchObject([
      409,
      { errors: [{ pointer: '/id', code: 'taken' }] },
    ])
    expect(await send('POST', '/tags', { id: 40, word: 'x' })).toMatchObject([201, { id: 40 }])
    expect(await send('PATCH', '/drafts/mine', { id: 'other' })).toMatchObject([
      422,
      { errors: [{ pointer: '/id', code: 'read_only' }] },
    ])
    expect(await send('PUT', '/drafts/mine', { id: 'mine', title: 'z' })).toMatchObject([200, { title: 'z' }])
    const { DraftCreate } = rest.openapi().components.schemas
    expect(DraftCreate).toMatchObject({ required: ['title'], properties: { id: { maxLength: 36 } } })
  })
})
