import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineSettings, HttpError } from '../../../src/index.ts'
import { type App, onFastify } from '../../stage/apps.ts'
import { ada, secret } from '../../stage/auth-service.ts'
import { type Send, senderTo } from '../../stage/requests.ts'
import { type Declared, orms } from '../declared-orms.ts'
import { counted, type Kind, onEachKind, openPlace, type Place } from '../orm-places.ts'

const ddlOf = (kind: Kind): readonly string[] => [
  `create table users (id ${counted[kind]}, email varchar(100) not null unique, password varchar(255) not null)`,
  `create table profiles (id ${counted[kind]}, user_id int not null, foreign key (user_id) references users (id))`,
]

const declared: Declared = {
  User: {
    table: 'users',
    columns: {
      id: { type: 'int', key: 'counted' },
      ...{ email: { type: 100, unique: 'email' }, password: { type: 255 } },
    },
  },
  Profile: {
    table: 'profiles',
    columns: { id: { type: 'int', key: 'counted' }, user_id: { type: 'int', refers: 'User' } },
  },
}

// Drizzle: test/attack/waiting-registration.test.ts
describe.each(Object.entries(orms))('refused registrations of %s', (orm, open) => {
  onEachKind(`refused registrations of ${orm}`, (kind) => {
    let place: Place
    let app: App
    let send: Send
    let end: () => Promise<unknown>
    let isRefused = true
    const refer = (id: unknown) => place.rows(`insert into profiles (user_id) values (${Number(id)})`)
    beforeAll(async () => {
      place = await openPlace(kind, ddlOf(kind))
      const { models, ...opened } = await open(place, declared)
      end = opened.end
      const ON_REGISTER = async (user: object): Promise<void> => {
        await refer(Reflect.get(user, 'id'))
        if (isRefused) throw new HttpError(403, 'Only colleagues may register.')
      }
      const settings = defineSettings({ SERVICE_AUTH: { JWT_SECRET: secret, ON_REGISTER } })
      app = await onFastify({ models, auth: true, controllers: [], settings } as never, { base: '' })
      send = senderTo(app)
    })
    afterAll(async () => {
      await app?.stop()
      await end?.()
      await place?.drop()
    })
    const { email, password } = ada
    const statusOf = async (what: 'register' | 'login'): Promise<number> =>
      (await send('POST', `/auth/${what}`, { body: { email, password } })).status
    const emails = async () =>
      (await place.rows('select email from users order by id')).map((row) => row['email'])

    test('leave the identifiers free, at once and after a crash', async () => {
      expect(await statusOf('register')).toBe(403)
      expect(await statusOf('login')).toBe(401)
      isRefused = false
      expect(await statusOf('register')).toBe(201)
      const released = expect.stringMatching(/^[0-9a-f]{32}@user\.invalid$/)
      expect(await emails()).toEqual([released, email])
      expect(await statusOf('login')).toBe(200)

      await place.rows(`update users set password = '!registering:1:a' where email = '${email}'`)
      expect(await statusOf('login')).toBe(401)
      expect(await statusOf('register')).toBe(201)
      expect(await emails()).toEqual([released, released, email])
      expect(
        app.log.filter(({ level, line }) => level === 'error' && line.includes('delete user')).length,
      ).toBe(2)
    })
  })
})
