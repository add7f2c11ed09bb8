import { z } from 'zod'
import { toHttpError } from '../error/problem.ts'
import { readJson } from '../operation/body.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { runNested } from '../operation/steps.ts'
import { validateBody } from '../schema/issues.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import type { Row } from '../source/source.ts'
import {
  addressIn,
  type Mail,
  mailedUser,
  mailOperation,
  mailTokenRefused,
  onceWith,
  sendMail,
} from './mails.ts'
import { type AuthParts, authOperation, logEvent } from './operation.ts'
import { noStore } from './replies.ts'
import { isVerified, verifiedValues } from './users/user-columns.ts'

const verifyMail: Mail = {
  purpose: 'email-verify',
  hook: 'ON_EMAIL_VERIFY',
  event: 'email_verify_sent',
  isFor: ({ user }, row) => user.verified !== undefined && !isVerified(row, user.verified),
}

/** Sends the first mail to a new user, after the response. The registration is done, whatever happens to the mail. */
export const verifyNewUser = (parts: AuthParts, call: Call, row: Row): void => {
  if (!parts.settings.EMAIL_VERIFY || !verifyMail.isFor(parts, row)) return
  try {
    const recipient = addressIn(parts, row) ?? ''
    parts.mailQueue.follow(
      call,
      recipient,
      async () => await runNested(sendMail(parts, verifyMail, call, row)),
    )
  } catch (error) {
    call.log.warn(`A mail was not sent: ${toHttpError(error).detail}`)
  }
}

/** `POST /auth/email/verify` */
export const requestVerification = (parts: AuthParts): Operation =>
  mailOperation(parts, verifyMail, {
    id: 'requestEmailVerification',
    path: 'email/verify',
    summary: 'Ask for the mail that verifies an address',
    description:
      'Sends a mail with a token for `POST /auth/email/verify/confirm` if the address belongs to a user and is not verified. The pause between two mails grows with each mail. The response does not tell whether it does.',
  })

/** `POST /auth/email/verify/confirm` */
export const confirmVerification = (parts: AuthParts): Operation =>
  authOperation(parts, {
    id: 'verifyEmail',
    method: 'POST',
    path: 'email/verify/confirm',
    summary: 'Verify an address',
    description: 'Marks the address of a user as verified, with the token of a mail.',
    body: { required: true, schema: verifyRequest, example: { token: 'x'.repeat(43) } },
    success: { status: 204, description: 'The address is verified.' },
    problems: ['unavailable'],
    read: (bytes) => String(validateBody(verifyBody, readJson(bytes))['token']),
    *act(token, call) {
      const { accounts, mailTokens, user } = parts
      const mailed = yield* mailTokens.find(token, verifyMail.purpose)
      const row = mailed && (yield* mailedUser(parts, mailed))
      if (mailed === undefined || row === undefined || user.email === undefined) throw mailTokenRefused()
      const fields = [user.email]
      const changed = yield* onceWith(parts, token, mailed, () =>
        accounts.change(row, fields, verifiedValues(user.verified, true), call),
      )
      if (changed === undefined) throw mailTokenRefused()
      logEvent(parts, call, 'email_verified', accounts.toSub(changed))
    },
    reply: () => ({ status: 204, headers: noStore, body: undefined }),
  })

const verifyBody = z.strictObject({ token: z.string() })

const verifyRequest: NamedSchema = {
  name: 'EmailVerifyRequest',
  schema: {
    type: 'object',
    required: ['token'],
    properties: { token: { type: 'string', description: 'The token of the mail.' } },
    additionalProperties: false,
  },
}
