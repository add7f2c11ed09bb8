import { integer, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { file } from '../../src/entry/drizzle-sqlite.ts'
import { controllerFor, type ModelRestOptions, type OperationName } from '../../src/index.ts'
import { type App, onFastify } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { type Method, senderTo } from '../stage/requests.ts'
import { startError } from './start-error.ts'

const tickets = sqliteTable('tickets', {
  id: integer().primaryKey(),
  title: text().notNull(),
  attachment: file(),
})
const comments = sqliteTable('comments', {
  id: integer().primaryKey(),
  text: text().notNull(),
  ticket_id: integer()
    .notNull()
    .references(() => tickets.id),
})
const open_tickets = sqliteView('open_tickets').as((query) => query.select({ id: tickets.id }).from(tickets))

const ddl = `
  create table tickets (id integer primary key, title text not null, attachment text);
  create table comments (id integer primary key, text text not null, ticket_id integer not null references tickets);
  create view open_tickets as select id from tickets;
  insert into tickets (title) values ('one'), ('two');
  insert into comments (text, ticket_id) values ('first', 2)`

type Config = NonNullable<ModelRestOptions['modelConfig']>

const openApp = async (modelConfig: Config, more: Partial<ModelRestOptions> = {}): Promise<App> => {
  const { models, close } = openSqlite({ tickets, comments, open_tickets }, ddl)
  onTestFinished(close)
  const app = await onFastify({ models, controllers: [], modelConfig, ...more }, { base: '', logger: false })
  onTestFinished(app.stop)
  return app
}

const all: readonly OperationName[] = ['list', 'read', 'create', 'update', 'replace', 'delete']

const subsets = (names: readonly OperationName[]): readonly (readonly OperationName[])[] =>
  Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((_name, at) => Math.floor(bits / 2 ** at) % 2 === 1),
  )

const bodies: Readonly<Partial<Record<string, object>>> = {
  POST: { title: 'new' },
  PUT: { title: 'put' },
  PATCH: { title: 'patched' },
}
const methods: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** The documented methods of a path, in the order of `Allow`. */
const documented = ({ rest }: App, path: string): readonly string[] => {
  const names = Object.keys(rest.openapi().paths[path] ?? {}).map((method) => method.toUpperCase())
  const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
  const served = names.includes('GET') ? [...names, 'HEAD'] : names
  return usual.filter((method) => served.includes(method))
}

describe('chosen operations', () => {
  const chosen = subsets(all).filter(({ length }) => length > 0)
  it.each(chosen.map((operations) => [operations.join(), operations] as const))(
    '%s are those that are documented, served and allowed',
    async (_names, operations) => {
      const app = await openApp({ Ticket: { operations } })
      const send = senderTo(app)
      const expected: Readonly<Record<string, readonly OperationName[]>> = {
        '/tickets/': ['list', 'create'],
        '/tickets/{id}': ['read', 'replace', 'update', 'delete'],
      }
      for (const [path, possible] of Object.entries(expected)) {
        const allowed = documented(app, path)
        expect(allowed.filter((method) => method !== 'HEAD')).toHaveLength(
          possible.filter((name) => operations.includes(name)).length,
        )
        for (const method of methods) {
          const { status, headers } = await send(method, path.replace('{id}', '1'), { body: bodies[method] })
          if (allowed.includes(method)) expect([path, method, status < 300]).toEqual([path, method, true])
          else {
            expect([path, method, status]).toEqual([path, method, allowed.length === 0 ? 404 : 405])
            expect(headers['allow']).toBe(allowed.length === 0 ? undefined : allowed.join(', '))
          }
        }
      }
      const isListed = operations.includes('list')
      expect(documented(app, '/tickets/aggregate')).toEqual(isListed ? ['GET', 'HEAD'] : [])
      expect((await send('GET', '/tickets/aggregate?aggregate=count')).status === 200).toBe(isListed)
      const below = await send('GET', '/tickets/2/comments/')
      expect(below.status).toBe(operations.includes('read') ? 200 : 404)
      expect(documented(app, '/tickets/{id}/comments/').length > 0).toBe(operations.includes('read'))
    },
  )

  it('leave out Location without read, and its header in the document', async () => {
    const app = await openApp({ Ticket: { operations: ['create'] } })
    const { status, headers } = await senderTo(app)('POST', '/tickets/', { body: { title: 'new' } })
    expect([status, headers['location']]).toEqual([201, undefined])
    expect(app.rest.openapi().paths['/tickets/']?.post).toHaveProperty('responses.201')
    expect(app.rest.openapi().paths['/tickets/']?.post).not.toHaveProperty([
      ...['responses', '201', 'headers', 'Location'],
    ])
  })

  it('without list close relations to the model, and keep creating below a record', async () => {
    const app = await openApp({ Comment: { operations: ['read', 'create'] } })
    const send = senderTo(app)
    expect((await send('GET', '/tickets/2?include=comments')).status).toBe(400)
    expect((await send('GET', '/tickets/?q=comments.text=first')).status).toBe(400)
    expect((await send('GET', '/tickets/?sort=-comments.count')).status).toBe(400)
    const created = await send('POST', '/tickets/2/comments/', { body: { text: 'more' } })
    expect([created.status, created.headers['location']]).toEqual([201, '/comments/2'])
    const refused = await send('GET', '/tickets/2/comments/')
    expect([refused.status, refused.headers['allow']]).toEqual([405, 'POST'])
    expect(documented(app, '/tickets/{id}/comments/')).toEqual(['POST'])
    expect(JSON.stringify(app.rest.openapi().components.schemas['TicketDetail'])).not.toContain('comments')
  })

  it('without list choose no records by a filter to write them', async () => {
    const app = await openApp({ Ticket: { operations: ['read', 'update', 'delete'], bulk: true } })
    const send = senderTo(app)
    const path = '/tickets/?id>0'
    const statuses = [
      (await send('PATCH', '/tickets/', { body: [{ id: 1, title: 'new' }] })).status,
      (await send('PATCH', path, { body: { title: 'new' } })).status,
      (await send('DELETE', path)).status,
    ]
    expect(statuses).toEqual([200, 400, 405])
    expect(documented(app, '/tickets/')).toEqual(['PATCH'])
  })

  it('without create do not create below a record', async () => {
    const app = await openApp({ Comment: { operations: ['list'] } })
    const { status, headers } = await senderTo(app)('POST', '/tickets/2/comments/', { body: { text: 'x' } })
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
  })
})

describe('a mistake in operations is found at start:', () => {
  const start = (modelConfig: Config, more: Partial<ModelRestOptions> = {}) => openApp(modelConfig, more)
  const names = (given: readonly string[]) => ({ operations: given as readonly OperationName[] })

  it.each([
    ['an unknown name', { Ticket: names(['lst']) }, ['modelConfig.Ticket.operations', 'lst', 'list']],
    ['none', { Ticket: names([]) }, ['modelConfig.Ticket.operations']],
    ['another type', { Ticket: { operations: 'list' } }, ['modelConfig.Ticket.operations', 'list']],
    [
      'a write of a view',
      { OpenTicket: names(['list', 'create']) },
      ['modelConfig.OpenTicket.operations', 'create', 'view'],
    ],
    [
      'an include without the list',
      { Ticket: { include: ['comments'] }, Comment: names(['read']) },
      ['modelConfig.Ticket.include', 'comments'],
    ],
    [
      'children that bodies could not delete',
      { Ticket: { write: ['comments'] }, Comment: names(['list', 'create', 'update']) },
      ['modelConfig.Ticket.write', 'comments', 'delete', 'modelConfig.Comment.operations'],
    ],
    [
      'children of a record that has no bodies',
      { Ticket: { write: ['comments'], ...names(['list', 'delete']) } },
      ['modelConfig.Ticket.write', 'Ticket'],
    ],
  ] as const)('%s', async (_what, modelConfig, wanted) => {
    await expect(start(modelConfig as unknown as Config)).rejects.toThrow(startError(...wanted))
  })

  it('hooks, schemas and forms that would have no effect', async () => {
    const hooked = [controllerFor('Ticket', { beforeDelete: () => undefined } as never)]
    await expect(start({ Ticket: names(['list']) }, { controllers: hooked })).rejects.toThrow(
      startError('beforeDelete', 'modelConfig.Ticket.operations', 'delete'),
    )
    const { z } = await import('zod')
    const customSchemas = { Ticket: { create: z.object({ title: z.string() }) } }
    await expect(start({ Ticket: names(['list', 'delete']) }, { customSchemas })).rejects.toThrow(
      startError('customSchemas.Ticket', 'modelConfig.Ticket.operations'),
    )
    await expect(
      start({ Ticket: names(['list', 'update']) }, { useMultipart: { Ticket: { create: true } } }),
    ).rejects.toThrow(startError('useMultipart.Ticket.create', 'modelConfig.Ticket.operations', 'create'))
  })
})

it('children that a parent only creates need no more than create', async () => {
  const app = await openApp({
    Ticket: { write: ['comments'], operations: ['create', 'read'] },
    Comment: { operations: ['list', 'create'] },
  })
  const body = { title: 'new', comments: [{ text: 'a' }] }
  const { status, json } = await senderTo(app)('POST', '/tickets/', { body })
  expect([status, json]).toMatchObject([201, { comments: [{ text: 'a' }] }])
})

it('the start line names only acts that a model has', async () => {
  const lines: string[] = []
  const { models, close } = openSqlite({ tickets, comments }, ddl)
  onTestFinished(close)
  const modelConfig = { Ticket: { operations: ['list', 'create'] as const, public: 'read' as const } }
  const auth = { authenticate: () => null }
  const app = await onFastify(
    { models, controllers: [], modelConfig, auth },
    { onEntry: ({ line }) => lines.push(line) },
  )
  onTestFinished(app.stop)
  expect(lines).toContainEqual(expect.stringContaining('Ticket (create)'))
  expect(lines).toContainEqual(expect.stringContaining('Ticket (read)'))
})
