import { z } from 'zod'
import { type Issue, problem } from '../error/errors.ts'
import { isPrintable } from '../model/kinds/text.ts'
import { readJson } from '../operation/body.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { decodedSegment } from '../operation/path.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import { bodyRefusal, validateBody } from '../schema/issues.ts'
import type { Row } from '../source/source.ts'
import { requireCaller } from './authenticate.ts'
import { type ApiKey, type ApiKeys, digestOf, isExpired, MOST_KEYS, newKeyText } from './keys/api-keys.ts'
import { type KeyAccess, LONGEST_NAME } from './keys/key-model.ts'
import { createdKeySchema, keyExample, keyRequestOf, keysSchema } from './keys/key-schemas.ts'
import { limited, turnOf } from './limits/throttle.ts'
import { type AuthParts, authOperation, logEvent } from './operation.ts'
import { passwords } from './passwords/passwords.ts'
import { noStore, privateJson, tokenRefused } from './replies.ts'
import { isDisabled } from './users/accounts.ts'

interface KeyOperationParts extends AuthParts {
  readonly apiKeys: ApiKeys
}

/** `POST /auth/keys` */
export const createKey = (parts: KeyOperationParts): Operation => {
  const { authenticate, settings } = parts
  return authOperation(parts, {
    id: 'createApiKey',
    method: 'POST',
    path: 'keys',
    summary: 'Create an API key',
    description: `Creates a key with which a program acts for the caller, as \`Authorization: Bearer\`. Only this response has the key. A user has at most ${MOST_KEYS}.`,
    caller: 'session',
    body: {
      required: true,
      schema: keyRequestOf(settings),
      example: { name: 'nightly import', access: 'write', password: 'a long and private sentence' },
    },
    success: {
      status: 201,
      description: 'The new key.',
      mediaType: 'application/json',
      schema: createdKeySchema,
      example: { ...keyExample, key: `${settings.API_KEY_PREFIX}_${'x'.repeat(43)}` },
    },
    problems: ['unauthenticated', 'too_many_requests', 'conflict'],
    *enter(call) {
      yield* requireCaller(call, authenticate)
    },
    read: (bytes) => readRequest(bytes, settings.API_KEY_EXP),
    *act(asked, call) {
      // The body may have taken long.
      const row = yield* ownUser(parts, call)
      yield* assertPasswordOf(parts, call, row, asked.password)
      return JSON.stringify(yield* created(parts, call, row, asked))
    },
    reply: (key) => privateJson(201, key),
  })
}

/** `GET /auth/keys` */
export const listKeys = (parts: KeyOperationParts): Operation => {
  const { items } = parts.envelope
  return authOperation(parts, {
    id: 'listApiKeys',
    method: 'GET',
    path: 'keys',
    summary: 'List the API keys',
    description: 'Returns the API keys of the caller, the newest first, also those that have expired.',
    caller: 'session',
    success: {
      status: 200,
      description: 'The keys, without the values that authenticate.',
      mediaType: 'application/json',
      schema: keysSchema(items),
      example: { [items]: [keyExample] },
    },
    problems: ['unauthenticated'],
    read: () => undefined,
    *act(_nothing, call) {
      const row = yield* ownUser(parts, call)
      const keys = yield* ownKeys(parts, row)
      return JSON.stringify({ [items]: keys.map(shown) })
    },
    reply: (list) => privateJson(200, list),
  })
}

/** `DELETE /auth/keys/{id}` */
export const revokeKey = (parts: KeyOperationParts): Operation =>
  authOperation(parts, {
    id: 'revokeApiKey',
    method: 'DELETE',
    path: 'keys/{id}',
    summary: 'Revoke an API key',
    description: 'Deletes an API key of the caller. Requests with it are refused from now on.',
    caller: 'session',
    parameters: [
      {
        ...{ name: 'id', in: 'path', required: true, description: 'The `id` of the key in the list.' },
        ...{ schema: { type: 'string' }, example: keyExample.id },
      },
    ],
    success: { status: 204, description: 'The key is revoked.' },
    problems: ['unauthenticated', 'not_found', 'conflict'],
    read: () => undefined,
    *act(_nothing, call) {
      const row = yield* ownUser(parts, call)
      const sub = parts.accounts.toSub(row)
      const id = decodedSegment(call.params['id'])
      const key = (yield* ownKeys(parts, row)).find((own) => own.id === id)
      if (key === undefined || !(yield* parts.apiKeys.remove(key, call)))
        throw problem('not_found', 'This API key does not exist, or is revoked already.')
      logEvent(parts, call, 'key_revoked', sub, { key: key.id })
    },
    reply: () => ({ status: 204, headers: noStore, body: undefined }),
  })

/** The record of the caller. @throws HttpError 401 */
function* ownUser({ accounts, authenticate }: AuthParts, call: Call): Steps<Row> {
  const { claims } = yield* requireCaller(call, authenticate)
  const row = yield* accounts.active(claims)
  if (row === undefined) throw tokenRefused()
  return row
}

/** Whether a key is that of another user, who had the same id, or of an earlier password of this one: it is refused for good. */
const isForeign = ({ accounts }: AuthParts, row: Row): ((key: ApiKey) => boolean) => {
  const { account } = accounts.subjectOf(row, 0)
  return (key) => accounts.keysComeAgain && key.account !== account
}

function* ownKeys(parts: KeyOperationParts, row: Row): Steps<readonly ApiKey[]> {
  const isOthers = isForeign(parts, row)
  return (yield* parts.apiKeys.of(parts.accounts.toSub(row))).filter((key) => !isOthers(key))
}

interface KeyRequest {
  readonly name: string
  readonly access: KeyAccess
  /** In milliseconds since 1970. */
  readonly expires: number | undefined
  readonly password: string | undefined
}

/** A stolen token must not become a key that outlives it. Users who have no password cannot prove more than their session. */
function* assertPasswordOf(
  { accounts, throttle }: AuthParts,
  call: Call,
  row: Row,
  password: string | undefined,
): Steps<void> {
  const hash = accounts.hashIn(row)
  if (hash === undefined) return
  if (password === undefined) throw bodyRefusal([missing])
  const who = { account: accounts.toSub(row), by: 'key', address: call.address } as const
  const isTheirs = yield* limited(throttle, who, function* (begin) {
    const turn = { ...turnOf(call), begin }
    return (yield* waitInAnyMode(passwords.verify(password, hash, turn))) ? true : undefined
  })
  if (isTheirs === undefined) throw bodyRefusal([wrong])
}

function* created(
  parts: KeyOperationParts,
  call: Call,
  row: Row,
  { name, access, expires }: KeyRequest,
): Steps<object> {
  const { accounts, apiKeys, settings, user } = parts
  const text = newKeyText(settings.API_KEY_PREFIX)
  const { sub, account } = accounts.subjectOf(row, 0)
  const id = [accounts.idOf(sub)]
  const isOthers = isForeign(parts, row)
  const isOver = (key: ApiKey): boolean => isExpired(key) || isOthers(key)
  const given = { sub, name, access, account, expires, digest: digestOf(text), isOver }
  // The session may have ended in the queue of passwords.
  if (call.confirm !== undefined) yield* call.confirm()
  const key = yield* apiKeys.create(given, call, function* (session) {
    const locked = yield* waitInAnyMode(session.store(user.model).read(id, everything, 'lock'))
    return locked !== undefined && !isDisabled(locked) && accounts.subjectOf(locked, 0).account === account
  })
  if (key === undefined) throw tokenRefused()
  if (key === 'many')
    throw problem('conflict', `You have ${MOST_KEYS} API keys, which is the most. Revoke one first.`)
  logEvent(parts, call, 'key_created', sub, { key: key.id })
  return { ...shown(key), key: text }
}

const isoOf = (time: number | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString()

const shown = ({ id, name, access, created: since, expires, used }: ApiKey): object => ({
  ...{ id, name, access, created_at: isoOf(since), expires_at: isoOf(expires), last_used_at: isoOf(used) },
})

const body = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(LONGEST_NAME)
    .refine(isPrintable, { params: { code: 'invalid_format' } }),
  access: z.enum(['read', 'write']).optional(),
  expires_at: z.iso.datetime({ offset: true }).nullable().optional(),
  password: z.string().min(1).optional(),
})

/** @param longest seconds @throws HttpError 400, 422 */
const readRequest = (bytes: Uint8Array, longest: number): KeyRequest => {
  const {
    name,
    access,
    expires_at: given,
    password,
  } = validateBody(body, readJson(bytes)) as z.infer<typeof body>
  return { name, access: access ?? 'read', expires: expiryOf(given, longest), password }
}

const expiryOf = (given: string | null | undefined, longest: number): number | undefined => {
  const now = Date.now()
  const last = longest === 0 ? undefined : now + longest * 1000
  if (given === undefined) return last
  if (given === null) {
    if (last === undefined) return undefined
    throw bodyRefusal([unlimited])
  }
  const time = Date.parse(given)
  if (time > now && (last === undefined || time <= last)) return time
  const most = last === undefined ? '' : `, and before ${new Date(last).toISOString()}`
  throw bodyRefusal([
    { pointer: EXPIRES, code: 'out_of_range', detail: `expires_at must be in the future${most}.` },
  ])
}

const EXPIRES = '/expires_at'

const unlimited: Issue = {
  ...{
    pointer: EXPIRES,
    code: 'not_nullable',
    detail: 'expires_at cannot be null: keys of this API expire.',
  },
}
const missing: Issue = {
  ...{ pointer: '/password', code: 'required', detail: 'password is required: the password of the caller.' },
}
const wrong: Issue = { pointer: '/password', code: 'invalid', detail: 'The password is wrong.' }
