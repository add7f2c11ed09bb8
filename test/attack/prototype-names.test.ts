import { drizzle } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { file } from '../../src/entry/drizzle-sqlite.ts'
import { controllerFor, type ModelRestOptions, StartError } from '../../src/index.ts'
import { onFetch } from '../stage/apps.ts'
import { openSqlite, type SqliteDatabase } from '../stage/databases.ts'
import { memoryStorage } from '../upload/memory-storage.ts'

/** What every object inherits, and what a promise or JSON.stringify looks for. */
const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'toJSON'] as const

const columns = Object.fromEntries(names.map((name) => [name, text(name, { length: 40 })]))

const races = sqliteTable('races', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text({ length: 40 }).notNull(),
  ...columns,
  paper: file(),
})

const ddl = `create table races (id integer primary key autoincrement, name text not null, ${names.map((name) => `"${name}" text`).join(', ')}, paper text)`

let database: SqliteDatabase
beforeEach(() => {
  database = openSqlite({ races }, ddl)
})
afterEach(() => database.close())

type Json = Readonly<Record<string, unknown>>

const started = async (options: Partial<ModelRestOptions> = {}) => {
  const app = await onFetch({ models: database.models, storage: memoryStorage(), ...options }, { base: '' })
  return async (method: string, path: string, body?: object | FormData) => {
    const isForm = body instanceof FormData
    const response = await app.ask(path, {
      method,
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      ...(body !== undefined && !isForm && { headers: { 'content-type': 'application/json' } }),
    })
    const sent = await response.text()
    return { status: response.status, json: sent === '' ? {} : (JSON.parse(sent) as Json) }
  }
}

const withAll = (value: string | null): Json => Object.fromEntries(names.map((name) => [name, value]))
const stored = (): Json =>
  database.client.prepare<[], Json>('select * from races order by id desc').get() ?? {}
/** Expectations without what an object literal inherits: toMatchObject would ask for it. */
const part = (row: Json): Json => Object.fromEntries(names.map((name) => [name, row[name]]))

describe('columns that are named as what every object has', () => {
  it('are null where a create does not name them, and stay where a change does not', async () => {
    const send = await started()
    const created = await send('POST', '/races/', { name: 'x' })
    expect([created.status, part(created.json), part(stored())]).toEqual([201, withAll(null), withAll(null)])
    const changed = await send('PATCH', '/races/1', { name: 'y' })
    expect([changed.status, part(changed.json), part(stored())]).toEqual([200, withAll(null), withAll(null)])
    const full = await send('POST', '/races/', { name: 'x', ...withAll('set') })
    expect([full.status, part(full.json)]).toEqual([201, withAll('set')])
    await send('PATCH', '/races/2', { name: 'z' })
    expect(part(stored())).toEqual(withAll('set'))
    const put = await send('PUT', '/races/2', { name: 'z' })
    expect([put.status, part(put.json), part(stored())]).toEqual([200, withAll(null), withAll(null)])
  })

  it.each(names)('%s is written, read, filtered, sorted and chosen by itself', async (name) => {
    const send = await started()
    for (const value of ['b', 'a']) await send('POST', '/races/', { name: 'x', [name]: value })
    const changed = await send('PATCH', '/races/1', { [name]: 'c' })
    expect([changed.status, changed.json[name]]).toEqual([200, 'c'])
    const ids = async (query: string) => {
      const { status, json } = await send('GET', `/races/?${query}`)
      return [status, (json['items'] as Json[]).map(({ id }) => id)]
    }
    expect(await ids(`${name}==c`)).toEqual([200, [1]])
    expect(await ids(`q=!(${name}=c)`)).toEqual([200, [2]])
    expect(await ids(`sort=${name}`)).toEqual([200, [2, 1]])
    const chosen = await send('GET', `/races/?fields=${name}&sort=${name}`)
    expect(chosen.json['items']).toEqual([
      Object.fromEntries([
        ['id', 2],
        [name, 'a'],
      ]),
      Object.fromEntries([
        ['id', 1],
        [name, 'c'],
      ]),
    ])
    const refused = await send('POST', '/races/', { name: 'x', [name]: 7 })
    expect([refused.status, refused.json['errors']]).toMatchObject([
      422,
      [{ pointer: `/${name}`, code: 'wrong_type' }],
    ])
  })

  it('reach hooks as they were sent, and come from them as they are', async () => {
    const seen: Json[] = []
    const later = Object.fromEntries([['then', 'later']])
    const send = await started({
      controllers: [
        controllerFor('Race', {
          beforeCreate: (_request, values) => {
            seen.push(values)
            return { ...values, name: 'of the hook' }
          },
          beforeUpdate: (_request, _id, values) => {
            seen.push(values)
            return values
          },
          afterCreate: (_request, record) => {
            seen.push(record)
            return record
          },
        }),
      ],
    })
    const created = await send('POST', '/races/', { name: 'x', ...later })
    expect([created.status, created.json['then'], created.json['constructor']]).toEqual([201, 'later', null])
    await send('PATCH', '/races/1', { toString: 'text' })
    expect(
      seen.map((values) => names.filter((name) => Object.hasOwn(values, name) && values[name] !== null)),
    ).toEqual([['then'], ['then'], ['toString']])
    expect(part(stored())).toEqual({ ...withAll(null), toString: 'text', ...later })
  })

  it('are read by schemas of the application', async () => {
    const schema = z.strictObject({
      name: z.string(),
      ...Object.fromEntries(names.map((name) => [name, z.string().max(3).optional()])),
    })
    const send = await started({ customSchemas: { Race: { create: schema } } })
    expect((await send('POST', '/races/', { name: 'x' })).status).toBe(201)
    expect(part(stored())).toEqual(withAll(null))
    expect((await send('POST', '/races/', { name: 'x', ...withAll('set') })).status).toBe(201)
    expect(part(stored())).toEqual(withAll('set'))
    expect((await send('POST', '/races/', { name: 'x', constructor: 'long' })).json['errors']).toMatchObject([
      { pointer: '/constructor' },
    ])
  })

  it('are parts of forms', async () => {
    const send = await started()
    const form = new FormData()
    form.set('name', 'x')
    form.set('valueOf', 'sent')
    form.set('paper', new File(['text'], 'a.txt'))
    const created = await send('POST', '/races/', form)
    expect([created.status, part(created.json)]).toEqual([201, { ...withAll(null), valueOf: 'sent' }])
    const change = new FormData()
    change.set('constructor', 'sent')
    const changed = await send('PATCH', '/races/1', change)
    expect([changed.status, part(changed.json)]).toEqual([
      200,
      { ...withAll(null), valueOf: 'sent', constructor: 'sent' },
    ])
    const odd = new FormData()
    odd.set('__proto__', 'x')
    expect((await send('PATCH', '/races/1', odd)).json['errors']).toMatchObject([{ pointer: '/__proto__' }])
  })

  it('bound who reaches what', async () => {
    const scope = () => Object.fromEntries([['constructor', 'mine']])
    const send = await started({ controllers: [controllerFor('Race', { scope })] })
    database.client.exec(
      `insert into races (name, constructor) values ('a', 'theirs'), ('b', 'mine'), ('c', null)`,
    )
    const list = await send('GET', '/races/')
    expect((list.json['items'] as Json[]).map(({ id }) => id)).toEqual([2])
    const created = await send('POST', '/races/', { name: 'd' })
    expect([created.status, created.json['constructor']]).toEqual([201, 'mine'])
    expect((await send('POST', '/races/', { name: 'd', constructor: 'theirs' })).status).toBe(403)
    expect((await send('PATCH', '/races/2', { name: 'e' })).status).toBe(200)
    expect((await send('PATCH', '/races/1', { name: 'e' })).status).toBe(404)
  })

  it('are described, with an example that is taken', async () => {
    const send = await started()
    const { json } = await send('GET', '/openapi.json')
    const document = json as {
      components: { schemas: Record<string, { properties: Json; required?: string[] }> }
      paths: Record<string, Record<string, { requestBody: { content: Json } }>>
    }
    const schema = document.components.schemas['RaceCreate']
    expect(names.filter((name) => !Object.hasOwn(schema?.properties ?? {}, name))).toEqual([])
    expect(names.filter((name) => schema?.required?.includes(name))).toEqual([])
    const content = document.paths['/races/']?.['post']?.requestBody.content['application/json'] as {
      example: Json
    }
    const { paper: _, ...example } = content.example
    const created = await send('POST', '/races/', example)
    expect([created.status, part(created.json)]).toEqual([201, part(example)])
  })

  it('cannot be named __proto__', () => {
    const odd = sqliteTable('odd', { id: integer().primaryKey(), ...{ ['__proto__']: text() } })
    expect(() => drizzleModels(drizzle(database.client), { odd })).toThrow(StartError)
    const renamed = sqliteTable('odd', { id: integer().primaryKey(), proto: text('__proto__') })
    expect(drizzleModels(drizzle(database.client), { renamed }).models[0]?.fields).toHaveLength(2)
    const view = sqliteView('odd_view').as((query) =>
      query.select({ id: renamed.id, ['__proto__']: renamed.proto }).from(renamed),
    )
    expect(() => drizzleModels(drizzle(database.client), { view })).toThrow(StartError)
  })
})
