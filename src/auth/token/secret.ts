import { createSecretKey, type webcrypto } from 'node:crypto'
import { StartError } from '../../error/start-error.ts'
import type { SecretAlgorithm } from './algorithms.ts'

/** A secret or key as it stands in the settings. */
export interface GivenKey {
  readonly text: string
  /** Where it stands, for messages: `SECRET_KEY`. */
  readonly setting: string
  /** The name of the algorithm, for messages. */
  readonly algorithm: string
}

/** How one gets a secret that is long enough for every algorithm. */
export const secretRecipe =
  `node -p "require('node:crypto').randomBytes(64).toString('base64url')" prints a good one` as const

/** @throws StartError for a secret that is too short, or is a key in PEM: anybody may know a public one */
export const secretKeyOf = (given: GivenKey, { hash, bytes }: SecretAlgorithm): webcrypto.CryptoKey => {
  const { text, setting, algorithm } = given
  if (text.includes('-----BEGIN')) {
    throw new StartError(
      `The setting ${setting} is a key in PEM, but ${algorithm} signs with a secret text. Write a text, or the JWT_ALGORITHM of the key.`,
    )
  }
  const secret = Buffer.from(text)
  if (secret.length < bytes) {
    throw new StartError(
      `The setting ${setting} is too short for ${algorithm}: it must have at least ${bytes} bytes. ${secretRecipe}.`,
    )
  }
  return createSecretKey(secret).toCryptoKey({ name: 'HMAC', hash }, false, ['sign', 'verify'])
}
