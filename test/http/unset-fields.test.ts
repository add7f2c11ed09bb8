import { EntitySchema, MikroORM } from '@mikro-orm/sqlite'
import { pgTable, text as pgText, serial } from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { DataTypes, type Model, Sequelize } from 'sequelize'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { mikroOrmModels } from '../../src/entry/mikro-orm.ts'
import { sequelizeModels } from '../../src/entry/sequelize.ts'
import { controllerFor, type ModelRestOptions, type ModelSource } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { nodeSqlite } from '../source/sequelize/node-sqlite.ts'
import { type App, type Entry, onFastify } from '../stage/apps.ts'
import { openPglite, openSqlite } from '../stage/databases.ts'
import { type Method, senderTo } from '../stage/requests.ts'
import { startError } from './start-error.ts'

const articles = sqliteTable('articles', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  slug: text().notNull(),
})
const parts = sqliteTable('parts', {
  id: integer().primaryKey({ autoIncrement: true }),
  label: text().notNull(),
  article_id: integer()
    .notNull()
    .references(() => articles.id),
})
const users = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text().notNull().unique(),
  password: text().notNull(),
})

const ddl = `
  create table articles (id integer primary key autoincrement, name text not null, slug text not null);
  create table parts (id integer primary key autoincrement, label text not null, article_id integer not null references articles);
  create table users (id integer primary key autoincrement, email text not null unique, password text not null);
  insert into articles (name, slug) values ('first', 'first')`

const pgArticles = pgTable('articles', {
  id: serial().primaryKey(),
  name: pgText().notNull(),
  slug: pgText().notNull(),
})
const triggered = `
  create table articles (id serial primary key, name text not null, slug text not null);
  create function slug() returns trigger language plpgsql as $$ begin
    new.slug := lower(new.name);
    return new;
  end $$;
  create trigger slugs before insert on articles for each row execute function slug()`

let app: App | undefined
afterEach(() => app?.stop())

const serve = async (options: object) => {
  const { models } = openSqlite({ articles, parts, users }, ddl)
  const given = { models, controllers: [], ...options } as ModelRestOptions
  app = await onFastify(given, { base: '' })
  const { log, rest } = app
  const send = senderTo(app)
  const entries = (level: Entry['level']) =>
    log
      .filter((entry) => entry.level === level)
      .map(({ line, details }) => `${line} ${JSON.stringify(details)}`)
  return {
    ...{ entries, send },
    post: (body: object) => send('POST', '/articles/', { body }),
    documents: (method: Method, path: string) =>
      Object.hasOwn(rest.openapi().paths[path] ?? {}, method.toLowerCase()),
  }
}

const unset = naming('Article.slug', 'beforeCreate')

describe.each([
  ['read-only', { readOnly: ['slug'] }],
  ['hidden', { hidden: ['slug'] }],
])('a required field that is %s', (_how, config) => {
  const modelConfig = { Article: config }

  it('leaves out create, with one line at start, if nothing sets it', async () => {
    const { entries, post, send, documents } = await serve({
      modelConfig: { Article: { ...config, bulk: true } },
    })
    expect(entries('warn').filter((line) => unset.test(line))).toHaveLength(1)
    expect(documents('POST', '/articles/')).toBe(false)
    for (const body of [{ name: 'x' }, [{ name: 'x' }]])
      expect((await post(body)).json).toMatchObject({ status: 405, code: 'method_not_allowed' })
    expect((await send('PUT', '/articles/7', { body: { name: 'x' } })).status).toBe(404)
    expect((await send('PATCH', '/articles/1', { body: { name: 'x' } })).status).toBe(200)
    expect(entries('error')).toEqual([])
  })

  it('is a mistake of a hook that does not set it', async () => {
    const hook = controllerFor('Article', { beforeCreate: (_request, payload) => payload })
    const { entries, post } = await serve({ modelConfig, controllers: [hook] })
    expect(entries('warn').filter((line) => unset.test(line))).toEqual([])
    expect((await post({ name: 'x' })).status).toBe(500)
    expect(entries('error')).toEqual([expect.stringMatching(naming('Article.slug', 'hook beforeCreate'))])
  })

  it('may be set by a hook or a scope, but not by a permission', async () => {
    const hook = controllerFor('Article', {
      beforeCreate: (_request, payload) => ({ ...payload, slug: 'x' }),
    })
    const hooked = await serve({ modelConfig, controllers: [hook] })
    expect(hooked.entries('warn').filter((line) => unset.test(line))).toEqual([])
    expect((await hooked.post({ name: 'x' })).status).toBe(201)
    await app?.stop()
    const fixed = controllerFor('Article', { scope: () => ({ slug: 'x' }) })
    const scoped = await serve({ modelConfig, controllers: [fixed] })
    expect(scoped.entries('warn').filter((line) => unset.test(line))).toEqual([])
    expect((await scoped.post({ name: 'x' })).status).toBe(201)
    await app?.stop()
    const shared = await serve({ modelConfig, scope: () => ({ slug: 'x' }), exclude: { app: ['Part'] } })
    expect((await shared.post({ name: 'x' })).status).toBe(201)
    await app?.stop()
    const permitted = controllerFor('Article', { permissions: { create: () => true } })
    const { entries, post } = await serve({ modelConfig, controllers: [permitted] })
    expect(entries('warn').filter((line) => unset.test(line))).toHaveLength(1)
    expect((await post({ name: 'x' })).status).toBe(405)
  })

  it.each([{}, { beforeCreate: () => {} }])(
    'may be set by a trigger if it is optional, also with %o',
    async (hooks) => {
      const { models, close } = await openPglite({ articles: pgArticles }, triggered)
      onTestFinished(close)
      const Article = { ...config, optional: ['slug'] }
      app = await onFastify(
        {
          models,
          modelConfig: { Article },
          controllers: [controllerFor('Article', hooks)],
        } as ModelRestOptions,
        { base: '' },
      )
      expect(app.log.filter(({ level }) => level === 'warn')).toEqual([])
      const created = await senderTo(app)('POST', '/articles/', { body: { name: 'x' } })
      expect([created.status, created.json]).toEqual([201, expect.objectContaining({ name: 'x' })])
    },
  )

  it('is asked for if a custom schema takes it', async () => {
    const create = z.object({ name: z.string(), slug: z.string().optional() })
    const { entries, post } = await serve({ modelConfig, customSchemas: { Article: { create } } })
    expect(entries('warn').filter((line) => unset.test(line))).toEqual([])
    expect((await post({ name: 'x', slug: 'y' })).status).toBe(201)
  })
})

it('of several models are one line', async () => {
  const modelConfig = {
    Article: { hidden: ['slug'] },
    User: { internal: false },
    Part: { hidden: ['label'] },
  }
  const { entries } = await serve({ modelConfig })
  const lines = entries('warn').filter((line) => line.includes('beforeCreate'))
  expect(lines).toEqual([
    expect.stringMatching(naming('Article.slug', 'Part.label', 'User.password', 'auth: true', 'optional')),
  ])
})

describe('the password of users', () => {
  it('cannot be sent without auth, so users cannot be created', async () => {
    const { send, entries, documents } = await serve({ modelConfig: { User: { internal: false } } })
    const body = { email: 'a@example.com', password: 'a good long one' }
    expect((await send('POST', '/users/', { body })).status).toBe(405)
    expect(documents('POST', '/users/')).toBe(false)
    expect(entries('warn')).toEqual([expect.stringMatching(naming('User.password', 'auth: true'))])
  })

  it('is set by registration, or by a hook for those whom administrators create', async () => {
    const settings = { SECRET_KEY: 'x'.repeat(40) }
    const people = { modelConfig: { User: { internal: false } }, auth: true, settings }
    const registered = await serve(people)
    expect(registered.entries('warn').filter((line) => line.includes('User.password'))).toEqual([])
    const email = 'a@example.com'
    const body = { email, password: 'a good long one' }
    expect((await registered.send('POST', '/auth/register', { body })).status).toBe(201)
    await app?.stop()
    const given = { scope: () => ({}), permissions: { create: () => true } }
    const unhashed = await serve({ ...people, controllers: [controllerFor('User', given)] })
    expect(unhashed.documents('POST', '/users/')).toBe(false)
    expect(unhashed.entries('warn').filter((line) => line.includes('User.password'))).toHaveLength(1)
    await app?.stop()
    const beforeCreate = (_request: unknown, payload: object) => ({ ...payload, password: 'hashed' })
    const hashed = await serve({
      ...people,
      controllers: [controllerFor('User', { ...given, beforeCreate })],
    })
    expect(hashed.documents('POST', '/users/')).toBe(true)
    expect((await hashed.send('POST', '/users/', { body: { email } })).status).toBe(204)
  })
})

describe('in the body of a parent', () => {
  it('the parent sets its key, which clients cannot send elsewhere', async () => {
    const modelConfig = { Article: { write: ['parts'] }, Part: { hidden: ['article_id'] } }
    const { send, entries, documents } = await serve({ modelConfig })
    const body = { name: 'x', slug: 'x', parts: [{ label: 'one' }] }
    expect((await send('POST', '/articles/', { body })).status).toBe(201)
    expect((await send('GET', '/parts/')).json).toMatchObject({ items: [{ label: 'one' }] })
    expect((await send('POST', '/parts/', { body: { label: 'two' } })).status).toBe(405)
    expect((await send('POST', '/articles/1/parts/', { body: { label: 'two' } })).status).toBe(404)
    expect([documents('POST', '/parts/'), documents('POST', '/articles/{id}/parts/')]).toEqual([false, false])
    expect(entries('warn')).toEqual([expect.stringMatching(naming('Part.article_id', 'beforeCreate'))])
  })

  it('any other such field is an error at start', async () => {
    const modelConfig = { Article: { write: ['parts'] }, Part: { hidden: ['label'] } }
    await expect(serve({ modelConfig })).rejects.toThrow(
      startError('Article.write', 'parts', 'Part.label', 'beforeCreate'),
    )
  })
})

describe('code of the application in an ORM may set the field', () => {
  const created = async (models: ModelSource, readOnly: string) => {
    app = await onFastify(
      { models, controllers: [], modelConfig: { Article: { readOnly: [readOnly] } } } as ModelRestOptions,
      { base: '' },
    )
    const { status, json } = await senderTo(app)('POST', '/articles/', { body: { title: 'Hello' } })
    return [status, json[readOnly]]
  }

  it('a setter of Sequelize', async () => {
    const sequelize = new Sequelize({
      ...{ dialect: 'sqlite', dialectModule: nodeSqlite, storage: ':memory:', logging: false },
    } as never)
    onTestFinished(() => sequelize.close())
    const text = { type: DataTypes.STRING, allowNull: false }
    function set(this: Model, value: string): void {
      this.setDataValue('title', value)
      this.setDataValue('slug', value.toLowerCase())
    }
    const Article = sequelize.define(
      'Article',
      { title: { ...text, set }, slug: text },
      { timestamps: false },
    )
    await sequelize.sync()
    expect(await created(sequelizeModels(sequelize, { Article }), 'slug')).toEqual([201, 'hello'])
  })

  it('the class of an entity of MikroORM', async () => {
    class Article {
      declare id: number
      declare title: string
      state = 'new'
    }
    const properties = {
      ...{ id: { type: 'number', primary: true }, title: { type: 'string' }, state: { type: 'string' } },
    } as const
    const entities = [new EntitySchema({ class: Article, properties } as never)]
    const orm = await MikroORM.init({ dbName: ':memory:', entities })
    onTestFinished(() => orm.close())
    await orm.schema.create()
    expect(await created(mikroOrmModels(orm, { Article }), 'state')).toEqual([201, 'new'])
  })
})
