import { createHmac, randomBytes } from 'node:crypto'
import { resolveServiceAuth } from '../auth/settings/index.ts'
import { LEAST_SECRET_BYTES, secretRecipe, secretRemedy } from '../auth/tokens/keys.ts'
import { StartError } from '../error/errors.ts'
import type { Host } from '../host/host.ts'
import type { Model } from '../model/model.ts'
import { nameOf } from '../model/named.ts'
import type { ResolvedSettings } from './options.ts'

/** Other uses of `SECRET_KEY`, with their names in messages. */
const signed = {
  cursors: 'cursors',
  files: 'file URLs',
} as const

/** Returns a signing key. Called only if something is signed. @throws StartError in production without `SECRET_KEY` */
export type SigningKey = (purpose: keyof typeof signed) => string

/**
 * Derives a key from `SECRET_KEY` for each purpose and application, so a signature of one is invalid in all others.
 *
 * @throws StartError for a `SECRET_KEY` that is too short
 */
export const signingKeyOf = (
  settings: ResolvedSettings,
  { base, log }: Pick<Host, 'base' | 'log'>,
  user: Model | undefined,
): SigningKey => {
  assertSecretLength(settings)
  return (purpose) => {
    const { JWT_ISS, JWT_AUD } = resolveServiceAuth(settings.SERVICE_AUTH)
    const bound = JSON.stringify([purpose, JWT_ISS, JWT_AUD, user === undefined ? '' : nameOf(user), base])
    return createHmac('sha256', secretOf(settings, log, purpose))
      .update(bound)
      .digest('base64url')
  }
}

/** Even if nothing is signed yet: a later option may sign with it. @throws StartError */
const assertSecretLength = ({ SECRET_KEY = '' }: ResolvedSettings): void => {
  if (SECRET_KEY === '' || Buffer.byteLength(SECRET_KEY) >= LEAST_SECRET_BYTES) return
  throw new StartError(
    `The setting SECRET_KEY must have at least ${LEAST_SECRET_BYTES} bytes. ${secretRecipe}.`,
  )
}

/** Without `SECRET_KEY`, uses a random key: signatures are then invalid in other processes. */
const secretOf = (
  { SECRET_KEY = '' }: ResolvedSettings,
  log: Host['log'],
  purpose: keyof typeof signed,
): string => {
  if (SECRET_KEY !== '') return SECRET_KEY
  const what = signed[purpose]
  if (process.env['NODE_ENV'] === 'production')
    throw new StartError(
      `SECRET_KEY is not set in this process, or is empty: in production, ${what} need it. ${secretRemedy}.`,
    )
  log.warn(
    `SECRET_KEY is not set in this process, or is empty: ${what} become invalid when it restarts. ${secretRemedy}.`,
  )
  return randomBytes(LEAST_SECRET_BYTES).toString('base64url')
}
