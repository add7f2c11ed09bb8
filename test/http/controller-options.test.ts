import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import {
  BaseModelController,
  type ControllerClass,
  controllerFor,
  diskStorage,
  type ModelRestOptions,
} from '../../src/index.ts'
import { naming } from '../naming.ts'
import { openSqlite, type TestDatabase } from '../stage/databases.ts'
import { serveModels } from '../stage/serve-models.ts'

const makers = sqliteTable('makers', {
  id: integer().primaryKey(),
  name: text({ length: 50 }).notNull(),
})
const docs = sqliteTable('docs', {
  id: integer().primaryKey(),
  name: text({ length: 50 }).notNull(),
  note: text({ length: 50 }),
  plan: text({ length: 200 }),
  makerId: integer('maker_id').references(() => makers.id),
})
const ddl = `create table makers (id integer primary key, name text not null);
  create table docs (id integer primary key, name text not null, note text, plan text, maker_id integer references makers);
  insert into makers (name) values ('Acme')`

let database: TestDatabase

beforeEach(() => {
  database = openSqlite({ makers, docs }, ddl)
})

const temporary = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A folder with `controllers/doc.ts`. @param parts the second argument of `controllerFor('Doc', …)`, as source text */
const folderWith = (parts: string): string => {
  const folder = temporary()
  mkdirSync(join(folder, 'controllers'))
  const entry = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)
  writeFileSync(
    join(folder, 'controllers/doc.ts'),
    `import { controllerFor } from ${entry}\nexport const DocController = controllerFor('Doc', ${parts})\n`,
  )
  return folder
}

const served = (controllers: readonly ControllerClass[], more: Partial<ModelRestOptions> = {}) =>
  serveModels(database, { controllers, ...more })

describe('a controller says of its model what options say', () => {
  const said = controllerFor('Doc', {
    path: 'shelf',
    hidden: ['note'],
    readOnly: { plan: true },
    relations: { maker: 'author' },
    include: ['author'],
    schemas: { create: z.strictObject({ name: z.string().min(3), makerId: z.int() }) },
    description: 'What stands on the shelf.',
  })

  it('in an object, with hooks beside it', async () => {
    const { send, rest } = await served([said])
    expect(await send('POST', '/shelf', { name: 'ab', makerId: 1 })).toMatchObject([422, {}])
    const shown = { id: 1, name: 'Plans', plan: null, makerId: 1 }
    expect(await send('POST', '/shelf', { name: 'Plans', makerId: 1 })).toEqual([201, shown])
    expect(await send('GET', '/shelf/1')).toEqual([200, { ...shown, author: { id: 1, name: 'Acme' } }])
    expect(await send('PATCH', '/shelf/1', { plan: 'x' })).toMatchObject([422, {}])
    expect(rest.openapi().tags).toContainEqual(
      expect.objectContaining({
        name: 'Doc',
        description: expect.stringMatching(naming('What stands on the shelf.')),
      }),
    )
  })

  it('in static members, also inherited ones', async () => {
    class Noted extends BaseModelController {
      static readonly hidden = ['note']
    }
    const DocController = controllerFor(
      'Doc',
      class extends Noted {
        static readonly path = 'shelf'
      },
    )
    const { send } = await served([DocController])
    expect(await send('POST', '/shelf', { name: 'Plans' })).toEqual([
      201,
      { id: 1, name: 'Plans', plan: null, makerId: null },
    ])
  })

  it('beside what the options say of the same model', async () => {
    const { send } = await served([controllerFor('Doc', { path: 'shelf', search: undefined } as object)], {
      modelConfig: {
        Doc: { hidden: ['note'], search: ['name'] },
        Maker: { path: 'authors' },
      },
    })
    expect(await send('POST', '/shelf', { name: 'Plans' })).not.toMatchObject([201, { note: null }])
    expect(await send('GET', '/authors/1')).toEqual([200, { id: 1, name: 'Acme' }])
  })

  it('in a file, from init() on, and even what the model cannot be served without', async () => {
    onTestFinished(database.close)
    const settings = { BASE_DIR: folderWith("{ path: 'shelf', hidden: ['note'], fileFields: ['plan'] }") }
    const app = fetchApp()
    const rest = new ModelRest(app, {
      models: database.models,
      settings,
      storage: diskStorage({ directory: temporary() }),
    })
    const hasNote = () => 'note' in rest.schemas('Doc').detail.shape
    expect(hasNote()).toBe(true)
    // The path /docs is reserved.
    await rest.init()
    expect(hasNote()).toBe(false)
    expect(rest.models.map(({ path }) => path)).toEqual(['makers', 'shelf'])
    const form = new FormData()
    form.set('name', 'Plans')
    form.set('plan', new File(['A plan.'], 'plan.txt'))
    const reply = await app.fetch(new Request('http://localhost/shelf', { method: 'POST', body: form }))
    expect([reply.status, Object.keys(Object(await reply.json()))]).toEqual([
      201,
      ['id', 'name', 'plan', 'makerId'],
    ])
  })

  it('with forms switched off', async () => {
    const parts = { path: 'shelf', fileFields: ['plan'], useMultipart: { create: false } } as const
    const { rest } = await served([controllerFor('Doc', parts)], {
      storage: diskStorage({ directory: temporary() }),
    })
    const { paths } = rest.openapi()
    const forms = [paths['/shelf/']?.post, paths['/shelf/{id}']?.patch].map(
      (operation) => 'multipart/form-data' in Object(operation?.requestBody)['content'],
    )
    expect(forms).toEqual([false, true])
  })

  it('so that cleanFiles() knows its files before init()', async () => {
    onTestFinished(database.close)
    const storage = diskStorage({ directory: temporary() })
    await storage.check()
    const settings = { BASE_DIR: folderWith("{ path: 'shelf', fileFields: ['plan'] }") }
    const first = fetchApp()
    await new ModelRest(first, { models: database.models, settings, storage }).init()
    const form = new FormData()
    form.set('name', 'Plans')
    form.set('plan', new File(['A plan.'], 'plan.txt'))
    const reply = await first.fetch(new Request('http://localhost/shelf', { method: 'POST', body: form }))
    expect(reply.status).toBe(201)
    const later = new ModelRest(fetchApp(), { models: database.models, settings, storage })
    expect(await later.cleanFiles({ olderThan: 0 })).toEqual([])
  })
})

describe('a model that is not served', () => {
  it.each([
    ['its controller says so', { internal: true }, {}],
    ['the options say so', { hidden: ['note'] }, { exclude: { app: ['Doc'] } }],
  ])('may have a controller that says no more than an option: %s', async (_why, parts, options) => {
    const { rest } = await served([controllerFor('Doc', parts as object)], options as object)
    expect(rest.models.map(({ name }) => name)).toEqual(['Maker'])
  })

  it('may not have one with a hook', async () => {
    const controller = controllerFor('Doc', { internal: true, beforeCreate: () => undefined })
    await expect(served([controller])).rejects.toThrow(
      naming('DocController', 'beforeCreate', 'internal: true'),
    )
  })
})

describe('start names the place of a mistake', () => {
  const place = 'controllers[0], DocController'
  const schemas = { create: z.object({}) }

  it.each([
    [
      'modelConfig.Doc.hidden',
      { hidden: ['note'] },
      { modelConfig: { Doc: { hidden: ['plan'] } } },
      'hidden',
    ],
    ['customSchemas.Doc', { schemas }, { customSchemas: { Doc: schemas } }, 'schemas'],
    ['fileFields.Doc', { fileFields: ['plan'] }, { fileFields: { Doc: ['plan'] } }, 'fileFields'],
    ['useMultipart.Doc', { useMultipart: { create: true } }, { useMultipart: { Doc: {} } }, 'useMultipart'],
  ])('both places, for %s and a controller', async (at, parts, options, key) => {
    const controller = controllerFor('Doc', { path: 'shelf', ...parts } as object)
    await expect(served([controller], options as object)).rejects.toThrow(naming(at, `${place}: ${key}`))
  })

  it.each([
    ['an unknown field', { hidden: ['nots'] }, ['hidden', 'nots', 'note']],
    ['a value of the wrong type', { readOnly: 'note' }, ['readOnly']],
    ['a path of several segments', { path: 'a/b' }, ['path', '"a/b"']],
    ['an unknown relation', { relations: { makers: 'author' } }, ['relations', 'makers', 'maker']],
    ['an unknown included relation', { path: 'shelf', include: ['makr'] }, ['include', 'makr', 'maker']],
    ['a schema of another kind', { path: 'shelf', schemas: { create: {} } }, ['schemas.create']],
    ['a file that is not text', { path: 'shelf', fileFields: ['id'] }, ['fileFields', 'id']],
    ['two contradicting entries', { hidden: ['note'], readOnly: ['note'] }, ['note']],
  ])('in a controller: %s', async (_mistake, parts, names) => {
    const start = served([controllerFor('Doc', parts as object)])
    await expect(start).rejects.toMatchObject({
      name: 'StartError',
      message: expect.not.stringContaining('modelConfig.'),
    })
    await expect(start).rejects.toThrow(naming(place, ...names))
  })

  it('in a file', async () => {
    const settings = { BASE_DIR: folderWith("{ path: 'shelf', hidden: ['nots'] }") }
    const start = serveModels(database, { controllers: undefined as never, settings })
    await expect(start).rejects.toThrow(naming('controllers/doc.ts, DocController: hidden', 'nots', 'note'))
  })

  it('a misspelled key', () => {
    expect(() => controllerFor('Doc', { hiden: ['note'] } as object)).toThrow(
      naming('hiden', 'hidden', 'hidden'),
    )
  })

  it.each(['read_only', 'filefields', 'READONLY'])('a static member %s', async (name) => {
    class Misspelled extends BaseModelController {}
    Object.defineProperties(Misspelled, { path: { value: 'shelf' }, [name]: { value: ['note'] } })
    await expect(served([controllerFor('Doc', Misspelled)])).rejects.toThrow(naming('Misspelled', name))
  })

  it('but a class may have static members of its own', async () => {
    const DocController = controllerFor(
      'Doc',
      class extends BaseModelController {
        static readonly path = 'shelf'
        static readonly paths: readonly string[] = ['a']
        static counts = 0
      },
    )
    await expect(served([DocController])).resolves.toBeDefined()
  })
})
