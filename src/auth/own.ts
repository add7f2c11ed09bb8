import { StartError, suggest } from '../error/start-error.ts'
import type { Call } from '../operation/call.ts'
import type { Caller } from '../operation/caller.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'

/** One's own way from a request to a user. */
export interface OwnAuth<Request = unknown> {
  /** Who sent the request; null for the anonymous. May be asynchronous in either mode. */
  authenticate(request: Request): Caller | null | PromiseLike<Caller | null>
  /** An OpenAPI security scheme object, for the document. @default { type: 'http', scheme: 'bearer' } */
  readonly scheme?: Readonly<Record<string, unknown>>
}

/** @throws StartError for what cannot tell who sent a request */
export const assertAuth = (auth: unknown): void => {
  if (auth === undefined || auth === false) return
  if (auth === true) {
    throw new StartError(
      'auth: true is not there yet. Give your own way to a user: auth: { authenticate: (request) => … }.',
    )
  }
  if (typeof auth !== 'object' || auth === null || typeof Reflect.get(auth, 'authenticate') !== 'function') {
    throw new StartError('The option auth must be false, or { authenticate: (request) => … }.')
  }
  for (const name of Object.keys(auth)) {
    if (!keys.includes(name)) throw new StartError(`There is no auth option ${name}.${suggest(name, keys)}`)
  }
}

const keys = ['authenticate', 'scheme']

/** Finds out who sent a request. `undefined`: somebody anonymous. */
export type Authenticate = (call: Call) => Steps<Caller | undefined>

/** @throws whatever `authenticate` throws; Error where it gives what is no user, so that it fails closed */
export const ownAuthenticate = (auth: OwnAuth): Authenticate =>
  function* (call) {
    const given: unknown = yield* waitInAnyMode(auth.authenticate(call.request))
    if (given === null || given === undefined) return undefined
    if (isCaller(given)) return Object.freeze({ ...given, claims: given.claims ?? Object.freeze({}) })
    throw new Error('auth.authenticate must return { id, claims } or null.')
  }

const isCaller = (value: unknown): value is Pick<Caller, 'id'> & Partial<Caller> =>
  typeof value === 'object' && value !== null && 'id' in value && value.id !== undefined && value.id !== null
