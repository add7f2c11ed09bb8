import { StartError, suggest } from '../error/start-error.ts'
import { readEitherForm } from '../model/either-form.ts'
import type { Call } from '../operation/call.ts'
import type { Caller } from '../operation/caller.ts'
import { waitInAnyMode } from '../operation/steps.ts'
import type { ModelSource } from '../source/source.ts'
import type { Auth, Authenticate } from './auth.ts'
import { currentUser } from './user/current-user.ts'
import { userRecordsOf } from './user/records.ts'
import type { Users } from './user/users.ts'

/** One's own way from a request to a user. */
export interface OwnAuth<Request = unknown> {
  /** Who sent the request; null for the anonymous. May be asynchronous in either mode. */
  authenticate(request: Request): Caller | null | PromiseLike<Caller | null>
  /** An OpenAPI security scheme object, for the document. @default { type: 'http', scheme: 'bearer' } */
  readonly scheme?: Readonly<Record<string, unknown>>
}

/** @throws StartError for what cannot tell who sent a request */
export const assertAuth = (auth: unknown): void => {
  if (auth === undefined || typeof auth === 'boolean') return
  if (typeof auth !== 'object' || auth === null || typeof Reflect.get(auth, 'authenticate') !== 'function') {
    throw new StartError('The option auth must be true, false, or { authenticate: (request) => … }.')
  }
  for (const name of Object.keys(auth)) {
    if (!keys.includes(name)) throw new StartError(`There is no auth option ${name}.${suggest(name, keys)}`)
  }
}

const keys = ['authenticate', 'scheme']

/** @param users where the application has a model of them that `context.user()` reads */
export const ownAuth = (
  own: OwnAuth,
  users?: { readonly source: ModelSource; readonly users: Users },
): Auth => ({
  authenticate: ownAuthenticate(own, users && userFinder(users)),
  writeProblems: [],
  operations: [],
  schemes: { caller: own.scheme ?? { type: 'http', scheme: 'bearer' } },
})

type FindUser = (id: unknown) => NonNullable<Call['user']>

/** @throws whatever `authenticate` throws; Error where it gives what is no user, so that it fails closed */
const ownAuthenticate = (auth: OwnAuth, findUser: FindUser | undefined): Authenticate =>
  function* (call) {
    const given: unknown = yield* waitInAnyMode(auth.authenticate(call.request))
    if (given === null || given === undefined) return undefined
    if (!isCaller(given)) throw new Error('auth.authenticate must return { id, claims } or null.')
    if (findUser !== undefined) call.user = findUser(given.id)
    return Object.freeze({ ...given, id: given.id, claims: given.claims ?? Object.freeze({}) })
  }

const isCaller = (value: unknown): value is Pick<Caller, 'id'> & Partial<Caller> =>
  typeof value === 'object' && value !== null && 'id' in value && canBeId(value.id)

/** Two callers whose id is nothing would be taken for the same. */
const canBeId = (id: unknown): boolean =>
  id !== undefined && id !== null && id !== '' && typeof id !== 'boolean' && !Number.isNaN(id)

const userFinder = ({
  source,
  users: { model, key },
}: {
  readonly source: ModelSource
  readonly users: Users
}): FindUser => {
  const records = userRecordsOf(model, source)
  return (id) => {
    const reading = key && readEitherForm(id, key)
    return reading?.ok === true ? currentUser(records, reading.value) : () => null
  }
}
