import { describe, expect, it } from 'vitest'
import { controllerFor } from '../../../src/index.ts'
import { lint } from '../../openapi/lint.ts'
import { startError } from '../start-error.ts'
import { ids, type Managing, permissions, startManaged } from './managed-stage.ts'

const failing = async (given: Managing, ...names: readonly string[]): Promise<void> =>
  expect(startManaged(given)).rejects.toEqual(startError(...names))

const noMails = { ON_INVITATION: undefined, PASSWORD_RESET: false, ON_PASSWORD_RESET: undefined } as never

describe('permissions.manageUsers', () => {
  it('opens what settings and columns allow, and nothing without it', async () => {
    const routesOf = async (given: Managing): Promise<readonly string[]> => {
      const { rest } = await startManaged(given)
      return rest.operations.flatMap(({ path }) =>
        path.includes('/users/') && path.includes('auth') ? path : [],
      )
    }
    const switching = ['/auth/users/{id}/disable', '/auth/users/{id}/enable']
    const inviting = ['/auth/users/invite/confirm', '/auth/users/invite']
    expect(await routesOf({})).toEqual([...inviting, ...switching, '/auth/users/{id}/reset'])
    expect(await routesOf({ mail: noMails })).toEqual(switching)
    expect(
      await routesOf({ columns: {}, mail: { EMAIL_VERIFY: false, ON_EMAIL_VERIFY: undefined } as never }),
    ).toEqual([...[...inviting, '/auth/users/{id}/reset']])
    const { manageUsers: _manageUsers, ...others } = permissions
    const closed = { controller: { permissions: others }, mail: { ON_INVITATION: undefined } as never }
    expect(await routesOf(closed)).toEqual([])
    const { manage, token } = await startManaged(closed)
    for (const path of ['invite', 'invite/confirm', `${ids.ben}/disable`, `${ids.ben}/reset`])
      expect([path, (await manage(path, await token('anna'), {})).status]).toEqual([path, 404])
  })

  it('may be every user who logs in', async () => {
    const { log, manage, token } = await startManaged({
      controller: { permissions: { ...permissions, manageUsers: 'authenticated' } },
    })
    expect(log.filter(({ line }) => line.includes('User.manageUsers'))).toHaveLength(1)
    expect((await manage(`${ids.ben}/disable`, undefined)).status).toBe(401)
    expect((await manage(`${ids.ben}/disable`, await token('mark'))).status).toBe(200)
  })

  it('is refused where it could not work', async () => {
    const withPermissions = (manageUsers: unknown) => ({
      controller: { permissions: { ...permissions, manageUsers } },
    })
    await failing(withPermissions('public'), 'permissions.manageUsers', "'public'")
    await failing(withPermissions('everyone'), 'permissions.manageUsers')
    await failing({ isScoped: false }, 'permissions.manageUsers', 'scope')
    await failing({ mail: noMails, columns: {} }, 'permissions.manageUsers', 'onInvitation', 'is_active')
    const notes = controllerFor('Note', { permissions: { manageUsers: 'authenticated' } } as never)
    await failing({ options: { controllers: [notes] } }, 'Note', 'manageUsers', 'User')
    await failing({ options: { auth: false } }, 'permissions.manageUsers', 'auth: true')
    const own = { authenticate: () => null }
    await failing({ options: { auth: own } as never }, 'permissions.manageUsers', 'auth: true')
    const { manageUsers: _manageUsers, ...others } = permissions
    await failing({ controller: { permissions: others } }, 'ON_INVITATION', 'permissions.manageUsers')
    const readOnly = { User: { internal: false, readOnly: ['email'] } } as never
    await failing({ options: { modelConfig: readOnly } }, 'invitations', 'email')
    const run = () => undefined
    await failing({ controller: { actions: { invite: { on: 'record', run } } } }, 'actions.invite', 'Rename')
  })

  it('has a clean document', async () => {
    const { rest } = await startManaged()
    expect(await lint(rest.openapi())).toEqual([])
  })
})
