import { describe, expect, it } from 'vitest'
import { loggedIn } from '../../stage/auth-service.ts'
import { arrived } from '../../stage/mail-service.ts'
import { ids, type ManagedService, password, startManaged } from './managed-stage.ts'

const eve = { email: 'Eve@Example.com', name: 'Eve' }

const accepting = ({ send }: ManagedService, token: unknown, given = 'another lamp for a desk') =>
  send('POST', '/api/auth/users/invite/confirm', { body: { token, password: given } })

const logsIn = async (service: ManagedService, email: string, given = password): Promise<number> =>
  (await loggedIn(service, { email, password: given })).status

describe('invitations', () => {
  it('create a user who sets a password with the token of the mail', async () => {
    const service = await startManaged()
    const token = await service.token('mark')
    const made = await service.manage('invite', token, eve)
    expect([made.status, made.headers['location']]).toEqual([201, '/api/users/6'])
    expect(made.json).toMatchObject({ id: 6, email: 'eve@example.com', name: 'Eve', team: 1, role: 'member' })
    expect(made.json).not.toHaveProperty('password')
    const [mail, ...more] = await arrived(service, service.box, 'invite')
    expect([mail?.to, more]).toEqual(['eve@example.com', []])
    expect(await logsIn(service, 'eve@example.com')).toBe(401)
    const accepted = await accepting(service, mail?.token)
    expect([accepted.status, accepted.text, accepted.headers['cache-control']]).toEqual([204, '', 'no-store'])
    expect(await logsIn(service, 'eve@example.com', 'another lamp for a desk')).toBe(200)
    expect(await service.rows('select email_verified from users where id = 6')).toEqual([
      { email_verified: 1 },
    ])
    expect((await accepting(service, mail?.token)).status).toBe(422)
    expect(service.events()).toEqual([
      ['auth.user_invited', '6', '2'],
      ['auth.invitation_sent', '6'],
      ['auth.invitation_accepted', '6'],
    ])
    expect(await service.entries()).toMatchObject([
      {
        caller: '2',
        act: 'create',
        model: 'User',
        record: '6',
        changes: { email: { after: 'eve@example.com' } },
      },
      { caller: null, act: 'update', record: '6' },
    ])
  })
})

describe('users', () => {
  it('are disabled and enabled', async () => {
    const service = await startManaged()
    const token = await service.token('mark')
    const off = await service.manage(`${ids.ben}/disable`, token)
    expect([off.status, off.json['is_active']]).toEqual([200, false])
    expect(await logsIn(service, 'ben@example.com')).toBe(401)
    expect((await service.manage(`${ids.ben}/enable`, token)).status).toBe(200)
    expect(await logsIn(service, 'ben@example.com')).toBe(200)
    expect(service.events()).toEqual([
      ['auth.user_disabled', '4', '2'],
      ['auth.user_enabled', '4', '2'],
    ])
  })

  it('get a mail for a new password', async () => {
    const service = await startManaged()
    const reply = await service.manage(`${ids.ben}/reset`, await service.token('mark'))
    expect([reply.status, reply.json['id']]).toEqual([200, ids.ben])
    const [mail] = await arrived(service, service.box, 'reset')
    expect(mail?.to).toBe('ben@example.com')
    expect(service.events()).toEqual([['auth.password_reset_sent', '4']])
  })
})
