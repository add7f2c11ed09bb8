import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { action, type ControllerClass, controllerFor } from '../../src/index.ts'
import { type Stage, startUsers } from '../stage/users.ts'

const asUser = controllerFor as (model: 'User', parts: object) => ControllerClass

describe('actions of users', () => {
  const start = startUsers
  let stage: Stage | undefined
  afterEach(() => stage?.stop())

  const rename = action({
    on: 'record',
    input: z.object({ email: z.string() }),
    run: (_request, _user, input) => input,
  })

  it.each([
    ['without a scope', {}, 404],
    ['with a scope of all users', { scope: () => ({}) }, 403],
  ])('change only the own record, %s', async (_how, parts, foreign) => {
    stage = await start({ controllers: [asUser('User', { ...parts, actions: { rename } })] })
    const body = { email: 'Ada.New@Example.COM' }
    const statuses: number[] = []
    for (const user of [undefined, 2, 1])
      statuses.push((await stage.send('POST', '/users/1/rename', user, body)).status)
    expect(statuses).toEqual([401, foreign, 200])
    const [ada] = await stage.rows('select * from users where id = 1')
    // As at a login: otherwise the user could not log in.
    expect(ada).toMatchObject({ email: 'ada.new@example.com' })
  })

  it('refuse an identifier that no body could have', async () => {
    stage = await start({ controllers: [asUser('User', { actions: { rename } })] })
    const reply = await stage.send('POST', '/users/1/rename', 1, { email: 'nothing' })
    expect(reply.json).toMatchObject({ status: 422, errors: [{ pointer: '/email' }] })
  })

  it('refuse an identifier of another user, also in another column', async () => {
    const called = action({
      on: 'record',
      input: z.object({ username: z.string() }),
      run: (_request, user, { username }) => ({ ...user, username }),
    })
    stage = await start({ controllers: [asUser('User', { actions: { called } })] })
    const call = (username: string) => stage?.send('POST', '/users/1/called', 1, { username })
    // Otherwise the other user could not log in any more.
    expect((await call('Bob@Example.com'))?.json).toMatchObject({
      ...{ status: 409, code: 'unique_conflict' },
      errors: [{ pointer: '/username', code: 'taken' }],
    })
    expect((await call('Ada@Example.com'))?.json).toMatchObject({ username: 'ada@example.com' })
  })

  it('on all users are refused without a permission of their own', async () => {
    const actions = {
      count: action({ on: 'collection', run: () => undefined }),
      ping: action({ on: 'collection', permission: 'public', run: () => undefined }),
    }
    stage = await start({ controllers: [asUser('User', { actions })] })
    expect((await stage.send('POST', '/users/count', 1)).status).toBe(403)
    expect((await stage.send('POST', '/users/ping')).status).toBe(204)
  })
})
