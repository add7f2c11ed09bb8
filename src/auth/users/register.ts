import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { problem } from '../../error/errors.ts'
import type { JsonSchema } from '../../model/codec.ts'
import type { Field, Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { readJson } from '../../operation/body.ts'
import type { Call } from '../../operation/call.ts'
import type { Operation } from '../../operation/operation.ts'
import { runNested, type Steps, waitInAnyMode } from '../../operation/steps.ts'
import { exampleOf } from '../../schema/example.ts'
import { bodyRefusal, validateBody } from '../../schema/issues.ts'
import { jsonSchemasOf, type NamedSchema, propertiesOf } from '../../schema/json-schema.ts'
import { schemasOf } from '../../schema/zod.ts'
import type { Row } from '../../source/source.ts'
import { verifyNewUser } from '../mails/email-verify.ts'
import { type AuthParts, authOperation, logEvent, sessionSchema } from '../operation.ts'
import { MOST_BYTES, passwords } from '../passwords/passwords.ts'
import { assertPassword } from '../passwords/validators.ts'
import { sessionReply } from '../replies.ts'
import type { Subject } from '../sessions/sessions.ts'
import { largestBlock } from '../throttle.ts'
import { subjectWithClaims } from '../tokens/claims.ts'
import { nowInSeconds } from '../tokens/tokens.ts'
import { isDisabled } from './accounts.ts'
import { isAddress, withNormalised } from './identifiers.ts'
import { withPrintable } from './user-columns.ts'
import type { UserModel } from './users.ts'

/** `POST /auth/register` */
export const register = (parts: AuthParts): Operation => {
  const { accounts, registrations, sessions, settings, user } = parts
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
      schema: sessionSchema(user, 'Registration', ['user']),
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
      const iat = nowInSeconds()
      const row = yield* createUser(parts, call, { ...values, [user.password.name]: hash })
      // An inactive user cannot log in, and gets no tokens.
      const subject = isDisabled(row) ? undefined : yield* subjectOf(parts, call, { row, iat })
      const pair = subject && (yield* sessions.open(subject, call))
      logEvent(parts, call, 'register', accounts.toSub(row))
      verifyNewUser(parts, call, row)
      return { pair, user: yield* accounts.shown(row) }
    },
    reply: (session, call) =>
      sessionReply(settings, 201, session, { location: call.path.replace(/[^/]+\/*$/, 'me') }),
  })
}

/**
 * Stores a user. If the hook refuses, the user is removed; the user cannot log in until the hook has finished. Only then is the
 * registration recorded: a refused one never was.
 */
function* createUser({ accounts, settings, user }: AuthParts, call: Call, values: Row): Steps<Row> {
  const { ON_REGISTER: hook } = settings
  const { name } = user.password
  if (hook === undefined) return yield* accounts.create(values, call)
  // Not a hash, and unique to this registration: it identifies the record, whatever happens to it while the hook runs.
  const row = yield* accounts.create({ ...values, [name]: `!${randomUUID()}` })
  let stored: Row | undefined
  try {
    yield* waitInAnyMode(hook(accounts.withoutPassword(row), call.request))
    const password = { [name]: ownValue(values, name) }
    stored = yield* accounts.complete(row, [user.password], password, call)
  } catch (refusal) {
    yield* accounts.remove(row)
    throw refusal
  }
  // The hook has deleted the user.
  if (stored === undefined) throw problem('forbidden', 'The registration was refused.')
  return stored
}

/** If `CLAIMS` refuses or fails, the user is removed, as if the hook had refused. */
function* subjectOf(
  parts: AuthParts,
  call: Call,
  { row, iat }: { readonly row: Row; readonly iat: number },
): Steps<Subject> {
  try {
    return yield* subjectWithClaims(parts, row, iat)
  } catch (error) {
    yield* parts.accounts.remove(row, call)
    throw error
  }
}

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
