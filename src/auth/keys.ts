import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  type webcrypto,
} from 'node:crypto'
import { StartError, suggest } from '../error/errors.ts'
import type { AuthSettings } from './settings.ts'

/** Signs with a secret that verifies too. */
interface SecretAlgorithm {
  readonly key: 'secret'
  readonly hash: string
  /** No secret may be shorter (RFC 7518, 3.2). */
  readonly bytes: number
}

/** Signs with a private key, and verifies with its public one. */
type PairAlgorithm =
  | { readonly key: 'rsa'; readonly scheme: 'RSASSA-PKCS1-v1_5' | 'RSA-PSS'; readonly hash: string }
  | { readonly key: 'ec'; readonly curve: string /** As OpenSSL calls it. */; readonly openssl: string }
  | { readonly key: 'ed25519' }

/** The algorithms of tokens, by their names in JWT_ALGORITHM and in a token's header (RFC 7518, RFC 8037). */
export const algorithms: Readonly<Record<string, SecretAlgorithm | PairAlgorithm>> = {
  HS256: { key: 'secret', hash: 'SHA-256', bytes: 32 },
  HS384: { key: 'secret', hash: 'SHA-384', bytes: 48 },
  HS512: { key: 'secret', hash: 'SHA-512', bytes: 64 },
  RS256: { key: 'rsa', scheme: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  RS384: { key: 'rsa', scheme: 'RSASSA-PKCS1-v1_5', hash: 'SHA-384' },
  RS512: { key: 'rsa', scheme: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' },
  PS256: { key: 'rsa', scheme: 'RSA-PSS', hash: 'SHA-256' },
  PS384: { key: 'rsa', scheme: 'RSA-PSS', hash: 'SHA-384' },
  PS512: { key: 'rsa', scheme: 'RSA-PSS', hash: 'SHA-512' },
  ES256: { key: 'ec', curve: 'P-256', openssl: 'prime256v1' },
  ES384: { key: 'ec', curve: 'P-384', openssl: 'secp384r1' },
  ES512: { key: 'ec', curve: 'P-521', openssl: 'secp521r1' },
  EdDSA: { key: 'ed25519' },
}

/** A secret or key as it stands in the settings. */
interface GivenKey {
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
const secretKeyOf = (given: GivenKey, { hash, bytes }: SecretAlgorithm): webcrypto.CryptoKey => {
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

/** What tokens are signed and verified with. */
interface TokenKeys {
  readonly signing: webcrypto.CryptoKey
  /** The current one first, then those of before. */
  readonly verifying: readonly webcrypto.CryptoKey[]
}

/** What the settings say about keys. */
type KeySettings = Pick<AuthSettings, 'JWT_SECRET' | 'secretName' | 'JWT_PREVIOUS_SECRETS' | 'JWT_ALGORITHM'>

/**
 * The keys of the settings, ready for use.
 *
 * @throws StartError for an unknown algorithm, a missing or short secret, and a key that does not go with the algorithm. No
 *   message repeats a part of a secret.
 */
export const keysOf = ({
  JWT_SECRET: text,
  secretName: setting,
  JWT_PREVIOUS_SECRETS,
  JWT_ALGORITHM: name,
}: KeySettings): TokenKeys => {
  const algorithm = algorithmOf(name)
  if (text === '') throw new StartError(missingSecret)
  const own: GivenKey = { text, setting, algorithm: name }
  const previous = JWT_PREVIOUS_SECRETS.map(
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

const missingSecret = `Tokens need a secret. Write settings: defineSettings({ SECRET_KEY: process.env.SECRET_KEY }), or JWT_SECRET in SERVICE_AUTH; ${secretRecipe}.`

const algorithmOf = (name: string): SecretAlgorithm | PairAlgorithm => {
  const algorithm = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined
  if (algorithm !== undefined) return algorithm
  throw new StartError(
    `The setting SERVICE_AUTH.JWT_ALGORITHM cannot be ${JSON.stringify(name)}.${suggest(name, Object.keys(algorithms))}`,
  )
}

/** What a key must be: how that is said, whether it is, and how Web Crypto is told. */
interface KeyRule<Of extends PairAlgorithm> {
  readonly wanted: (algorithm: Of) => string
  readonly fits: (key: KeyObject, algorithm: Of) => boolean
  readonly parameters: (
    algorithm: Of,
  ) => webcrypto.Algorithm | webcrypto.RsaHashedImportParams | webcrypto.EcKeyImportParams
}

const keyRules: { readonly [Kind in PairAlgorithm['key']]: KeyRule<Extract<PairAlgorithm, { key: Kind }>> } =
  {
    rsa: {
      wanted: () => 'an RSA key of at least 2048 bits',
      fits: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
        asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048,
      parameters: ({ scheme, hash }) => ({ name: scheme, hash }),
    },
    ec: {
      wanted: ({ curve }) => `an elliptic key on the curve ${curve}`,
      fits: ({ asymmetricKeyType, asymmetricKeyDetails }, { openssl }) =>
        asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === openssl,
      parameters: ({ curve }) => ({ name: 'ECDSA', namedCurve: curve }),
    },
    ed25519: {
      wanted: () => 'an Ed25519 key',
      fits: ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519',
      parameters: () => ({ name: 'Ed25519' }),
    },
  }

/** A private key and the public key that follows from it. */
interface KeyPair {
  readonly privateKey: webcrypto.CryptoKey
  readonly publicKey: webcrypto.CryptoKey
}

/** @throws StartError for what is no private key in PEM, or one of another kind than the algorithm's */
const keyPairOf = (given: GivenKey, algorithm: PairAlgorithm): KeyPair => {
  const key = readKey(createPrivateKey, given.text)
  if (key === undefined) {
    const isPublic = readKey(createPublicKey, given.text) !== undefined
    throw keyError(
      given,
      algorithm,
      isPublic ? 'is a public key, which cannot sign' : 'is no private key in PEM',
    )
  }
  return { privateKey: toCryptoKey(key, given, algorithm), publicKey: publicKeyOf(given, algorithm) }
}

/** @throws StartError for what is no key in PEM, private or public, or one of another kind than the algorithm's */
const publicKeyOf = (given: GivenKey, algorithm: PairAlgorithm): webcrypto.CryptoKey => {
  const key = readKey(createPublicKey, given.text)
  if (key === undefined) throw keyError(given, algorithm, 'is no key in PEM')
  return toCryptoKey(key, given, algorithm)
}

const toCryptoKey = (key: KeyObject, given: GivenKey, algorithm: PairAlgorithm): webcrypto.CryptoKey => {
  const { fits, parameters } = ruleOf(algorithm)
  if (!fits(key, algorithm)) throw keyError(given, algorithm, 'is a key of another kind or size')
  return key.toCryptoKey(parameters(algorithm), false, [key.type === 'private' ? 'sign' : 'verify'])
}

/** The table's row is the one of the algorithm's kind, which TypeScript cannot follow. */
const ruleOf = ({ key }: PairAlgorithm): KeyRule<PairAlgorithm> => keyRules[key] as KeyRule<PairAlgorithm>

/** What OpenSSL says of a bad key may hold parts of it. */
const readKey = (read: (pem: string) => KeyObject, pem: string): KeyObject | undefined => {
  try {
    return read(pem)
  } catch {
    return undefined
  }
}

const keyError = (
  { setting, algorithm: name }: GivenKey,
  algorithm: PairAlgorithm,
  what: string,
): StartError =>
  new StartError(
    `The setting ${setting} ${what}. ${name} needs ${ruleOf(algorithm).wanted(algorithm)}, in PEM with its line breaks and without a passphrase: JWT_SECRET: readFileSync('token-key.pem', 'utf8').`,
  )
