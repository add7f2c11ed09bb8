import { problem } from '../error/errors.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { decodedSegment } from '../operation/path.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import { requireCaller } from './authenticate.ts'
import { type AuthParts, authOperation, logEvent } from './operation.ts'
import { cookieHeaders, noStore, privateJson, tokenRefused } from './replies.ts'
import type { ListedSession, Sessions } from './sessions/sessions.ts'

/** `POST /auth/logout/all` */
export const logoutAll = (parts: AuthParts): Operation => {
  const { accounts, authenticate, sessions, settings } = parts
  return authOperation(parts, {
    id: 'logoutAll',
    method: 'POST',
    path: 'logout/all',
    asks: [settings.ON_LOGOUT],
    summary: 'Log out everywhere',
    description:
      'Ends all sessions of the caller, also this one and those that are just beginning, and clears the cookies.',
    caller: 'session',
    success: { status: 204, description: 'All sessions of the caller have ended.' },
    problems: ['unauthenticated'],
    read: () => undefined,
    *act(_nothing, call) {
      const { claims } = yield* requireCaller(call, authenticate)
      const row = yield* accounts.active(claims)
      if (row === undefined) throw tokenRefused()
      yield* waitInAnyMode(settings.ON_LOGOUT?.(accounts.withoutPassword(row), call.request))
      yield* sessions.revokeUser?.(claims.sub) ?? stateful()
      logEvent(parts, call, 'logout_all', claims.sub)
    },
    reply: () => ({ status: 204, headers: { ...noStore, ...cookieHeaders(settings) }, body: undefined }),
  })
}

/** `GET /auth/sessions` */
export const listSessions = (parts: AuthParts): Operation =>
  authOperation(parts, {
    id: 'listSessions',
    method: 'GET',
    path: 'sessions',
    summary: 'List the sessions',
    description: 'Returns the sessions of the caller, the latest use first. There are at most 50.',
    caller: 'session',
    success: {
      status: 200,
      description: 'The sessions that have not ended.',
      mediaType: 'application/json',
      schema: sessionsSchema(parts.envelope.items),
      example: {
        [parts.envelope.items]: [
          {
            ...{ id: '1b4e28ba-2fa1-11d2-883f-0016d3cca427', current: true },
            ...{ user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)', address: '203.0.113.9' },
            ...{ created_at: '2026-01-02T03:04:05.000Z', last_used_at: '2026-01-03T04:05:06.000Z' },
          },
        ],
      },
    },
    problems: ['unauthenticated'],
    read: () => undefined,
    *act(_nothing, call) {
      const { current, sessions } = yield* ownSessions(parts, call)
      return JSON.stringify({ [parts.envelope.items]: sessions.map((session) => shown(session, current)) })
    },
    reply: (list) => privateJson(200, list),
  })

/** `DELETE /auth/sessions/{id}` */
export const endSession = (parts: AuthParts): Operation => {
  const { settings } = parts
  return authOperation(parts, {
    id: 'endSession',
    method: 'DELETE',
    path: 'sessions/{id}',
    summary: 'End a session',
    description:
      'Ends one session of the caller: all of its tokens become invalid. For the session of the request, it clears the cookies.',
    caller: 'session',
    parameters: [
      {
        ...{ name: 'id', in: 'path', required: true, description: 'The `id` of the session in the list.' },
        ...{ schema: { type: 'string' }, example: '1b4e28ba-2fa1-11d2-883f-0016d3cca427' },
      },
    ],
    success: { status: 204, description: 'The session has ended.' },
    problems: ['unauthenticated', 'not_found'],
    read: () => undefined,
    *act(_nothing, call) {
      const { sub, current, sessions, list } = yield* ownSessions(parts, call)
      const session = sessions.find(({ id }) => id === decodedSegment(call.params['id']))
      if (session === undefined) throw problem('not_found', 'This session does not exist, or has ended.')
      yield* list.end(sub, session)
      logEvent(parts, call, 'session_ended', sub)
      return session.id === current
    },
    reply: (isCurrent) => ({
      status: 204,
      headers: { ...noStore, ...(isCurrent && cookieHeaders(settings)) },
      body: undefined,
    }),
  })
}

interface OwnSessions {
  readonly sub: string
  /** The id of the session of the request. */
  readonly current: string | undefined
  readonly sessions: readonly ListedSession[]
  readonly list: NonNullable<Sessions['list']>
}

/** The sessions of the caller. @throws HttpError 401 */
function* ownSessions({ accounts, authenticate, sessions }: AuthParts, call: Call): Steps<OwnSessions> {
  const { claims } = yield* requireCaller(call, authenticate)
  const row = yield* accounts.active(claims)
  if (row === undefined) throw tokenRefused()
  const { sub, iat, fid } = claims
  const list = sessions.list ?? stateful()
  const { account } = accounts.subjectOf(row, iat)
  return { sub, current: fid, list, sessions: yield* list.of(sub, account) }
}

/** The settings of these routes are refused at startup otherwise. */
const stateful = (): never => {
  throw new Error('Sessions need STATEFUL: true.')
}

const shown = (
  { id, agent, address, created, used }: ListedSession,
  current: string | undefined,
): object => ({
  ...{ id, current: id === current, user_agent: agent, address },
  ...{ created_at: new Date(created).toISOString(), last_used_at: new Date(used).toISOString() },
})

/** With a name of its own, as generated clients need it. */
const ownSession: NamedSchema = {
  name: 'OwnSession',
  schema: {
    type: 'object',
    required: ['id', 'current', 'user_agent', 'address', 'created_at', 'last_used_at'],
    properties: {
      id: { type: 'string' },
      current: { type: 'boolean', description: 'Whether the request belongs to this session.' },
      user_agent: {
        type: ['string', 'null'],
        description: 'The header `User-Agent` of the login or the last refresh, cut to 200 characters.',
      },
      address: {
        type: ['string', 'null'],
        description: 'The client address of the login or the last refresh, if it is known.',
      },
      created_at: { type: 'string', format: 'date-time', description: 'The time of the login.' },
      last_used_at: {
        type: 'string',
        format: 'date-time',
        description: 'The time of the last use, to the minute.',
      },
    },
    additionalProperties: true,
  },
}

const sessionsSchema = (items: string): NamedSchema => ({
  name: 'Sessions',
  schema: {
    type: 'object',
    required: [items],
    properties: { [items]: { type: 'array', items: { $ref: `#/components/schemas/${ownSession.name}` } } },
    additionalProperties: true,
  },
  uses: [ownSession],
})
