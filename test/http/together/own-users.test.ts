import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { expect, it, onTestFinished } from 'vitest'
import { controllerFor } from '../../../src/index.ts'
import { onFastify } from '../../stage/apps.ts'
import { openSqlite } from '../../stage/databases.ts'
import { senderTo } from '../../stage/requests.ts'
import { refusalOf } from '../../stage/shop.ts'

const users = sqliteTable('users', {
  id: integer().primaryKey({ autoIncrement: true }),
  email: text({ length: 40 }).notNull().unique(),
  password: text({ length: 255 }).notNull(),
})
const teams = sqliteTable('teams', { id: integer().primaryKey({ autoIncrement: true }) })
const members = sqliteTable(
  'members',
  {
    team_id: integer()
      .notNull()
      .references(() => teams.id),
    user_id: integer()
      .notNull()
      .references(() => users.id),
    tenant: integer().notNull().default(1),
  },
  ({ team_id, user_id }) => [primaryKey({ columns: [team_id, user_id] })],
)

const ddl = `
  create table users (id integer primary key autoincrement, email text not null unique, password text not null);
  create table teams (id integer primary key autoincrement);
  create table members (team_id integer not null references teams, user_id integer not null references users,
    tenant integer not null default 1, primary key (team_id, user_id));
  insert into users (email, password) values ('a@example.com', 'x'), ('b@example.com', 'x'), ('c@example.com', 'x');
  insert into teams default values;
  insert into members (team_id, user_id, tenant) values (1, 1, 1), (1, 2, 1), (1, 3, 2)`

it('links to other users exist for a user, but not those that are out of reach themselves', async () => {
  const { models, rows, close } = openSqlite({ users, teams, members }, ddl)
  const app = await onFastify(
    {
      ...{ models, auth: { authenticate: () => ({ id: 1, claims: {} }) } as never },
      controllers: [controllerFor('Member', { scope: () => ({ tenant: 1 }) } as never)],
      modelConfig: { User: { internal: false }, Team: { write: ['users'] } } as never,
    },
    { base: '' },
  )
  onTestFinished(async () => {
    await app.stop()
    await close()
  })
  const send = (ids: readonly number[]) => senderTo(app)('PATCH', '/teams/1', { body: { users: ids } })
  expect((await send([1, 2])).status).toBe(200)
  expect(refusalOf(await send([1, 3]))).toEqual([409, 'unique_conflict', '/users/1 taken'])
  expect(await rows('select user_id, tenant from members order by user_id')).toEqual([
    { user_id: 1, tenant: 1 },
    { user_id: 2, tenant: 1 },
    { user_id: 3, tenant: 2 },
  ])
})
