import { z } from 'zod'
import { problem } from '../error/errors.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Field, Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { readJson } from '../operation/body.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { runNested, type Steps, waitInAnyMode } from '../operation/steps.ts'
import { exampleOf } from '../schema/example.ts'
import { bodyRefusal, validateBody } from '../schema/issues.ts'
import { jsonSchemasOf, type NamedSchema, propertiesOf } from '../schema/json-schema.ts'
import { schemasOf } from '../schema/zod.ts'
import type { Row } from '../source/source.ts'
import { verifyNewUser } from './email-verify.ts'
import { largestBlock } from './limits/throttle.ts'
import { type AuthParts, authOperation, logEvent, sessionExample, sessionSchema } from './operation.ts'
import { MOST_BYTES, passwords } from './passwords/passwords.ts'
import { assertPassword } from './passwords/validators.ts'
import { sessionReply } from './replies.ts'
import type { TokenPair } from './sessions/sessions.ts'
import { subjectWithClaims } from './tokens/claims.ts'
import { nowInSeconds, type Subject } from './tokens/tokens.ts'
import { isDisabled } from './users/accounts.ts'
import { isAddress, withNormalised } from './users/identifiers.ts'
import { withPrintable } from './users/user-columns.ts'
import type { UserModel } from './users/users.ts'

/** `POST /auth/register` */
export const register = (parts: AuthParts): Operation => {
  const { accounts, registrations, settings, user } = parts
  const { schema, example, read } = registrationBody(user)
  return authOperation(parts, {
    id: 'register',
    method: 'POST',
    path: 'register',
    asks: [settings.ON_REGISTER, settings.CLAIMS],
    summary: 'Register a user',
    description:
      'Creates a user and opens a session. The response is 409 if another user has the same identifier.',
    body: { required: true, schema, example },
    success: {
      status: 201,
      description: 'The new user and the tokens of their session.',
      mediaType: 'application/json',
      schema: sessionSchema(parts, 'Registration', ['user']),
      get example() {
        return sessionExample(parts)
      },
      headers: { Location: 'The path of the current user.' },
    },
    problems: ['unique_conflict', 'too_many_requests'],
    enter: (call) => registrations.assertOpen(call.address),
    read: (bytes) => read(readJson(bytes)),
    *act({ values, password }, call) {
      assertPassword(password, values, settings)
      const hash = yield* waitInAnyMode(
        passwords.hash(password, {
          purpose: 'registration',
          client: largestBlock(call.address),
          begin: () => runNested(registrations.enter(call.address)),
        }),
      )
      const registered = yield* createUser(parts, call, { values, hash })
      logEvent(parts, call, 'register', accounts.toSub(registered.row))
      verifyNewUser(parts, call, registered.row)
      return registered
    },
    reply: (session, call) =>
      sessionReply(settings, 201, session, { location: call.path.replace(/[^/]+\/*$/, 'me') }),
  })
}

interface Registered {
  readonly row: Row
  /** Absent for an inactive user, who cannot log in. */
  readonly pair: TokenPair | undefined
  /** JSON text. */
  readonly user: string
}

interface NewUser {
  readonly values: Row
  readonly hash: string
}

/**
 * Stores a user and opens a session. If anything refuses or fails, the user is removed. While functions of the application decide,
 * the user is unfinished, and does not exist for any request; only then is the registration recorded.
 */
function* createUser(parts: AuthParts, call: Call, { values, hash }: NewUser): Steps<Registered> {
  const { accounts, sessions, settings, user } = parts
  const iat = nowInSeconds()
  const asks = settings.ON_REGISTER !== undefined || settings.CLAIMS !== undefined
  const created = asks
    ? yield* accounts.begin(values)
    : yield* accounts.create({ ...values, [user.password.name]: hash }, call)
  let row: Row | undefined
  try {
    const accepted = asks ? yield* acceptedBy(parts, call, { row: created, iat }) : {}
    row = asks ? yield* accounts.finish(created, hash, call) : created
    if (row === undefined) throw gone()
    const subject = { ...accepted, ...accounts.subjectOf(row, iat) }
    const shown = yield* accounts.shown(row, call, subject)
    return { row, pair: isDisabled(row) ? undefined : yield* sessions.open(subject, call), user: shown }
  } catch (error) {
    yield* removed(parts, call, { created, row })
    throw error
  }
}

/** Removes the user of a refused registration. One that cannot be removed now stays unfinished. */
function* removed(
  { accounts }: AuthParts,
  call: Call,
  { created, row }: { readonly created: Row; readonly row: Row | undefined },
): Steps<void> {
  try {
    // The creation is recorded once the user is finished.
    yield* accounts.remove(row ?? created, row && call)
  } catch (error) {
    call.log.error('Could not remove the user of a refused registration', error)
  }
}

/** Asks ON_REGISTER and CLAIMS. Returns what the subject of the tokens has of them. */
function* acceptedBy(
  parts: AuthParts,
  call: Call,
  { row, iat }: { readonly row: Row; readonly iat: number },
): Steps<Partial<Subject>> {
  const { accounts, settings } = parts
  yield* waitInAnyMode(settings.ON_REGISTER?.(accounts.withoutPassword(row), call.request))
  if (settings.CLAIMS === undefined) return {}
  // The hook may have changed the record.
  const current = yield* accounts.unfinished(row)
  if (current === undefined) throw gone()
  return isDisabled(current) ? {} : yield* subjectWithClaims(parts, current, iat)
}

/** The application has deleted the user meanwhile. */
const gone = (): Error => problem('forbidden', 'The registration was refused.')

/** The field `password` of the body, regardless of the name of the hash column. */
const passwordField: Field = Object.freeze({
  ...({ name: 'password', kind: 'text', form: 'string', maxLength: MOST_BYTES } as const),
  ...({ nullable: false, hasDefault: false, generated: false, optional: false } as const),
  access: 'write-only',
})

interface RegistrationBody {
  readonly schema: NamedSchema
  readonly example: Readonly<Record<string, unknown>>
  /** Returns normalized identifiers, and the password as it was sent. @throws HttpError 422 */
  readonly read: (body: unknown) => { readonly values: Row; readonly password: string }
}

/** Accepts the allowed columns and `password`; all others are hidden. */
export const registrationBody = (user: UserModel): RegistrationBody => {
  const model = registrationModel(user)
  const { schema, uses = [] } = jsonSchemasOf(model).create
  const identifiers = user.identifiers.filter((field) => user.allowed.includes(field))
  const names = identifiers.map(({ name }) => name)
  const canBeKnown = identifiers.some((field) => field.hasDefault)
  // Any text may be a password, even one that the database could not store: it is validated before it is hashed.
  const create = schemasOf(model).create.extend({ [passwordField.name]: z.string().max(MOST_BYTES) })
  return {
    schema: { name: 'RegisterRequest', schema: withAddresses(schema, identifiers), uses },
    example: { ...exampleOf(model, 'create'), password: 'a long and private sentence' },
    read: (body) => {
      const { [passwordField.name]: password, ...given } = validateBody(create, body)
      if (!canBeKnown && names.every((name) => (ownValue(given, name) ?? null) === null))
        throw bodyRefusal([
          { pointer: `/${names[0]}`, code: 'required', detail: `Send one of ${names.join(', ')}.` },
        ])
      return { values: withNormalised(user.claimed, given), password: String(password) }
    },
  }
}

const withAddresses = (schema: JsonSchema, identifiers: readonly Field[]): JsonSchema => {
  const properties = Object.entries(propertiesOf(schema)).map(([name, property]) => [
    name,
    identifiers.some((field) => field.name === name && isAddress(field))
      ? { ...property, format: 'email' }
      : property,
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

const registrationModel = ({ model, password, identifiers, allowed }: UserModel): Model => {
  const needed = identifiers.filter((field) => allowed.includes(field))
  const fieldOf = (field: Field): Field => {
    if (field === password) return passwordField
    if (!allowed.includes(field)) return Object.freeze({ ...field, access: 'hidden' })
    const access = field.access === 'write-only' ? 'write-only' : 'read-write'
    // A user needs an identifier: if there is only one, it is required.
    const isOnly = needed.length === 1 && needed[0] === field && !field.hasDefault
    return Object.freeze({ ...field, access, ...(isOnly && { nullable: false, optional: false }) })
  }
  const { search: _search, description: _description, ...rest } = model
  return withPrintable({ ...rest, fields: model.fields.map(fieldOf) }, identifiers)
}
