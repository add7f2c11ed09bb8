import type { DeclaredAction, OwnAction, Permission } from '../controller/controller.ts'
import type { PermissionFunction } from '../controller/permissions.ts'
import { type Issue, problem, StartError } from '../error/errors.ts'
import { isWritable } from '../model/model.ts'
import { after, ownValue } from '../model/objects.ts'
import type { ModelName } from '../model/types.ts'
import type { Call } from '../operation/call.ts'
import { runNested, type Steps, wait, waitInAnyMode } from '../operation/steps.ts'
import { everything } from '../query/ast.ts'
import { bodyRefusal } from '../schema/issues.ts'
import type { Row, Session } from '../source/source.ts'
import { invitationMail } from './invitations.ts'
import { addressIn, type Mail, mailedTo, sendNow } from './mails.ts'
import { type AuthEvent, type AuthParts, failingClosed, logEvent } from './operation.ts'
import { resetMail } from './password-reset.ts'
import { tokenRefused } from './replies.ts'
import { disabledValues, isDisabled } from './users/accounts.ts'
import { normalised } from './users/identifiers.ts'
import { isInvited, newInvitation } from './users/invited.ts'
import { hasLoggedIn, type ManagedUsers, type Managing } from './users/own-record.ts'

type AnyPermission = Permission<ModelName, unknown>

/** The actions for callers who have `permissions.manageUsers`. */
export const managedUsers =
  (parts: AuthParts): ManagedUsers =>
  (managing) => {
    const { model, controller } = managing
    const { manageUsers } = controller.permissions
    if (manageUsers === undefined) return []
    const { settings, user } = parts
    const place = `${controller.place}: permissions.manageUsers`
    const permission = forActive(manageUsers)
    const actions = [
      ...(settings.ON_INVITATION === undefined ? [] : [inviting(parts, managing, permission)]),
      ...(disabledValues(user.model, true) === undefined
        ? []
        : [switching(parts, permission, true), switching(parts, permission, false)]),
      ...(settings.PASSWORD_RESET ? [resetting(parts, permission)] : []),
    ]
    if (actions.length === 0)
      throw new StartError(
        `${place} has no effect. Set onInvitation or passwordReset in the setting auth, or add the column is_active or disabled_at to ${model.name}.`,
      )
    const own = controller.actions?.find(({ name }) => actions.some((action) => action.name === name))
    if (own !== undefined)
      throw new StartError(
        `${controller.place}: actions.${own.name} has the name of an action of permissions.manageUsers. Rename it.`,
      )
    return actions
  }

/** Refuses anonymous callers, and those who are disabled: access tokens of stateless mode outlive that. */
const forActive =
  (permission: AnyPermission): PermissionFunction =>
  (request, record, context) => {
    // Keys open nothing below /auth.
    if (!hasLoggedIn(context.caller)) return false
    return after(context.user(), (user) => {
      if (user === null || isDisabled(user as Row)) return false
      return typeof permission === 'string' || permission(request, record, context)
    })
  }

/** An invitation is a create, too: a permission for it must not be bypassed. */
const alsoCreating = (
  permission: PermissionFunction,
  create: AnyPermission | undefined,
): PermissionFunction =>
  typeof create === 'function'
    ? (request, record, context) =>
        after(permission(request, record, context), (may) =>
          may === true ? create(request, record, context) : may,
        )
    : permission

interface ManagingAction extends Pick<DeclaredAction, 'name' | 'summary' | 'description' | 'run'> {
  readonly own: OwnAction
}

const managing = (
  permission: PermissionFunction,
  { own, ...rest }: ManagingAction & Partial<Pick<DeclaredAction, 'toStore' | 'on' | 'codes'>>,
): DeclaredAction => Object.freeze({ on: 'record', ...rest, permission, segment: rest.name, own })

const tag = 'Auth'

/** `POST /auth/users/invite` */
const inviting = (
  parts: AuthParts,
  { model, controller, opened }: Managing,
  permission: PermissionFunction,
): DeclaredAction => {
  const { accounts, user } = parts
  const email = user.email?.name ?? ''
  if (!model.fields.some((field) => field.name === email && isWritable(field)))
    throw new StartError(
      `${controller.place}: permissions.manageUsers: invitations need a writable field email of ${model.name}. Add it to registerFields, and do not make it read-only.`,
    )
  const { create } = controller.permissions
  return managing(permission, {
    name: 'invite',
    on: 'collection',
    summary: 'Invite a user',
    description:
      'Creates a user without a password, and sends a mail with a token for `POST /auth/users/invite/confirm`. If the address was invited before and has not accepted, that user gets a new mail, keeps the stored fields, and the earlier token ends.',
    codes: ['too_many_requests', 'unavailable', 'conflict'],
    run: () => ({ [user.password.name]: newInvitation() }),
    *toStore(values, record, session, call) {
      yield* assertActive(parts, call, session)
      // Since it was found, the user may have accepted.
      if (!isInvited(record, user.password))
        throw problem('conflict', 'This user has accepted an invitation.')
      return values
    },
    own: {
      ...{ id: 'inviteUser', path: '/auth/users/invite', tag },
      before(record, call) {
        if (isDisabled(record)) throw problem('conflict', 'This user is disabled.')
        return failingClosed(beginPause(parts, invitationMail, record, call))
      },
      after(record, call) {
        told(parts, call, 'user_invited', record)
        return wait(follow(parts, invitationMail, record, call))
      },
      creates: {
        permission: alsoCreating(permission, create),
        required: [email],
        closed: create === undefined ? opened : undefined,
        values: () => ({ [user.password.name]: newInvitation() }),
        *before(values, call) {
          const address = addressIn(parts, values)
          if (address === undefined) throw bodyRefusal([unaddressed])
          const { purpose } = invitationMail
          const recipient = { purpose, email: normalised(address) }
          yield* failingClosed(parts.mailTokens.assertMayMail(recipient))
          yield* failingClosed(parts.mailLimit.enter(call.address))
          yield* accounts.clear(values)
        },
        *after(record, call) {
          told(parts, call, 'user_invited', record)
          const mailed = mailedTo(parts, invitationMail, record)
          // Otherwise another invitation of the new user is on its way already.
          if (mailed !== undefined && (yield* failingClosed(parts.mailTokens.mayMail(mailed))))
            follow(parts, invitationMail, record, call)
        },
        *found(values) {
          const address = ownValue(values, email)
          if (user.email === undefined || typeof address !== 'string') return undefined
          const row = yield* accounts.find(user.email, address)
          return row !== undefined && isInvited(row, user.password)
            ? [ownValue(row, user.key.name)]
            : undefined
        },
      },
    },
  })
}

/** `POST /auth/users/{id}/disable` and `/enable` */
const switching = (parts: AuthParts, permission: PermissionFunction, disables: boolean): DeclaredAction => {
  const { accounts, sessions, user } = parts
  const name = disables ? 'disable' : 'enable'
  return managing(permission, {
    name,
    summary: disables ? 'Disable a user' : 'Enable a user',
    description: disables
      ? 'The user cannot log in or refresh tokens any more. Ends their sessions; access tokens of stateless mode stay valid until they expire. Callers cannot disable themselves.'
      : 'The user can log in again.',
    codes: ['conflict', 'unavailable'],
    run: (_request, record) =>
      isDisabled(record as Row) === disables ? {} : disabledValues(user.model, disables),
    *toStore(values, record, session, call) {
      yield* assertActive(parts, call, session)
      if (disables && accounts.subOf(call.caller?.id) === accounts.toSub(record))
        throw problem('conflict', 'You cannot disable yourself.')
      return values
    },
    own: {
      ...{ id: `${name}User`, path: `/auth/users/{id}/${name}`, tag },
      *after(record, call) {
        told(parts, call, disables ? 'user_disabled' : 'user_enabled', record)
        // Also for users who were disabled before: the cache may have failed then.
        if (disables && sessions.revokeUser !== undefined)
          yield* failingClosed(sessions.revokeUser(accounts.toSub(record)))
      },
    },
  })
}

/** `POST /auth/users/{id}/reset` */
const resetting = (parts: AuthParts, permission: PermissionFunction): DeclaredAction =>
  managing(permission, {
    name: 'sendPasswordReset',
    summary: 'Send a user the mail for a new password',
    description:
      'Sends a mail with a token for `POST /auth/password/reset/confirm` to the stored address of the user. The response is 409 for users who are disabled, have no address, or have not accepted an invitation.',
    codes: ['conflict', 'too_many_requests', 'unavailable'],
    run(_request, record) {
      assertMailable(parts, record as Row)
    },
    own: {
      ...{ id: 'sendPasswordReset', path: '/auth/users/{id}/reset', tag },
      *before(record, call) {
        assertMailable(parts, record)
        yield* failingClosed(beginPause(parts, resetMail, record, call))
      },
      after: (record, call) => wait(follow(parts, resetMail, record, call)),
    },
  })

const assertMailable = (parts: AuthParts, record: Row): void => {
  if (addressIn(parts, record) === undefined) throw problem('conflict', 'This user has no email address.')
  if (!resetMail.isFor(parts, record))
    throw problem('conflict', 'This user is disabled, or has not accepted an invitation.')
}

/** @throws HttpError 401 if the caller was disabled or deleted meanwhile: two callers must not disable each other */
function* assertActive({ user }: AuthParts, call: Call, session: Session): Steps<void> {
  const store = session.store(user.model)
  const row = yield* waitInAnyMode(store.read([call.caller?.id], everything, 'lock'))
  if (row === undefined || isDisabled(row)) throw tokenRefused()
}

const unaddressed: Issue = { pointer: '/email', code: 'required', detail: 'An invitation needs an address.' }

/** Begins the pause of a mail, so that of several requests at the same time one sends it. @throws HttpError 429 during one */
function* beginPause(parts: AuthParts, mail: Mail, record: Row, call: Call): Steps<void> {
  const { mailLimit, mailTokens } = parts
  const mailed = mailedTo(parts, mail, record)
  if (mailed === undefined) return
  yield* mailTokens.assertMayMail(mailed)
  yield* mailLimit.enter(call.address)
  if (yield* mailTokens.mayMail(mailed)) return
  yield* mailTokens.assertMayMail(mailed)
  throw problem('too_many_requests', 'Too many mails to this address.', { headers: { 'retry-after': '60' } })
}

/** Sends a mail after the response, if the user still may get it then. */
const follow = (parts: AuthParts, mail: Mail, row: Row, call: Call): void => {
  const { accounts, user } = parts
  function* send(): Steps<void> {
    const current = yield* accounts.read(ownValue(row, user.key.name))
    if (current !== undefined && mail.isFor(parts, current)) yield* sendNow(parts, mail, call, current)
  }
  parts.mailQueue.follow(call, addressIn(parts, row) ?? '', async () => await runNested(send()))
}

const told = (parts: AuthParts, call: Call, event: AuthEvent, record: Row): void =>
  logEvent(parts, call, event, parts.accounts.toSub(record), { by: parts.accounts.subOf(call.caller?.id) })
