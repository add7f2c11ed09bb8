import { expect } from 'vitest'
import { memoryCache } from '../../../src/cache/cache.ts'
import {
  type Cache,
  controllerFor,
  type HookContext,
  hashPassword,
  type ServiceAuth,
} from '../../../src/index.ts'
import { replyChecks } from '../../example/fuzz/reply-check.ts'
import { onFastify } from '../../stage/apps.ts'
import {
  type AuthService,
  loggedIn,
  type ServiceOptions,
  serviceOn,
  sessionIn,
} from '../../stage/auth-service.ts'
import { type Column, counted, type Declared, int, maybe, text } from '../../stage/columns.ts'
import { openSqlite } from '../../stage/databases.ts'
import { declare } from '../../stage/declared.ts'
import { keyColumns } from '../../stage/key-columns.ts'
import { mailbox } from '../../stage/mail-service.ts'
import type { Answer, Sent } from '../../stage/requests.ts'
import { inTest } from '../../stage/service.ts'
import { type Entry, entriesIn } from '../audit/stage.ts'

const yes: Column = { type: 'boolean', default: true }

const columns: Declared[string] = {
  ...{ id: counted, team: int({ default: 1 }), email: maybe(320, { unique: true }), name: maybe(200) },
  ...{ username: maybe(150, { unique: true }), password: text(255), role: text(20, { default: 'member' }) },
  email_verified: { type: 'boolean', default: false },
}

/** Users of teams with roles. @param own the column that says who is disabled */
export const managedTables = (own: Declared[string] = { is_active: yes }) =>
  declare(
    { users: { ...columns, ...own }, notes: { id: counted, text: text() }, api_keys: keyColumns },
    { audit: true },
  )

export const password = 'a lamp for every desk'

export const roleOf = async ({ user }: HookContext): Promise<unknown> => (await user())?.['role' as never]

/** Administrators reach everyone, others their own team. */
export const scope = async (_request: unknown, context: HookContext) => {
  const user = (await context.user()) as Readonly<Record<string, unknown>> | null
  if (user === null) return []
  return user['role'] === 'admin' ? {} : { team: Number(user['team']) }
}

/** Managers manage members, and administrators everyone. */
export const manageUsers = async (_request: unknown, user: object | undefined, context: HookContext) => {
  const role = await roleOf(context)
  return role === 'admin' || (role === 'manager' && [undefined, 'member'].includes(Object(user).role))
}

export const permissions = {
  ...{ update: () => false, delete: () => false },
  manageUsers,
}

export interface ManagedService extends AuthService {
  readonly box: ReturnType<typeof mailbox>
  /** Ends the pauses between mails. */
  endPauses(): void
  /** The audit entries since the last call. */
  entries(): Promise<readonly Entry[]>
  /** Logs in. */
  token(name: string): Promise<string>
  /** A request below `/auth/users`. */
  manage(path: string, token: string | undefined, body?: unknown, sent?: Sent): Promise<Answer>
  /** What the log says of users, and by whom. */
  events(): readonly unknown[]
}

export interface Managing {
  /** Members of the controller. */
  readonly controller?: object
  /** @default they are sent by the box */
  readonly mail?: ServiceAuth
  readonly settings?: ServiceAuth
  readonly options?: ServiceOptions
  readonly columns?: Declared[string]
  readonly before?: () => unknown
  /** @default true */
  readonly isScoped?: boolean
}

/** Anna is an administrator, Mark and Moira manage team 1, Ben belongs to team 1, and Tom to team 2. */
const people = [
  ['anna', 1, 'admin'],
  ['mark', 1, 'manager'],
  ['moira', 1, 'manager'],
  ['ben', 1, 'member'],
  ['tom', 2, 'member'],
] as const

export const ids = { anna: 1, mark: 2, moira: 3, ben: 4, tom: 5 } as const

/** A cache that forgets its counters, as after their time. */
const forgetting = () => {
  const cache = memoryCache()
  const keys = new Set<string>()
  const counting: Cache = {
    ...cache,
    count(key, ...rest) {
      keys.add(key)
      return cache.count(key, ...rest)
    },
  }
  const endPauses = (): void => {
    for (const key of keys) void cache.delete(key)
  }
  return { cache: counting, endPauses }
}

export const startManaged = async ({
  controller,
  mail,
  settings,
  options,
  columns: own,
  before,
  isScoped = true,
}: Managing = {}): Promise<ManagedService> => {
  const box = mailbox(before)
  const { tables, ddl } = managedTables(own).sqlite
  const { cache, endPauses } = forgetting()
  const SERVICE_AUTH = { ...box.hooks, ...box.invites, MAIL_MAX_PER_ADDRESS: 0, ...mail, ...settings }
  const controllers = [
    controllerFor('User', { ...(isScoped && { scope }), permissions, ...controller } as never),
  ]
  const service = await inTest(
    serviceOn(onFastify, openSqlite(tables, ddl), {
      ...{ audit: true, controllers, modelConfig: { User: { internal: false } } as never },
      ...options,
      settings: { CACHE: cache, ...options?.settings, SERVICE_AUTH },
    }),
  )
  const checkOf = replyChecks(service.rest.openapi())
  /** Each response is one that the document has, but for what no client should meet. */
  const assertDocumented = (path: string, answer: Answer): void => {
    const place = `/auth/users/${path.replace(/\?.*/, '').replace(/^[^/]*\/(?!confirm)/, '{id}/')}`
    const operation = service.rest.operations.find((known) => known.path === place)
    if (operation !== undefined && answer.status < 500)
      expect([path, checkOf(operation as never)(answer)]).toEqual([path, []])
  }
  const hash = await hashPassword(password)
  for (const [name, team, role] of people)
    await service.execute(
      `insert into users (email, name, team, role, password) values ('${name}@example.com', '${name}', ${team}, '${role}', '${hash}')`,
    )
  return {
    ...{ ...service, box, endPauses, entries: entriesIn(service.rows) },
    async token(name) {
      return sessionIn(await loggedIn(service, { email: `${name}@example.com`, password })).access
    },
    async manage(path, token, body, sent) {
      const answer = await service.send('POST', `/api/auth/users/${path}`, {
        ...(token !== undefined && { token }),
        ...(body !== undefined && { body }),
        ...sent,
      })
      assertDocumented(path, answer)
      return answer
    },
    events: () =>
      service.log.flatMap(({ line, details }) =>
        /^auth\.(user_|invitation|password_reset)/.test(line)
          ? [[line, details['user'], ...('by' in details ? [details['by']] : [])]]
          : [],
      ),
  }
}
