import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { describe, expect, it } from 'vitest'
import { defineSettings } from '../../../src/index.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { onFetch } from '../../stage/apps.ts'
import { ada, loggedIn, registered, secret } from '../../stage/auth-service.ts'
import { openPostgres } from '../../stage/postgres.ts'
import { senderTo } from '../../stage/requests.ts'

const users = pgTable('users', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  email: text().notNull().unique(),
  username: text().unique(),
  name: text(),
  password: text(),
})
const ddl = `create table users (id integer primary key generated always as identity, email text not null unique,
  username text unique, name text, password text)`

onPostgres('changes of a password over several connections', () => {
  describe.each([{ STATEFUL: false }, { STATEFUL: true }])('changes of a password at once, %o', (mode) => {
    it('checklist 38: one of two servers changes it, and the other refuses', async () => {
      const database = await openPostgres({ users }, ddl, { connections: 6 })
      const options = {
        ...{ models: database.models, auth: true },
        settings: defineSettings({ SECRET_KEY: secret, SERVICE_AUTH: { ...mode, PASSWORD_CHANGE: true } }),
      }
      const apps = [await onFetch(options), await onFetch(options)]
      try {
        const [first, second] = apps.map((app) => senderTo(app))
        if (first === undefined || second === undefined) throw new Error('two servers')
        const { access: token } = await registered({ send: first })
        const given = [1, 2, 3, 4, 5, 6].map((count) => `a lamp for desk number ${count}`)
        const replies = await Promise.all(
          given.map((new_password, at) =>
            (at % 2 === 0 ? first : second)('POST', '/api/auth/password/change', {
              token,
              body: { old_password: ada.password, new_password },
            }),
          ),
        )
        const done = given.filter((_, at) => replies[at]?.status === 200)
        expect(done).toHaveLength(1)
        expect(replies.map(({ status }) => status).filter((status) => status !== 200)).toEqual(
          Array.from({ length: 5 }, () => (mode.STATEFUL ? 401 : 422)),
        )
        for (const password of given) {
          const { status } = await loggedIn({ send: second }, { login: 'ada', password })
          expect(status).toBe(done.includes(password) ? 200 : 401)
        }
      } finally {
        for (const app of apps) await app.stop()
        await database.close()
      }
    })
  })
})
