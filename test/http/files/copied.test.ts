import { Readable } from 'node:stream'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { file } from '../../../src/entry/drizzle-sqlite.ts'
import type { ModelRestOptions } from '../../../src/index.ts'
import { isPromise } from '../../../src/model/objects.ts'
import { storageKey } from '../../../src/upload/keys.ts'
import { type App, onFastify } from '../../stage/apps.ts'
import { openSqlite, type SqliteDatabase } from '../../stage/databases.ts'
import { senderTo } from '../../stage/requests.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import { samples } from '../../upload/samples.ts'
import { executeWith } from '../hooked.ts'
import {
  document,
  filePart,
  form,
  type Options,
  type Stage,
  sqliteWorld,
  startFastify,
  textPart,
  type World,
} from './writing-stage.ts'

describe('records that hold the same file', () => {
  const open = sqliteWorld
  const start = startFastify
  let world: World
  let stage: Stage
  beforeAll(async () => {
    world = await open()
  })
  afterAll(() => world.close())
  afterEach(() => stage.stop())

  const begin = async (options?: Options) => {
    stage = await start(world, options)
    await stage.send('POST', '/documents/', document('First'))
    const [{ content } = {}] = await stage.rows()
    return String(content)
  }
  /** The same with a copy, which the application has made. */
  const beginWithCopy = async (options?: Options) => {
    const key = await begin(options)
    await world.insert('Copy', 2, key)
    return key
  }
  const bulk: Options = { modelConfig: { Document: { bulk: true } } }

  test.each(['/documents/1', '/documents/2'])('DELETE %s keeps the file of the other', async (path) => {
    const key = await beginWithCopy()
    expect((await stage.send('DELETE', path)).status).toBe(204)
    expect(await stage.keys()).toEqual([key])
  })

  test('the last one deletes the file', async () => {
    await beginWithCopy()
    for (const id of [2, 1]) await stage.send('DELETE', `/documents/${id}`)
    expect(await stage.keys()).toEqual([])
  })

  test.each([
    ['all of them', 'title!=null', 2, 0],
    ['one of them', 'pages==2', 1, 1],
  ])('DELETE with a filter, of %s', async (_which, query, count, left) => {
    await beginWithCopy(bulk)
    expect((await stage.send('DELETE', `/documents/?${query}`)).json).toMatchObject({ count })
    expect(await stage.keys()).toHaveLength(left)
  })

  test.each(['PATCH', 'PUT'])('%s with another file keeps that of the other record', async (method) => {
    const key = await beginWithCopy()
    const parts = method === 'PUT' ? [textPart('title', 'First')] : []
    const sent = form([...parts, filePart('content', samples.text, 'new.txt')])
    expect((await stage.send(method, '/documents/1', sent)).status).toBe(200)
    const keys = await stage.keys()
    expect(keys).toContain(key)
    expect(keys).toHaveLength(2)
  })

  test('an upload that a hook takes from a record and gives to another one stays', async () => {
    let given = ''
    await begin({
      hooks: {
        beforeCreate: (_request, payload) => {
          given = (payload['cover'] as { readonly key: string } | undefined)?.key ?? ''
          return { ...payload, cover: null }
        },
        afterCreate: (_request, { title }, { db }) => {
          if (title !== 'Second') return
          const made = executeWith(db, `insert into documents (title, content) values ('Other', '${given}')`)
          return isPromise(made) ? made.then(() => undefined) : undefined
        },
      },
    })
    const told = await stage.send('POST', '/documents/', document('Second', filePart('cover', samples.png)))
    expect(told).toMatchObject({ status: 201, json: { cover: null } })
    expect(await stage.keys()).toContain(given)
  })
})

const documents = sqliteTable('documents', {
  id: integer().primaryKey(),
  title: text({ length: 20 }),
  content: file(),
  deletedAt: integer('deleted_at', { mode: 'timestamp' }),
})
const letters = sqliteTable('letters', { id: integer().primaryKey(), scan: file() })
const ddl = `create table documents (id integer primary key, title text, content text, deleted_at integer);
  create table letters (id integer primary key, scan text);`

describe('a file that another record holds', () => {
  const key = storageKey({ model: 'Document', field: 'content', type: 'text/plain' })
  const statements: string[] = []
  let storage: ReturnType<typeof memoryStorage>
  let database: SqliteDatabase
  let app: App
  const begin = async (options: Partial<ModelRestOptions> = {}) => {
    storage = memoryStorage()
    database = openSqlite({ documents, letters }, ddl, { onStatement: (text) => statements.push(text) })
    app = await onFastify({ models: database.models, storage, ...options }, { base: '' })
    await storage.put(key, Readable.from([samples.text]))
    await database.execute(`insert into documents (id, content) values (1, '${key}'), (2, null)`)
    return senderTo(app)
  }
  const isStored = async () => {
    await app.rest.close()
    return storage.stat(key).then(
      () => true,
      () => false,
    )
  }
  afterEach(async () => {
    await app.stop()
    await database.close()
  })

  it.each<readonly [string, Partial<ModelRestOptions>, string]>([
    ['of another model', {}, `insert into letters (scan) values ('${key}')`],
    [
      'of a model that is not served',
      { exclude: { app: ['Letter'] } } as never,
      `insert into letters (scan) values ('${key}')`,
    ],
    [
      'that is deleted softly',
      { modelConfig: { Document: { softDelete: 'deletedAt' } } } as never,
      `update documents set content = '${key}', deleted_at = 1 where id = 2`,
    ],
  ])('%s stays', async (_which, options, copying) => {
    const send = await begin(options)
    await database.execute(copying)
    expect((await send('PATCH', '/documents/1', { body: { content: null } })).status).toBe(200)
    expect(await isStored()).toBe(true)
  })

  it('stays while the database cannot tell, and the log names it', async () => {
    const send = await begin({ exclude: { app: ['Letter'] } } as never)
    await database.execute('drop table letters')
    expect((await send('DELETE', '/documents/1')).status).toBe(204)
    expect(await isStored()).toBe(true)
    expect(app.log.filter(({ level }) => level === 'error').map(({ line }) => line.includes(key))).toEqual([
      true,
    ])
  })

  it('is asked for in one statement for 200 files of a table', async () => {
    const send = await begin({ modelConfig: { Document: { bulk: true } } } as never)
    const more = Array.from({ length: 450 }, (_, at) => {
      const other = storageKey({ model: 'Document', field: 'content', type: 'text/plain' })
      return `(${at + 10}, '${other}')`
    })
    await database.execute(`insert into documents (id, content) values ${more.join()}`)
    statements.length = 0
    expect((await send('DELETE', '/documents/?id>1')).json).toMatchObject({ count: 451 })
    await app.rest.close()
    const asked = statements.filter((text) => /^select .* where .*"(?:scan|content)" in/.test(text))
    expect(asked).toHaveLength(3 * 2)
    expect(await isStored()).toBe(true)
  })
})
