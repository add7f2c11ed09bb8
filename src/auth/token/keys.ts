import type { webcrypto } from 'node:crypto'
import { StartError, suggest } from '../../error/start-error.ts'
import type { AuthSettings } from '../settings.ts'
import { algorithms, type PairAlgorithm, type SecretAlgorithm } from './algorithms.ts'
import { keyPairOf, publicKeyOf } from './key-pair.ts'
import { type GivenKey, secretKeyOf, secretRecipe } from './secret.ts'

/** What tokens are signed and verified with. */
export interface TokenKeys {
  readonly signing: webcrypto.CryptoKey
  /** The current one first, then those of before. */
  readonly verifying: readonly webcrypto.CryptoKey[]
}

/** What the settings say about keys. */
export type KeySettings = Pick<AuthSettings, 'secret' | 'secretName' | 'previousSecrets' | 'algorithm'>

/**
 * The keys of the settings, ready for use.
 *
 * @throws StartError for an unknown algorithm, a missing or short secret, and a key that does not go with the algorithm. No
 *   message repeats a part of a secret.
 */
export const keysOf = ({ secret, secretName, previousSecrets, algorithm: name }: KeySettings): TokenKeys => {
  const algorithm = algorithmOf(name)
  if (secret === '') throw new StartError(missing)
  const setting = secretName === 'SECRET_KEY' ? secretName : `SERVICE_AUTH.${secretName}`
  const own: GivenKey = { text: secret, setting, algorithm: name }
  const previous = previousSecrets.map(
    (text, place): GivenKey => ({
      text,
      setting: `SERVICE_AUTH.JWT_PREVIOUS_SECRETS[${place}]`,
      algorithm: name,
    }),
  )
  return algorithm.key === 'secret'
    ? secretKeys(own, previous, algorithm)
    : pairKeys(own, previous, algorithm)
}

const secretKeys = (own: GivenKey, previous: readonly GivenKey[], algorithm: SecretAlgorithm): TokenKeys => {
  const signing = secretKeyOf(own, algorithm)
  return { signing, verifying: [signing, ...previous.map((given) => secretKeyOf(given, algorithm))] }
}

const pairKeys = (own: GivenKey, previous: readonly GivenKey[], algorithm: PairAlgorithm): TokenKeys => {
  const { privateKey, publicKey } = keyPairOf(own, algorithm)
  return {
    signing: privateKey,
    verifying: [publicKey, ...previous.map((given) => publicKeyOf(given, algorithm))],
  }
}

const missing = `Tokens need a secret. Write settings: defineSettings({ SECRET_KEY: process.env.SECRET_KEY }), or JWT_SECRET in SERVICE_AUTH; ${secretRecipe}.`

const algorithmOf = (name: string): SecretAlgorithm | PairAlgorithm => {
  const algorithm = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined
  if (algorithm !== undefined) return algorithm
  throw new StartError(
    `The setting SERVICE_AUTH.JWT_ALGORITHM cannot be ${JSON.stringify(name)}.${suggest(name, Object.keys(algorithms))}`,
  )
}
