import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { fetchApp, ModelRest } from '../../src/entry/fetch.ts'
import { type ControllerClass, controllerFor, defineSettings, hashPassword } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { secret } from '../stage/auth-service.ts'
import { documented } from './documented.ts'

const page: {
  club?: Record<string, unknown>
  directory?: ControllerClass
  editors?: ControllerClass
  modelConfig?: object
} = {}
let hash = ''
beforeAll(async () => {
  const [club, directory, config, editors] = await documented(
    ...['club/models.ts', 'club/directory.ts', 'club/config.ts', 'club/editors.ts'],
  )
  Object.assign(page, {
    club,
    directory: directory?.['MemberController'],
    editors: editors?.['MemberController'],
    modelConfig: config?.['modelConfig'],
  })
  hash = await hashPassword('correct horse battery')
})

const ddl = `
  create table members (
    id integer primary key autoincrement, email text not null unique, username text unique, name text,
    password text not null, role text not null default 'member', is_active integer not null default 1,
    created_at integer not null default 1000);`

type Options = Partial<Record<'modelConfig' | 'useMultipart' | 'customSchemas', object>> & {
  readonly controllers: readonly ControllerClass[]
}

/** The members of the page: 1 Ada, 2 Bob, 3 Eve, whom nobody lets in any more, and 4 Edna, an editor. */
const serve = async ({ controllers, modelConfig = { Member: { internal: false } }, ...options }: Options) => {
  const client = new Database(':memory:')
  client.exec(ddl)
  const insert = client.prepare('insert into members (email, username, password, role) values (?, ?, ?, ?)')
  for (const [name, role] of [['ada'], ['bob'], ['eve'], ['edna', 'editor']] as const)
    insert.run(`${name}@example.com`, name, hash, role ?? 'member')
  const warnings: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => warnings.push(String(text)) > 0)
  const app = fetchApp({ clientAddress: () => '127.0.0.1' })
  await new ModelRest(app, {
    models: drizzleModels(drizzle({ client }), { club: page.club }),
    auth: true,
    controllers,
    modelConfig,
    settings: defineSettings({
      SECRET_KEY: secret,
      AUTH_USER_MODEL: 'club.Member',
      SERVICE_AUTH: {
        LOGIN_FIELDS: ['username'],
        REGISTER_FIELDS: ['username', 'email'],
        LOG_AUTH_EVENTS: false,
      },
    }),
    ...options,
  } as never).init()
  vi.restoreAllMocks()

  const send = async (method: string, path: string, token?: string, body?: Body, type?: string) => {
    const headers = {
      ...(type !== undefined && { 'content-type': type }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const response = await app.fetch(
      new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) }),
    )
    const text = await response.text()
    return {
      status: response.status,
      text,
      json: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
    }
  }
  const asJson = (method: string, path: string, token: string | undefined, body: object) =>
    send(method, path, token, JSON.stringify(body), 'application/json')
  const tokenOf = async (username: string) => {
    const { json } = await asJson('POST', '/auth/login', undefined, {
      username,
      password: 'correct horse battery',
    })
    return String(json['access'])
  }
  const [ada, bob, eve, edna] = await Promise.all(['ada', 'bob', 'eve', 'edna'].map(tokenOf))
  client.exec('update members set is_active = 0 where id = 3')
  const stored = () => client.prepare('select * from members order by id').all() as Record<string, unknown>[]
  return { asJson, send, stored, warnings, tokens: { ada, bob, eve, edna, anonymous: undefined } }
}

type Club = Awaited<ReturnType<typeof serve>>

/** Each column of the table that registration does not take, with values that it could have. */
const powers: readonly (readonly [string, unknown])[] = [
  ['id', 9],
  ['password', 'another horse battery'],
  ['password_hash', 'x'],
  ['role', 'editor'],
  ['is_active', true],
  ['is_active', false],
  ['created_at', '2020-01-01T00:00:00Z'],
  ['created_at', null],
  ['name', 'Another name'],
  ['__proto__', { role: 'editor' }],
]

type Body = string | FormData | URLSearchParams

const forms = (fields: Readonly<Record<string, unknown>>): readonly [Body, string | undefined][] => {
  const texts = Object.entries(fields).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const form = new FormData()
  for (const [name, text] of texts) form.append(name, text)
  return [
    [
      `{${Object.entries(fields).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)}}`,
      'application/json',
    ],
    [form, undefined],
    [new URLSearchParams(texts), 'application/x-www-form-urlencoded'],
  ]
}

/** Tries every way in which this caller could take a power, and gives the statuses. */
const takings = async ({ send }: Club, token: string | undefined): Promise<ReadonlySet<number>> => {
  const statuses = new Set<number>()
  const whole = { email: 'new@example.com', username: 'new' }
  for (const [name, value] of powers) {
    for (const id of [1, 2, 3, 4]) {
      for (const [method, path, others] of [
        ['PATCH', `/members/${id}`, {}],
        ['PUT', `/members/${id}`, whole],
        ['POST', '/members/', whole],
      ] as const) {
        for (const [body, type] of forms({ ...others, [name]: value })) {
          statuses.add((await send(method, path, token, body, type)).status)
        }
      }
    }
  }
  return statuses
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe.each([
  ['with JSON', undefined],
  ['with forms', { Member: { create: true, update: true } }],
])('the directory of docs/users.md, %s', (_how, useMultipart) => {
  it.each(['ada', 'eve', 'edna', 'anonymous'] as const)(
    'gives %s no column but those of registration',
    async (who) => {
      const club = await serve({
        controllers: [page.directory as ControllerClass],
        ...(useMultipart && { useMultipart }),
      })
      const before = club.stored()
      const statuses = await takings(club, club.tokens[who])
      // A PUT takes a read-only field that is as it was: 200.
      expect([...statuses].filter((status) => ![200, 401, 403, 405, 415, 422].includes(status))).toEqual([])
      const unnamed = (rows: readonly Record<string, unknown>[]) =>
        rows.map(({ email: _email, username: _username, ...rest }) => rest)
      expect(unnamed(club.stored())).toEqual(unnamed(before))
    },
  )
})

it('the directory of docs/users.md lets users change what registration takes, of their own record', async () => {
  const { asJson, stored, tokens, warnings } = await serve({
    controllers: [page.directory as ControllerClass],
  })
  expect((await asJson('PATCH', '/members/1', tokens.ada, { username: 'ADA2' })).json).toMatchObject({
    username: 'ada2',
    role: 'member',
  })
  expect((await asJson('PATCH', '/members/2', tokens.ada, { username: 'x' })).status).toBe(403)
  expect(stored()[1]).toMatchObject({ username: 'bob' })
  expect(warnings.filter((line) => /\bMember\.\w/.test(line))).toEqual([])
})

describe('the administrators of docs/users.md', () => {
  const start = () =>
    serve({
      controllers: [page.editors as ControllerClass],
      modelConfig: page.modelConfig as object,
    })

  it('change roles, and start-up says which columns are open', async () => {
    const { asJson, stored, tokens, warnings } = await start()
    expect(
      (await asJson('PATCH', '/members/2', tokens.edna, { role: 'editor', is_active: false })).json,
    ).toMatchObject({ role: 'editor', is_active: false })
    expect(stored()[1]).toMatchObject({ role: 'editor', is_active: 0 })
    for (const name of ['role', 'is_active'])
      expect(warnings.filter((line) => naming(`Member.${name}`).test(line))).toHaveLength(1)
    expect(warnings.filter((line) => line.includes('password'))).toEqual([])
  })

  it.each(['ada', 'eve', 'anonymous'] as const)('give %s no power', async (who) => {
    const club = await start()
    const before = club.stored()
    await takings(club, club.tokens[who])
    const powerful = (rows: readonly Record<string, unknown>[]) =>
      rows.map(({ id, role, is_active, password, created_at, name }) => [
        ...[id, role, is_active, password, created_at, name],
      ])
    expect(powerful(club.stored())).toEqual(powerful(before))
  })

  it('are not needed for a PUT that names no power: it leaves them as they are', async () => {
    const { asJson, stored, tokens } = await start()
    const body = { email: 'eve2@example.com', username: 'eve' }
    expect((await asJson('PUT', '/members/3', tokens.eve, body)).status).toBe(200)
    expect(stored()[2]).toMatchObject({ email: 'eve2@example.com', role: 'member', is_active: 0 })
    const { json } = await asJson('PUT', '/members/4', tokens.edna, { email: 'edna@example.com' })
    expect(json).toMatchObject({ role: 'editor', username: null })
  })

  it('do not register: registration takes no column that modelConfig opens', async () => {
    const { asJson, stored } = await start()
    const body = { username: 'new', email: 'new@example.com', password: 'correct horse battery' }
    for (const more of [{ role: 'editor' }, { is_active: true }]) {
      const reply = await asJson('POST', '/auth/register', undefined, { ...body, ...more })
      expect(reply.json).toMatchObject({ status: 422, errors: [{ pointer: `/${Object.keys(more)[0]}` }] })
    }
    expect(stored()).toHaveLength(4)
  })
})

const asMember = controllerFor as unknown as (model: string, parts: object) => ControllerClass

/** What callers may do with a record that is theirs, with that of another, with one that is not there, and without any. */
const writesOf = async ({ asJson, send }: Club, token: string | undefined, own: number, other: number) => {
  const whole = { email: 'changed@example.com', username: 'changed' }
  const statuses = async (id: number) => [
    (await asJson('PATCH', `/members/${id}`, token, { email: 'changed@example.com' })).status,
    (await asJson('PUT', `/members/${id}`, token, whole)).status,
    (await send('DELETE', `/members/${id}`, token)).status,
  ]
  return {
    other: await statuses(other),
    missing: await statuses(99),
    create: (await asJson('POST', '/members/', token, { ...whole, email: 'more@example.com' })).status,
    own: await statuses(own),
  }
}

describe.each([
  ['a protected model', {}],
  ['a model of which modelConfig opens reading', { public: 'read' }],
  ['a model that modelConfig makes public', { public: true }],
])('a scope that shows all users, of %s,', (_what, config) => {
  const open = (parts: object = {}) =>
    serve({
      controllers: [asMember('Member', { scope: () => ({}), ...parts })],
      modelConfig: { Member: { internal: false, ...config } },
    })

  it('lets callers write their own record only, and create none', async () => {
    const club = await open()
    const before = club.stored()
    expect((await club.send('GET', '/members/', club.tokens.ada)).json).toMatchObject({ count: 4 })
    expect(await writesOf(club, club.tokens.ada, 1, 2)).toEqual({
      ...{ other: [403, 403, 403], missing: [404, 404, 404], create: 405 },
      own: [200, 200, 204],
    })
    expect(club.stored()).toEqual(before.slice(1))
  })

  it('lets the anonymous write nothing, and does not tell them which records there are', async () => {
    const club = await open()
    const before = club.stored()
    expect(await writesOf(club, undefined, 1, 2)).toEqual({
      ...{ other: [401, 401, 401], missing: [401, 401, 401], create: 405, own: [401, 401, 401] },
    })
    expect(club.stored()).toEqual(before)
  })

  it.each([
    ['update', { other: [200, 200, 403], create: 405 }],
    ['delete', { other: [403, 403, 204], create: 405 }],
    ['create', { other: [403, 403, 403], create: 201 }],
  ] as const)('opens with permissions.%s that act only', async (act, expected) => {
    const club = await open({
      permissions: { [act]: 'authenticated' },
      beforeCreate: (_request: unknown, payload: object) => ({ ...payload, password: hash }),
    })
    expect(await writesOf(club, club.tokens.ada, 1, 2)).toMatchObject(expected)
  })

  it('opens nothing by hooks, and creates none whose hooks would supply the password', async () => {
    const beforeCreate = (_request: unknown, payload: object) => ({ ...payload, password: hash })
    const club = await open({ beforeCreate, beforeUpdate: () => undefined, beforeDelete: () => undefined })
    expect(await writesOf(club, club.tokens.ada, 1, 2)).toMatchObject({
      ...{ other: [403, 403, 403], create: 405, own: [200, 200, 204] },
    })
  })
})

it('a column with power that a hook guards is written in the own record only, without permissions.update', async () => {
  const guarded = asMember('Member', {
    scope: () => ({}),
    beforeUpdate: (_request: unknown, _record: object, payload: object) => payload,
  })
  const { asJson, send, stored, tokens } = await serve({
    controllers: [guarded],
    modelConfig: { Member: { internal: false, writable: ['role'] } },
  })
  expect((await asJson('PATCH', '/members/1', tokens.ada, { role: 'editor' })).status).toBe(200)
  expect((await asJson('PATCH', '/members/2', tokens.ada, { role: 'editor' })).status).toBe(403)
  expect(
    (await asJson('POST', '/members/', tokens.ada, { email: 'n@example.com', role: 'editor' })).status,
  ).toBe(405)
  expect((await send('GET', '/members/2', tokens.ada)).json).toMatchObject({ role: 'member' })
  expect(stored()).toHaveLength(4)
})

describe('start-up', () => {
  const modelConfig = { Member: { internal: false, writable: ['role'] } }

  it.each([
    ['no controller', []],
    ['a scope that says nothing of writing', [{ scope: () => ({}) }]],
    ['a rule for creates only', [{ scope: () => ({}), permissions: { create: () => false } }]],
  ])('refuses a power that is open with %s', async (_what, parts) => {
    const controllers = parts.map((one) => asMember('Member', one))
    await expect(serve({ controllers, modelConfig })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(
        naming('modelConfig.Member.writable', 'role', 'permissions.update', 'beforeUpdate'),
      ),
    })
  })

  it('refuses none that is guarded, and none that gives no power', async () => {
    const controllers = [asMember('Member', { scope: () => ({}), permissions: { update: () => false } })]
    await serve({ controllers, modelConfig })
    await serve({ controllers: [], modelConfig: { Member: { internal: false, writable: ['name'] } } })
  })

  it.each([
    ['a column that is not there', { Member: { internal: false, writable: ['rôle'] } }, ['rôle', 'role']],
    ['the key', { Member: { internal: false, writable: ['id'] } }, ['id']],
    ['the password', { Member: { internal: false, writable: ['password'] } }, ['password']],
    [
      'a column that is read-only',
      { Member: { internal: false, writable: ['name'], readOnly: ['name'] } },
      ['name'],
    ],
    ['what registration takes', { Member: { internal: false, writable: ['email'] } }, ['email']],
    ['a user model that is not served', { Member: { writable: ['name'] } }, ['internal', 'exclude']],
  ])('refuses writable with %s', async (_what, config, names) => {
    await expect(serve({ controllers: [], modelConfig: config })).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(naming('modelConfig.Member.writable', ...names)),
    })
  })

  it('warns of a custom schema that takes a power', async () => {
    const update = z.object({ role: z.string().optional() })
    const { warnings } = await serve({ controllers: [], customSchemas: { Member: { update } } })
    const named = naming('customSchemas.Member.update', 'role')
    expect(warnings.filter((line) => named.test(line))).toHaveLength(1)
  })
})

it('a loose schema of the application opens no column that it does not name', async () => {
  const update = z.looseObject({ username: z.string().optional() })
  const { asJson, stored, tokens } = await serve({
    controllers: [page.directory as ControllerClass],
    customSchemas: { Member: { update } },
  })
  const before = stored()
  for (const [name, value] of powers) {
    const { status } = await asJson('PATCH', '/members/1', tokens.ada, { [name]: value })
    expect([name, status]).toEqual([name, expect.toSatisfy((code) => code === 422 || code === 200)])
  }
  expect(stored()).toEqual(before)
})
