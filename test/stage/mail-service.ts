import { describe } from 'vitest'
import type { AuthMailHook, ServiceAuth } from '../../src/index.ts'
import { onRedis } from '../servers/test-redis.ts'
import { onFastify } from './apps.ts'
import { type AuthService, type Start, serviceOn } from './auth-service.ts'
import { type Column, counted, type Declared, maybe, text } from './columns.ts'
import { openSqlite } from './databases.ts'
import { declare } from './declared.ts'
import { openMemory, openNodeRedis, type Serve, serving } from './stateful.ts'

const yes: Column = { type: 'boolean', default: true }

/** Users with a column for verified addresses. */
export const usersWith = (verified: Declared[string]): Declared => ({
  users: {
    ...{ id: counted, email: text(320, { unique: true }), username: maybe(150, { unique: true }) },
    ...{ name: maybe(200), password: maybe(255), is_active: yes, ...verified },
  },
  notes: { id: counted, text: text() },
})

export const isVerified: Declared[string] = { email_verified: { type: 'boolean', default: false } }

const starting =
  (verified: Declared[string]): Start =>
  async (options) => {
    const { tables, ddl } = declare(usersWith(verified)).sqlite
    return serviceOn(onFastify, openSqlite(tables, ddl), options)
  }

/** A service whose users have a boolean for verified addresses. */
export const startMailing = starting(isVerified)

/** One whose users have the time at which they were verified. */
const startWithTimes = starting({ emailVerifiedAt: maybe('time') })

/** Whether an address is verified, as the database has it. */
export const isVerifiedIn = async ({ rows }: AuthService, email: string): Promise<boolean> => {
  const [row] = await rows(`select * from users where email = '${email}'`)
  return Boolean(row?.['email_verified'] ?? row?.['email_verified_at'])
}

/** A mail as the application sends it. */
export interface SentMail {
  readonly what: 'reset' | 'verify' | 'invite'
  readonly to: string
  readonly token: string
  readonly user: Readonly<Record<string, unknown>>
}

/** The functions that send mail, and what they have sent. */
export const mailbox = (before: () => unknown = () => undefined) => {
  const mails: SentMail[] = []
  const sending =
    (what: SentMail['what']): AuthMailHook =>
    async (user, token) => {
      await before()
      mails.push({ what, to: String(Reflect.get(user, 'email')), token, user: { ...user } })
    }
  const hooks: ServiceAuth = {
    ...{ PASSWORD_RESET: true, ON_PASSWORD_RESET: sending('reset') },
    ...{ EMAIL_VERIFY: true, ON_EMAIL_VERIFY: sending('verify') },
  }
  return { mails, hooks, invites: { ON_INVITATION: sending('invite') } satisfies ServiceAuth }
}

/** All mails of this kind, once none is on its way. A service that was closed goes on to answer. */
export const arrived = async (
  { rest }: AuthService,
  { mails }: { readonly mails: readonly SentMail[] },
  what: SentMail['what'],
): Promise<readonly SentMail[]> => {
  await rest.close()
  return mails.filter((mail) => mail.what === what)
}

/** Defines tests of services: stateless, and stateful in memory and on Redis. */
export const describeMails = (tests: string, define: (serve: Serve, isStateful: boolean) => void): void => {
  describe('stateless', () => define(serving(startMailing), false))
  describe('stateful in memory', () => define(serving(startWithTimes, openMemory), true))
  onRedis(tests, () => {
    describe('stateful on node-redis', () => define(serving(startMailing, openNodeRedis), true))
  })
}
