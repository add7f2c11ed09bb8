import { describe, expect, it } from 'vitest'
import { ada, loggedIn, registered } from '../../stage/auth-service.ts'
import { arrived, mailbox } from '../../stage/mail-service.ts'
import { type AuditedUsers, startUsers } from './users-stage.ts'

const next = 'a lamp for every desk'
const { email } = ada

const stores = async ({ rows, entries }: AuditedUsers) => ({
  users: (await rows('select id from users')).length,
  entries: (await entries()).length,
})

describe('the audit log of users', () => {
  const start = startUsers
  it('has each registration, without the hash', async () => {
    const service = await start()
    const { user } = await registered(service)
    const [entry, ...others] = await service.entries()
    expect(others).toEqual([])
    expect(entry).toMatchObject({ caller: null, act: 'create', model: 'User', record: String(user['id']) })
    expect(entry?.changes).toMatchObject({
      email: { after: email },
      name: { after: ada.name },
    })
    expect(entry?.changes).toHaveProperty('password', {})
  })

  it('has nothing of a login, of a registration that is refused, and of users whom it does not name', async () => {
    const service = await start()
    await registered(service)
    await service.entries()
    expect((await loggedIn(service, { email, password: ada.password })).status).toBe(200)
    expect((await loggedIn(service, { email, password: 'another one' })).status).toBe(401)
    expect((await service.send('POST', '/api/auth/register', { body: ada })).status).toBe(409)
    expect(await service.entries()).toEqual([])
    const others = await start({}, { audit: ['Note'] })
    const { access } = await registered(others)
    const made = await others.send('POST', '/api/notes/', { token: access, body: { text: 'x' } })
    expect(made.status).toBe(201)
    expect(await others.entries()).toMatchObject([{ model: 'Note' }])
  })

  it('has a registration once its hook has ended, and none that the hook refuses', async () => {
    const seen: unknown[] = []
    const service = await start({
      ON_REGISTER: async ({ email: address }) => {
        seen.push(await service.entries())
        if (address === 'eve@example.com') throw new Error('No.')
      },
    })
    await registered(service)
    expect(await service.entries()).toMatchObject([{ act: 'create', changes: { email: { after: email } } }])
    const body = { ...ada, email: 'eve@example.com', username: 'eve' }
    expect((await service.send('POST', '/api/auth/register', { body })).status).toBe(500)
    expect(await stores(service)).toEqual({ users: 1, entries: 0 })
    expect(seen).toEqual([[], []])
  })

  it('has nothing of a user whose token is refused', async () => {
    const service = await start({
      CLAIMS: () => {
        throw new Error('No.')
      },
    })
    expect((await service.send('POST', '/api/auth/register', { body: ada })).status).toBe(500)
    expect(await service.entries()).toEqual([])
    expect(await service.rows('select id from users')).toEqual([])
  })

  it('has a changed password, by the caller, as a name only', async () => {
    const service = await start({ PASSWORD_CHANGE: true })
    const { access: token, user } = await registered(service)
    await service.entries()
    const change = (body: object) => service.send('POST', '/api/auth/password/change', { token, body })
    expect((await change({ old_password: 'another one', new_password: next })).status).toBe(422)
    expect(await service.entries()).toEqual([])
    expect((await change({ old_password: ada.password, new_password: next })).status).toBe(200)
    const record = String(user['id'])
    expect(await service.entries()).toEqual([
      { caller: record, act: 'update', model: 'User', record, changes: { password: {} } },
    ])
  })

  it('has only what the request itself changed', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined
    const service = await start({
      PASSWORD_CHANGE: true,
      CLAIMS: async () => {
        await meanwhile?.()
        return {}
      },
    })
    const { access: token } = await registered(service)
    await service.entries()
    meanwhile = () => service.execute("update users set name = 'of another request'")
    const body = { old_password: ada.password, new_password: next }
    expect((await service.send('POST', '/api/auth/password/change', { token, body })).status).toBe(200)
    expect(await service.entries()).toEqual([
      expect.objectContaining({ act: 'update', changes: { password: {} } }),
    ])
    expect(await service.rows('select name from users')).toEqual([{ name: 'of another request' }])
  })

  it('never has a hash, even if the configuration lets clients read the column', async () => {
    const service = await start({}, { modelConfig: { User: { writeOnly: { password: false } } } })
    await registered(service)
    const [entry] = await service.entries()
    expect(entry?.changes).toHaveProperty('password', {})
    expect(entry?.changes).toHaveProperty('email', { after: email })
  })

  it('has what tokens of mails change, by an anonymous caller', async () => {
    const box = mailbox()
    const service = await start(box.hooks)
    await registered(service)
    await service.entries()
    const [verify] = await arrived(service, box, 'verify')
    const token = verify?.token
    expect((await service.send('POST', '/api/auth/email/verify/confirm', { body: { token } })).status).toBe(
      204,
    )
    expect(await service.entries()).toMatchObject([
      { caller: null, act: 'update', changes: { email_verified: { before: false, after: true } } },
    ])
    await service.send('POST', '/api/auth/password/reset', { body: { email } })
    const [reset] = await arrived(service, box, 'reset')
    const body = { token: reset?.token, password: next }
    expect((await service.send('POST', '/api/auth/password/reset/confirm', { body })).status).toBe(204)
    expect(await service.entries()).toEqual([
      expect.objectContaining({ caller: null, act: 'update', changes: { password: {} } }),
    ])
  })

  it('has what users change in their own record', async () => {
    const service = await start({}, { modelConfig: { User: { internal: false } } })
    const { access: token, user } = await registered(service)
    await service.entries()
    const record = String(user['id'])
    expect((await service.send('PATCH', `/api/users/${record}`, { token, body: { name: 'A' } })).status).toBe(
      200,
    )
    expect(await service.entries()).toEqual([
      {
        ...{ caller: record, act: 'update', model: 'User', record },
        changes: { name: { before: ada.name, after: 'A' } },
      },
    ])
  })

  it.each([{}, { ON_REGISTER: () => undefined }])(
    'undoes a registration and a changed password whose entry fails, %o',
    async (hooks) => {
      const service = await start({ PASSWORD_CHANGE: true, ...hooks })
      const { access: token } = await registered(service)
      await service.execute('alter table audit_entries rename to hidden_entries')
      const body = { ...ada, email: 'eve@example.com', username: 'eve' }
      expect((await service.send('POST', '/api/auth/register', { body })).status).toBe(500)
      const passwords = { old_password: ada.password, new_password: next }
      const changed = await service.send('POST', '/api/auth/password/change', { token, body: passwords })
      expect(changed.status).toBe(500)
      await service.execute('alter table hidden_entries rename to audit_entries')
      expect(await stores(service)).toEqual({ users: 1, entries: 1 })
      expect((await loggedIn(service, { email, password: ada.password })).status).toBe(200)
      expect((await service.send('POST', '/api/auth/register', { body })).status).toBe(201)
    },
  )
})
