import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { problemCodes } from '../../src/error/codes.ts'
import { controllerFor, HttpError, type ModelRestOptions } from '../../src/index.ts'
import { type App, onFastify } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { senderTo } from '../stage/requests.ts'
import { startError } from './start-error.ts'

const tickets = sqliteTable('tickets', { id: integer().primaryKey(), title: text().notNull() })
const notes = sqliteTable('notes', {
  id: integer().primaryKey(),
  ticket_id: integer().references(() => tickets.id),
})
const ddl = `
  create table tickets (id integer primary key, title text not null);
  create table notes (id integer primary key, ticket_id integer references tickets);
  insert into tickets (title) values ('one')`

const type = 'https://example.com/problems/quota'
const codes = {
  ticket_closed: { status: 409, title: 'The ticket is closed' },
  over_quota: { status: 402, title: 'The quota is used up', type },
} as const

const openApp = async (thrown: () => unknown, more: Partial<ModelRestOptions> = {}): Promise<App> => {
  const { models, close } = openSqlite({ tickets, notes }, ddl)
  onTestFinished(close)
  const throwing = () => {
    throw thrown()
  }
  const controllers = [controllerFor('Ticket', { beforeUpdate: throwing } as never)]
  const app = await onFastify(
    { models, controllers, openapi: { codes }, ...more },
    { base: '', logger: false },
  )
  onTestFinished(app.stop)
  return app
}

const patch = (app: App) => senderTo(app)('PATCH', '/tickets/1', { body: { title: 'x' } })

describe('a code of the application', () => {
  it('is in the problem, with the title and the type that openapi.codes gives it', async () => {
    const closed = await openApp(() => new HttpError(409, 'Ticket 1 is closed.', { code: 'ticket_closed' }))
    expect((await patch(closed)).json).toEqual({
      type: 'urn:modelrest:problem:ticket_closed',
      title: 'The ticket is closed',
      status: 409,
      detail: 'Ticket 1 is closed.',
      instance: '/tickets/1',
      code: 'ticket_closed',
    })
    const quota = await openApp(() => new HttpError(402, 'Pay.', { code: 'over_quota' }))
    expect((await patch(quota)).json).toMatchObject({ type, title: 'The quota is used up', status: 402 })
  })

  it('works without being listed', async () => {
    const app = await openApp(() => new HttpError(418, 'No.', { code: 'is_a_teapot' }), { openapi: {} })
    expect((await patch(app)).json).toMatchObject({
      status: 418,
      code: 'is_a_teapot',
      title: 'Is a teapot',
      type: 'urn:modelrest:problem:is_a_teapot',
    })
  })

  it('absent: the code is that of the status', async () => {
    for (const [status, code] of [
      [409, 'conflict'],
      [410, 'gone'],
      [418, 'rejected'],
      [502, 'bad_gateway'],
      [599, 'internal_error'],
    ] as const) {
      const app = await openApp(() => new HttpError(status, 'No.'))
      const { status: sent, json } = await patch(app)
      expect([sent, json['code']]).toEqual([status, code])
    }
  })

  it('may be in the errors of a problem', async () => {
    const errors = [{ pointer: '/title', code: 'rude_word', detail: 'Be polite.' }]
    const app = await openApp(() => new HttpError(422, 'No.', { errors }))
    expect((await patch(app)).json['errors']).toEqual(errors)
  })
})

it('listed codes are documented where code of the application runs', async () => {
  const app = await openApp(() => new Error('unused'))
  const { paths, components } = app.rest.openapi()
  const codesOf = (path: string, method: 'get' | 'patch' | 'delete') =>
    JSON.stringify(paths[path]?.[method]?.['x-problem-codes'])
  expect(codesOf('/tickets/{id}', 'patch')).toContain('"ticket_closed","over_quota"')
  expect(codesOf('/tickets/{id}', 'delete')).not.toContain('ticket_closed')
  expect(codesOf('/notes/{id}', 'patch')).not.toContain('ticket_closed')
  expect(paths['/tickets/{id}']?.patch).toHaveProperty(
    'responses.402.$ref',
    '#/components/responses/Problem402',
  )
  expect(components.responses['Problem409']?.description).toContain('The ticket is closed')
  expect(components.examples['over_quota']?.value).toMatchObject({ type, status: 402, code: 'over_quota' })
})

it('the bodies that write a model are documented with its codes', async () => {
  const app = await openApp(() => new Error('unused'), {
    modelConfig: {
      Note: { operations: ['list', 'read', 'create', 'update', 'delete'] },
      Ticket: { write: ['notes'] },
    },
    controllers: [controllerFor('Note', { beforeCreate: () => undefined } as never)],
  })
  const { paths } = app.rest.openapi()
  expect(JSON.stringify(paths['/tickets/']?.post)).toContain('ticket_closed')
  expect(JSON.stringify(paths['/tickets/']?.get)).not.toContain('ticket_closed')
  expect(JSON.stringify(paths['/tickets/{id}/notes/']?.post)).toContain('ticket_closed')
})

it.each([
  ['camel case', 409, 'ticketClosed'],
  ['no letter', 409, ''],
  ['too long', 409, 'a'.repeat(61)],
  ['white space', 409, 'ticket closed'],
  ['a code of another status', 409, 'not_found'],
  ['a general code of another status', 409, 'gone'],
])('HttpError refuses a code with %s', (_what, status, code) => {
  expect(() => new HttpError(status, '', { code })).toThrow(RangeError)
})

it('HttpError takes every code in snake case that modelrest does not define, with any status', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/)
  const code = fc
    .array(word, { minLength: 2, maxLength: 5 })
    .map((words) => words.join('_'))
    .filter((text) => !(text in problemCodes))
  fc.assert(
    fc.property(code, fc.integer({ min: 400, max: 599 }), (own, status) => {
      expect(new HttpError(status, '', { code: own }).code).toBe(own)
    }),
  )
})

it('HttpError takes its own code again, as in an error that is thrown on', () => {
  for (let status = 400; status < 600; status++) {
    const { code } = new HttpError(status, '')
    expect(new HttpError(status, '', { code }).code).toBe(code)
  }
})

describe('a mistake in openapi.codes is found at start:', () => {
  it.each([
    [
      'a code of modelrest',
      { unique_conflict: { status: 409, title: 'x' } },
      ['openapi.codes.unique_conflict'],
    ],
    ['a general code', { gone: { status: 410, title: 'x' } }, ['openapi.codes.gone']],
    [
      'a code that is not in snake case',
      { 'Is-Closed': { status: 409, title: 'x' } },
      ['openapi.codes.Is-Closed'],
    ],
    ['no title', { closed_now: { status: 409 } }, ['openapi.codes.closed_now.title']],
    ['an empty title', { closed_now: { status: 409, title: ' ' } }, ['openapi.codes.closed_now.title']],
    ['a long title', { closed_now: { status: 409, title: 'x'.repeat(251) } }, ['title', 250]],
    [
      'a status below 400',
      { closed_now: { status: 200, title: 'x' } },
      ['openapi.codes.closed_now.status', 400],
    ],
    [
      'a relative type',
      { closed_now: { status: 409, title: 'x', type: '/x' } },
      ['openapi.codes.closed_now.type'],
    ],
    [
      'an unknown member',
      { closed_now: { status: 409, titel: 'x' } },
      ['openapi.codes.closed_now', 'titel', 'title'],
    ],
    ['a list', ['closed_now'], ['openapi.codes']],
  ] as const)('%s', async (_what, given, names) => {
    await expect(openApp(() => 0, { openapi: { codes: given as never } })).rejects.toThrow(
      startError(...names),
    )
  })
})
