import type { Operation } from '../operation/operation.ts'
import { wait } from '../operation/steps.ts'
import type { Mail } from './mails.ts'
import { type AuthParts, logEvent } from './operation.ts'
import { passwordRequest, settingPassword } from './password-reset.ts'
import { isDisabled } from './users/accounts.ts'
import { isInvited } from './users/invited.ts'

export const invitationMail: Mail = {
  purpose: 'invitation',
  hook: 'ON_INVITATION',
  event: 'invitation_sent',
  isFor: ({ user }, row) => isInvited(row, user.password) && !isDisabled(row),
}

/** `POST /auth/users/invite/confirm` */
export const acceptInvitation = (parts: AuthParts): Operation =>
  settingPassword(parts, invitationMail.purpose, {
    id: 'acceptInvitation',
    path: 'users/invite/confirm',
    summary: 'Accept an invitation',
    description: 'Sets the first password of an invited user, with the token of the mail.',
    schema: passwordRequest('InvitationAcceptRequest'),
    done: 'The password is set. The user can log in with it.',
    told: (call, stored) => wait(logEvent(parts, call, 'invitation_accepted', parts.accounts.toSub(stored))),
  })
