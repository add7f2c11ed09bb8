import { describe, expect, it } from 'vitest'
import { HttpError } from '../../../src/index.ts'
import { answersIn, type Rights } from '../../stage/access-answers.ts'
import { arrived } from '../../stage/mail-service.ts'
import { keyOf } from './keys/stage.ts'
import {
  ids,
  type ManagedService,
  manageUsers,
  password,
  permissions,
  startManaged,
} from './managed-stage.ts'

const eve = { email: 'eve@example.com' }

const paths = ['disable', 'enable', 'reset']

const usersIn = ({ rows }: ManagedService) =>
  rows('select id, email, role, team, is_active, password from users order by id')

describe('management of users is refused', () => {
  it('checklist 49: to anonymous callers, before a body is read and whatever there is', async () => {
    const service = await startManaged()
    const before = await usersIn(service)
    for (const id of [ids.ben, 999])
      for (const path of paths) {
        const reply = await service.manage(`${id}/${path}`, undefined)
        expect([path, reply.status, reply.headers['www-authenticate']]).toEqual([path, 401, 'Bearer'])
      }
    for (const body of [eve, 'x'.repeat(100_000), '{'])
      expect((await service.manage('invite', undefined, body)).status).toBe(401)
    expect((await service.manage('invite', 'no token', eve)).status).toBe(401)
    expect(await usersIn(service)).toEqual(before)
  })

  it('checklist 49: to callers without the permission, by the record', async () => {
    const service = await startManaged()
    const [ben, mark] = [await service.token('ben'), await service.token('mark')]
    const before = await usersIn(service)
    expect((await service.manage('invite', ben, eve)).status).toBe(403)
    for (const path of paths) {
      for (const id of [ids.ben, ids.mark])
        expect([path, (await service.manage(`${id}/${path}`, ben)).status]).toEqual([path, 403])
      for (const id of [ids.anna, ids.moira, ids.mark])
        expect([path, (await service.manage(`${id}/${path}`, mark)).status]).toEqual([path, 403])
      // Out of scope.
      expect([path, (await service.manage(`${ids.tom}/${path}`, mark)).status]).toEqual([path, 404])
    }
    expect(await usersIn(service)).toEqual(before)
    expect(await arrived(service, service.box, 'reset')).toEqual([])
  })

  it('to anonymous callers in the same way for a user who is there and one who is not', async () => {
    const service = await startManaged({ controller: { permissions: { ...permissions, read: () => true } } })
    for (const id of [ids.ben, 999])
      for (const path of paths) {
        const { status } = await service.manage(`${id}/${path}`, undefined)
        expect([id, path, status]).toEqual([id, path, 401])
      }
  })

  it('for keys that are none', async () => {
    const service = await startManaged()
    const token = await service.token('anna')
    const keys = ['999', 'constructor', '__proto__', '1,2', '01', '1e0', '-1', '%00', 'null', '1%20']
    for (const key of [...keys, '9'.repeat(400)])
      for (const path of paths) {
        const reply = await service.manage(`${key}/${path}`, token)
        expect([key, path, reply.status]).toEqual([key, path, 404])
      }
  })

  it('for bodies with anything else', async () => {
    const service = await startManaged()
    const token = await service.token('anna')
    const before = await usersIn(service)
    const others = {
      ...{ id: 1, role: 'admin', team: 2, is_active: false, email_verified: true, password: 'x' },
      ...{ constructor: 1, toString: 1, is_admin: true },
    }
    for (const [name, value] of Object.entries(others))
      expect([name, (await service.manage('invite', token, { ...eve, [name]: value })).status]).toEqual([
        ...[name, 422],
      ])
    for (const body of [
      '{"email":"eve@example.com","__proto__":{"role":"admin"}}',
      [],
      [eve],
      'null',
      '1',
      {},
    ])
      expect([body, (await service.manage('invite', token, body)).status]).toEqual([body, 422])
    for (const email of [null, '', ' ', 'eve', 'a@b\nc', 'eve@example.com\u0000', 1, ['eve@example.com']])
      expect([email, (await service.manage('invite', token, { email })).status]).toEqual([email, 422])
    expect((await service.manage('invite', token, '{')).status).toBe(400)
    expect((await service.manage('invite', token, { ...eve, name: 'x'.repeat(3_000_000) })).status).toBe(413)
    for (const path of paths) {
      expect((await service.manage(`${ids.ben}/${path}`, token, { is_active: true })).status).toBe(422)
      expect((await service.manage(`${ids.ben}/${path}?role=admin`, token)).status).toBe(400)
    }
    expect((await service.manage('invite?role=admin', token, eve)).status).toBe(400)
    expect((await service.send('GET', `/api/auth/users/invite`, { token })).status).toBe(405)
    expect(await usersIn(service)).toEqual(before)
  })

  it('for oneself, and to those who are disabled themselves', async () => {
    const service = await startManaged()
    const token = await service.token('anna')
    const own = await service.manage(`${ids.anna}/disable`, token)
    expect([own.status, own.json['code']]).toEqual([409, 'conflict'])
    await service.execute(`update users set is_active = 0 where id = ${ids.anna}`)
    // The access token is still valid.
    expect((await service.send('GET', '/api/users/', { token })).status).toBe(200)
    const before = await usersIn(service)
    expect((await service.manage('invite', token, eve)).status).toBe(403)
    for (const path of paths) expect((await service.manage(`${ids.ben}/${path}`, token)).status).toBe(403)
    await service.execute(`delete from users where id = ${ids.anna}`)
    expect((await service.manage(`${ids.ben}/disable`, token)).status).toBeGreaterThan(400)
    expect(await usersIn(service)).toEqual(before.slice(1))
  })

  it('where the permission throws or decides nothing', async () => {
    const given = { decides: (): unknown => undefined }
    const service = await startManaged({
      controller: { permissions: { ...permissions, manageUsers: () => given.decides() } },
    })
    const token = await service.token('anna')
    const before = await usersIn(service)
    const refusing = async (): Promise<readonly number[]> => [
      (await service.manage('invite', token, eve)).status,
      (await service.manage(`${ids.ben}/disable`, token)).status,
    ]
    for (const result of [undefined, null, 1, 'yes', {}]) {
      given.decides = () => result
      expect([result, ...(await refusing())]).toEqual([result, 403, 403])
    }
    given.decides = () => {
      throw new Error('secret text')
    }
    expect(await refusing()).toEqual([500, 500])
    given.decides = () => {
      throw new HttpError(403, 'Not you.')
    }
    expect(await refusing()).toEqual([403, 403])
    expect(await usersIn(service)).toEqual(before)
  })

  it('to a caller with an API key, which the document does not offer', async () => {
    const service = await startManaged({ settings: { API_KEYS: true } })
    const { key } = await keyOf(
      service,
      { access: await service.token('anna') },
      { access: 'write', password },
    )
    expect((await service.manage('invite', key, eve)).status).toBe(403)
    expect((await service.manage(`${ids.ben}/disable`, key)).status).toBe(403)
    const { paths } = service.rest.openapi()
    for (const path of ['invite', '{id}/disable', '{id}/enable'])
      expect(paths[`/auth/users/${path}`]?.post?.security).toEqual([{ bearer: [] }, { cookie: [] }])
  })

  it('to a caller of another site that has only the cookie', async () => {
    const service = await startManaged()
    const access = await service.token('anna')
    const sent = {
      ...{ cookies: { service_access_token: access }, headers: { origin: 'https://evil.example' } },
    }
    expect((await service.manage('invite', undefined, eve, sent)).status).toBe(403)
    expect((await service.manage(`${ids.ben}/disable`, undefined, undefined, sent)).status).toBe(403)
  })
})

describe('what an invitation stores', () => {
  const writable = { User: { internal: false, writable: ['role'] } } as never
  const update = manageUsers
  const admins = { ...eve, role: 'admin' }

  it('checklist 49: has no column that only updates may write', async () => {
    const options = { modelConfig: writable }
    const service = await startManaged({ options, controller: { permissions: { manageUsers, update } } })
    const token = await service.token('mark')
    expect((await service.manage('invite', token, admins)).status).toBe(422)
    expect((await service.manage('invite', token, eve)).json['role']).toBe('member')
  })

  it('has those of a create with its permission, which must allow it too', async () => {
    const options = { modelConfig: writable }
    const create = { may: false }
    const service = await startManaged({
      options,
      controller: {
        permissions: { manageUsers, update, create: () => create.may },
        beforeCreate: (_request: unknown, payload: object) => payload,
      },
    })
    const token = await service.token('mark')
    expect((await service.manage('invite', token, admins)).status).toBe(403)
    create.may = true
    const made = await service.manage('invite', token, admins)
    expect([made.status, made.json['role']]).toEqual([201, 'admin'])
  })

  it('is what hooks, access and scope let the caller write', async () => {
    const service = await startManaged({
      controller: {
        access: () => ({ write: { name: false } }),
        beforeCreate(_request: unknown, payload: { email: string }) {
          if (payload.email.endsWith('@evil.example')) throw new HttpError(403, 'Not them.')
          return { ...payload, username: 'made' }
        },
      },
    })
    const token = await service.token('mark')
    expect((await service.manage('invite', token, { ...eve, name: 'Eve' })).status).toBe(422)
    expect((await service.manage('invite', token, { email: 'a@evil.example' })).status).toBe(403)
    const made = await service.manage('invite', token, eve)
    expect(made.json).toMatchObject({ username: 'made', team: 1 })
    expect((await usersIn(service)).at(-1)?.['password']).toMatch(/^!invited:/)
  })
})

describe('what is said of management', () => {
  it('is what each caller meets', async () => {
    const service = await startManaged()
    const document = service.rest.openapi()
    const said = document['x-modelrest']?.models['User']?.actions
    expect(said).toEqual({
      invite: { operation: 'inviteUser', on: 'collection', input: true },
      disable: { operation: 'disableUser', on: 'record', input: false },
      enable: { operation: 'enableUser', on: 'record', input: false },
      sendPasswordReset: { operation: 'sendPasswordReset', on: 'record', input: false },
    })
    const answersOf = async (token?: string) => {
      const sent = token === undefined ? {} : { token }
      const { json } = await service.send('GET', '/api/access', sent)
      const answers = answersIn(document, json['models'] as Rights)
      return ['inviteUser', 'disableUser', 'sendPasswordReset'].map((id) => answers.get(id))
    }
    expect(await answersOf()).toEqual(['refused', 'refused', 'refused'])
    expect(await answersOf(await service.token('ben'))).toEqual(['refused', 'refused', 'refused'])
    expect(await answersOf(await service.token('mark'))).toEqual(['allowed', 'depends', 'depends'])
    expect(await answersOf(await service.token('anna'))).toEqual(['allowed', 'allowed', 'allowed'])
  })

  it('has the routes in the document', async () => {
    const { paths } = (await startManaged()).rest.openapi() as never as {
      paths: Readonly<Record<string, { post: { tags: string[]; security: object[]; responses: object } }>>
    }
    const below = Object.keys(paths).filter((path) => path.includes('/auth/users/'))
    expect(below.toSorted()).toEqual([
      '/auth/users/invite',
      '/auth/users/invite/confirm',
      ...['disable', 'enable', 'reset'].map((path) => `/auth/users/{id}/${path}`),
    ])
    for (const path of below) expect(paths[path]?.post.tags).toEqual(['Auth'])
    const [, ...managed] = below.toSorted().toReversed()
    for (const path of managed.filter((one) => !one.endsWith('confirm')))
      expect(Object.keys(paths[path]?.post.responses ?? {})).toEqual(
        expect.arrayContaining(
          ['401', '403', '409', '429'].filter((one) => one !== '429' || path.endsWith('invite')),
        ),
      )
  })
})
