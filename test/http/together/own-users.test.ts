import { expect, it } from 'vitest'
import { counted, int, text, to } from '../../stage/columns.ts'
import { inTest, type Parts, refusalOf, startsOf } from '../../stage/service.ts'

const key = { key: 'given' } as const

const { sqlite } = startsOf(
  {
    users: { id: counted, email: text(40, { unique: true }), password: text(255) },
    teams: { id: counted },
    members: { team_id: to('teams', key), user_id: to('users', key), tenant: int({ default: 1 }) },
  },
  {
    rows: [
      `insert into users (email, password) values ('a@example.com', 'x'), ('b@example.com', 'x'), ('c@example.com', 'x')`,
      'insert into teams default values',
      'insert into members (team_id, user_id, tenant) values (1, 1, 1), (1, 2, 1), (1, 3, 2)',
    ],
  },
)

it('links to other users exist for a user, but not those that are out of reach themselves', async () => {
  const service = await inTest(
    sqlite({
      auth: { authenticate: () => ({ id: 1, claims: {} }) } as never,
      parts: { Member: { scope: () => ({ tenant: 1 }) } as Parts },
      modelConfig: { User: { internal: false }, Team: { write: ['users'] } } as never,
    }),
  )
  const send = (ids: readonly number[]) => service.ask('PATCH', '/teams/1', { users: ids })
  expect((await send([1, 2])).status).toBe(200)
  expect(refusalOf(await send([1, 3]))).toEqual([409, 'unique_conflict', '/users/1 taken'])
  expect(await service.rows('select user_id, tenant from members order by user_id')).toEqual([
    { user_id: 1, tenant: 1 },
    { user_id: 2, tenant: 1 },
    { user_id: 3, tenant: 2 },
  ])
})
