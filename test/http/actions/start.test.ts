import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ModelRest } from '../../../src/entry/fastify.ts'
import { action, BaseModelController, controllerFor, StartError } from '../../../src/index.ts'
import { openSqlite } from '../../stage/databases.ts'
import { deskTables, lite, type Parts } from './stage.ts'

const close = action({ on: 'record', run: () => undefined })
const gather = action({ on: 'collection', run: () => undefined })

const refused = async (parts: object, options = {}): Promise<string> => {
  const error = await lite(parts as Parts, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StartError)
  return String(error)
}

test.each<readonly [string, object, readonly string[]]>([
  ['no actions', { actions: 7 }, ['actions']],
  ['no action', { actions: { close: () => undefined } }, ['actions.close', 'action(']],
  ['no run', { actions: { close: { on: 'record' } } }, ['actions.close', 'run']],
  [
    'a generator',
    { actions: { close: action({ on: 'record', *run() {} } as never) } },
    ['actions.close.run', 'generator'],
  ],
  ['no place', { actions: { close: { run: () => undefined } } }, ['actions.close.on', 'collection']],
  [
    'another place',
    { actions: { close: action({ on: 'list', run: () => undefined } as never) } },
    ['actions.close.on', 'collection'],
  ],
  [
    'a misspelt option',
    { actions: { close: action({ ...close, ouput: z.any() } as never) } },
    ['actions.close', 'ouput', 'output'],
  ],
  [
    'no schema',
    {
      actions: { close: action({ on: 'record', input: { reason: 'text' }, run: () => undefined } as never) },
    },
    ['actions.close.input', 'Zod'],
  ],
  [
    'a code that openapi.codes does not have',
    { actions: { close: action({ on: 'record', codes: ['nope'], run: () => undefined }) } },
    ['actions.close.codes', 'nope', 'openapi'],
  ],
  [
    'a permission of another kind',
    { actions: { close: action({ on: 'record', permission: true, run: () => undefined } as never) } },
    ['actions.close.permission', 'authenticated'],
  ],
  [
    'two permissions',
    {
      permissions: { close: 'public' },
      actions: { close: action({ on: 'record', permission: 'public', run: () => undefined }) },
    },
    ['actions.close.permission', 'permissions.close'],
  ],
  [
    'a permission without its action',
    { permissions: { clsoe: 'public' }, actions: { close } },
    ['clsoe', 'close'],
  ],
  [
    'a permission that needs auth',
    { permissions: { close: 'authenticated' }, actions: { close } },
    ['permissions.close', 'auth'],
  ],
  ['a name with other characters', { actions: { 'close/it': close } }, ['close/it', 'camelCase']],
  ['a name in snake case', { actions: { close_it: close } }, ['close_it', 'camelCase']],
  ['a long name', { actions: { ['a'.repeat(61)]: close } }, ['60']],
  ['the name of an operation', { actions: { update: close } }, ['update']],
  ['the path of an aggregate', { actions: { aggregate: gather } }, ['aggregate']],
  [
    'one path twice',
    { actions: { closeURL: close, closeUrl: close } },
    ['closeURL', 'closeUrl', 'close-url'],
  ],
  [
    'the path of a relation',
    { actions: { comments: close } },
    ['actions.comments', 'relation comments', '/tickets/{id}/comments'],
  ],
  ['a misspelt member', { action: { close } }, ['action', 'actions']],
])('an action is refused at start with %s', async (_what, parts, names) => {
  const message = await refused(parts)
  for (const name of names) expect(message).toContain(name)
})

test('an action cannot have the path at which records are created below another one', async () => {
  const modelConfig = { Comment: { operations: ['create'] } } as const
  const message = await refused({ actions: { comments: close } }, { modelConfig })
  for (const name of ['actions.comments', 'createCommentsOfTicket', '/tickets/{id}/comments'])
    expect(message).toContain(name)
})

test('an action may cause codes of modelrest and listed ones. A code that is not listed is refused at start', async () => {
  const openapi = { codes: { ticket_closed: { status: 409, title: 'The ticket is closed' } } }
  const codes = ['ticket_closed', 'conflict', 'not_listed']
  const message = await refused(
    { actions: { close: action({ on: 'record', codes, run: () => undefined }) } },
    { openapi },
  )
  for (const name of ['actions.close', 'not_listed']) expect(message).toContain(name)
  expect(message).not.toContain('ticket_closed')
  const known = codes.slice(0, 2)
  await lite(
    { actions: { close: action({ on: 'record', codes: known, run: () => undefined }) } },
    { openapi },
  )
})

test('an action may have the name of a relation on the collection, or of one that has another name now', async () => {
  await lite({ actions: { comments: gather } })
  const modelConfig = { Ticket: { relations: { comments: 'notes' } } }
  const desk = await lite({ actions: { comments: close } }, { modelConfig })
  expect((await desk.send('POST', '/tickets/1/comments')).status).toBe(200)
  expect((await desk.send('GET', '/tickets/1/notes/')).status).toBe(200)
})

test('an action cannot have the operationId of another operation', async () => {
  const others = { Team: { actions: { close: action({ on: 'record', run: () => undefined }) } } }
  const modelConfig = {}
  await lite({ actions: { close } }, { others, modelConfig })
  const message = await refused({ actions: { listCommentsOf: close } })
  for (const name of ['listCommentsOf', 'listCommentsOfTicket', '/tickets/{id}/comments/'])
    expect(message).toContain(name)
})

test('an action cannot have a route of the application', async () => {
  const database = openSqlite(deskTables.sqlite.tables, deskTables.sqlite.ddl)
  onTestFinished(database.close)
  const app = Fastify()
  app.post('/tickets/:id/close', async () => 'own')
  const controllers = [controllerFor('Ticket', { actions: { close } })]
  const message = await new ModelRest(app, { models: database.models, controllers }).init().then(
    () => '',
    (error: unknown) => String(error),
  )
  for (const name of ['actions.close', 'POST /tickets/{id}/close']) expect(message).toContain(name)
})

test('actions of a class are its static member, and subclasses inherit them', async () => {
  class Base extends BaseModelController {
    static actions = { close: action({ on: 'record', run: () => ({ status: 'closed' }) }) }
  }
  const database = openSqlite(deskTables.sqlite.tables, deskTables.sqlite.ddl)
  onTestFinished(database.close)
  const app = Fastify()
  const controllers = [controllerFor('Ticket', class extends Base {})]
  await new ModelRest(app, { models: database.models, controllers }).init()
  const reply = await app.inject({ method: 'POST', url: '/tickets/1/close' })
  expect(reply.json()).toMatchObject({ status: 'closed' })
})

test('the log names the actions that are open to everyone, or that a function decides', async () => {
  const { lines } = await lite(
    {
      permissions: { decide: () => true },
      actions: {
        close,
        open: action({ on: 'record', permission: 'public', run: () => undefined }),
        decide: gather,
      },
    },
    { auth: { authenticate: () => null } },
  )
  const line = lines.find((one) => one.includes('routes under'))
  expect(line).toMatch(/protected except for Ticket\.open, .*Ticket\.decide/)
  expect(line).not.toContain('Ticket.close')
})
