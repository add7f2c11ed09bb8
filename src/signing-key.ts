import { createHmac, randomBytes } from 'node:crypto'
import { issuedFor } from './auth/settings.ts'
import { secretRecipe } from './auth/token/secret.ts'
import { StartError } from './error/start-error.ts'
import type { Host } from './host/host.ts'
import type { ResolvedSettings } from './options.ts'

/** What is signed with `SECRET_KEY` beside tokens, and how messages call it. */
const signed = {
  cursors: { users: 'Cursor pages', what: 'cursors' },
  files: { users: 'URLs of files', what: 'URLs of files' },
} as const

/** The key for what is signed. It is asked for only where something is. @throws StartError for a `SECRET_KEY` that cannot be */
export type SigningKey = (purpose: keyof typeof signed) => string

/** What tells an application from another with the same `SECRET_KEY`. */
export interface Signer {
  readonly settings: ResolvedSettings
  readonly host: Pick<Host, 'base' | 'log'>
  /** `app.Model`. `undefined`: there is none. */
  readonly userModel: string | undefined
}

/** As many as HS256 asks for (RFC 7518, 3.2). */
const LEAST_BYTES = 32

/**
 * Keys that follow from `SECRET_KEY`, one for each purpose and application: what one has signed opens nothing in another.
 */
export const signingKeyOf =
  ({ settings, host, userModel = '' }: Signer): SigningKey =>
  (purpose) => {
    const { issuer, audience } = issuedFor(settings)
    const bound = JSON.stringify([purpose, issuer, audience, userModel, host.base])
    return createHmac('sha256', secretOf(settings, host, purpose))
      .update(bound)
      .digest('base64url')
  }

/** Without a key, what this process signs is worth nothing to another. */
const secretOf = (
  { SECRET_KEY = '' }: ResolvedSettings,
  { log }: Signer['host'],
  purpose: keyof typeof signed,
): string => {
  const { users, what } = signed[purpose]
  if (SECRET_KEY !== '') {
    if (Buffer.byteLength(SECRET_KEY) >= LEAST_BYTES) return SECRET_KEY
    throw new StartError(
      `The setting SECRET_KEY is too short to sign ${what}: it must have at least ${LEAST_BYTES} bytes. ${secretRecipe}.`,
    )
  }
  const remedy = 'Write settings: defineSettings({ SECRET_KEY: process.env.SECRET_KEY }).'
  if (process.env['NODE_ENV'] === 'production')
    throw new StartError(`${users} need the setting SECRET_KEY in production. ${remedy}`)
  log.warn(`SECRET_KEY is not set: ${what} become invalid when this process restarts. ${remedy}`)
  return randomBytes(LEAST_BYTES).toString('base64url')
}
