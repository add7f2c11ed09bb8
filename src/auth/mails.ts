import { z } from 'zod'
import { CacheError } from '../cache/cache.ts'
import { ownValue } from '../model/objects.ts'
import { readJson } from '../operation/body.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { runNested, type Steps, waitInAnyMode } from '../operation/steps.ts'
import { bodyRefusal, validateBody } from '../schema/issues.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import type { Row } from '../source/source.ts'
import type { Mailed, MailPurpose } from './mails/mail-tokens.ts'
import { type AuthEvent, type AuthParts, authOperation, logEvent } from './operation.ts'
import { noStore } from './replies.ts'
import { LONGEST_IDENTIFIER } from './users/user-columns.ts'

/** A kind of mail with a token. */
export interface Mail {
  readonly purpose: MailPurpose
  readonly hook: 'ON_PASSWORD_RESET' | 'ON_EMAIL_VERIFY' | 'ON_INVITATION'
  readonly event: AuthEvent
  /** Whether a user who asks for this mail gets it. */
  readonly isFor: (parts: AuthParts, row: Row) => boolean
}

/** The operation with which a client asks for a mail. Its response is the same for every address. */
export const mailOperation = (
  parts: AuthParts,
  mail: Mail,
  described: Pick<Operation, 'id' | 'summary' | 'description'> & { readonly path: string },
): Operation => {
  const { mailLimit, mailQueue } = parts
  return authOperation(parts, {
    ...described,
    method: 'POST',
    body: { required: true, schema: addressRequest, example: { email: 'ada@example.com' } },
    success: { status: 202, description: 'If the address belongs to a user, a mail is on its way.' },
    problems: ['too_many_requests', 'unavailable'],
    enter: ({ address }) => mailLimit.assertOpen(address),
    read: (bytes) => String(validateBody(addressBody, readJson(bytes))['email']),
    *act(address, call) {
      yield* mailLimit.enter(call.address)
      mailQueue.follow(call, address, async () => await runNested(sendTo(parts, mail, call, address)))
    },
    reply: () => ({ status: 202, headers: noStore, body: undefined }),
  })
}

const addressBody = z.strictObject({ email: z.string().min(1).max(LONGEST_IDENTIFIER) })

const addressRequest: NamedSchema = {
  name: 'MailRequest',
  schema: {
    type: 'object',
    required: ['email'],
    properties: {
      email: {
        type: 'string',
        minLength: 1,
        maxLength: LONGEST_IDENTIFIER,
        description: 'The address of the user.',
      },
    },
    additionalProperties: false,
  },
}

function* sendTo(parts: AuthParts, mail: Mail, call: Call, address: string): Steps<void> {
  const { accounts, user } = parts
  const row = user.email && (yield* accounts.find(user.email, address))
  if (row !== undefined && mail.isFor(parts, row)) yield* sendMail(parts, mail, call, row)
  else yield* parts.mailTokens.pretend(mail.purpose, address)
}

/** Sends a mail to a user, to the stored address. Sends none during the pause of the user or the address. */
export function* sendMail(parts: AuthParts, mail: Mail, call: Call, row: Row): Steps<void> {
  const mailed = mailedTo(parts, mail, row)
  if (mailed !== undefined && (yield* parts.mailTokens.mayMail(mailed)))
    yield* sendNow(parts, mail, call, row)
}

/** What a token in a mail to this user is for. `undefined` without an address. */
export const mailedTo = (parts: AuthParts, { purpose }: Mail, row: Row): Mailed | undefined => {
  const { sub, account } = parts.accounts.subjectOf(row, 0)
  const email = addressIn(parts, row)
  return email === undefined ? undefined : { purpose, sub, email, ...(account !== undefined && { account }) }
}

/** The same as `sendMail`, for a mail whose pause has begun. */
export function* sendNow(parts: AuthParts, mail: Mail, call: Call, row: Row): Steps<void> {
  const { accounts, mailTokens, settings } = parts
  const mailed = mailedTo(parts, mail, row)
  if (mailed === undefined) return
  const token = yield* mailTokens.issue(mailed)
  try {
    yield* waitInAnyMode(settings[mail.hook]?.(accounts.withoutPassword(row), token, call.request))
  } catch (error) {
    throw withoutToken(error, token)
  }
  logEvent(parts, call, mail.event, mailed.sub)
}

export const addressIn = ({ user }: AuthParts, row: Row): string | undefined => {
  const email = user.email && ownValue(row, user.email.name)
  return typeof email === 'string' && email !== '' ? email : undefined
}

/** The error of a mail library may contain the mail. */
const withoutToken = (error: unknown, token: string): unknown =>
  mentions(error, token)
    ? new Error(
        'The function that sends the mail failed. Its error may contain the token, so it is not logged.',
      )
    : error

/** An error with more objects contains a connection or a whole server, and takes too long to search. */
const MOST_OBJECTS = 10_000

/** Whether a value contains a text, at any depth. Also true if it is too large to tell. It runs no code of the value. */
const mentions = (value: unknown, text: string): boolean => {
  const seen = new Set<unknown>([value])
  try {
    for (const one of seen) {
      if (seen.size > MOST_OBJECTS) return true
      if (typeof one === 'string' ? one.includes(text) : isBytesWith(one, text)) return true
      for (const inner of partsOf(one)) seen.add(inner)
    }
    return false
  } catch {
    // A revoked proxy.
    return true
  }
}

const isBytesWith = (value: unknown, text: string): boolean =>
  ArrayBuffer.isView(value) && Buffer.from(value.buffer, value.byteOffset, value.byteLength).includes(text)

const partsOf = (value: unknown): Iterable<unknown> => {
  const isObject = typeof value === 'function' || (typeof value === 'object' && value !== null)
  if (!isObject || ArrayBuffer.isView(value)) return []
  const own = Reflect.ownKeys(value).map((name) => Object.getOwnPropertyDescriptor(value, name)?.value)
  const held = value instanceof Map || value instanceof Set ? [...value.keys(), ...value.values()] : []
  return [...own, ...held]
}

/**
 * The user of a token in a mail, if the address is still the same. It does not check the password or whether the user is
 * disabled.
 */
export function* mailedUser(parts: AuthParts, mailed: Mailed): Steps<Row | undefined> {
  const { accounts } = parts
  const id = accounts.idOf(mailed.sub)
  const row = id === undefined ? undefined : yield* accounts.read(id)
  return row !== undefined && addressIn(parts, row) === mailed.email ? row : undefined
}

/** The same response for every cause, because it must not reveal anything about the user. */
export const mailTokenRefused = (): Error =>
  bodyRefusal([
    {
      ...{ pointer: '/token', code: 'invalid' },
      detail:
        'The token is not valid: it was used, has expired, or belongs to an earlier address or password.',
    },
  ])

/**
 * Uses the token of a mail: of several requests at the same time, one. If its use fails, the token can be used again. Afterwards, the
 * next mail needs no pause.
 */
export function* onceWith<T>(
  { mailTokens }: AuthParts,
  token: string,
  mailed: Mailed,
  use: () => Steps<T>,
): Steps<T> {
  if (!(yield* mailTokens.take(token, mailed.purpose))) throw mailTokenRefused()
  let used: T
  try {
    used = yield* use()
  } catch (error) {
    yield* mailTokens.giveBack(token)
    throw error
  }
  try {
    yield* mailTokens.forgive(mailed)
  } catch (error) {
    // The token is used: an unavailable cache only keeps the pause.
    if (!(error instanceof CacheError)) throw error
  }
  return used
}
