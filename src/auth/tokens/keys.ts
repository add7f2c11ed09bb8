import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hash,
  type KeyObject,
  type webcrypto,
} from 'node:crypto'
import { StartError, suggest } from '../../error/errors.ts'
import type { AuthSettings } from '../settings/index.ts'

/** Signs and verifies with the same secret. */
interface SecretAlgorithm {
  readonly hash: string
  /** The minimum length of a secret (RFC 7518, 3.2). */
  readonly bytes: number
}

/** Signs with a private key, and verifies with the public key. */
interface PairAlgorithm {
  /** For messages. */
  readonly wanted: string
  readonly fits: (key: KeyObject) => boolean
  readonly parameters: webcrypto.Algorithm | webcrypto.RsaHashedImportParams | webcrypto.EcKeyImportParams
}

const rsa = (name: 'RSASSA-PKCS1-v1_5' | 'RSA-PSS', hash: string): PairAlgorithm => ({
  wanted: 'an RSA key of at least 2048 bits',
  fits: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
    asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048,
  parameters: { name, hash },
})

const ec = (namedCurve: string, openssl: string): PairAlgorithm => ({
  wanted: `an EC key on the curve ${namedCurve}`,
  fits: ({ asymmetricKeyType, asymmetricKeyDetails }) =>
    asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === openssl,
  parameters: { name: 'ECDSA', namedCurve },
})

/** The minimum length of any secret that signs. */
export const LEAST_SECRET_BYTES = 32

/** The algorithms of tokens by their names in JWT_ALGORITHM and in the header of a token (RFC 7518, RFC 8037). */
export const algorithms: Readonly<Record<string, SecretAlgorithm | PairAlgorithm>> = {
  HS256: { hash: 'SHA-256', bytes: LEAST_SECRET_BYTES },
  HS384: { hash: 'SHA-384', bytes: 48 },
  HS512: { hash: 'SHA-512', bytes: 64 },
  RS256: rsa('RSASSA-PKCS1-v1_5', 'SHA-256'),
  RS384: rsa('RSASSA-PKCS1-v1_5', 'SHA-384'),
  RS512: rsa('RSASSA-PKCS1-v1_5', 'SHA-512'),
  PS256: rsa('RSA-PSS', 'SHA-256'),
  PS384: rsa('RSA-PSS', 'SHA-384'),
  PS512: rsa('RSA-PSS', 'SHA-512'),
  ES256: ec('P-256', 'prime256v1'),
  ES384: ec('P-384', 'secp384r1'),
  ES512: ec('P-521', 'secp521r1'),
  EdDSA: {
    wanted: 'an Ed25519 key',
    fits: ({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519',
    parameters: { name: 'Ed25519' },
  },
}

/** A secret that is long enough for every algorithm. */
export const secretRecipe =
  `To generate one, run node -p "require('node:crypto').randomBytes(64).toString('base64url')"` as const

/** Names the environment, because a server may have a variable that the shell of a command lacks. */
export const secretRemedy: string = `Pass defineSettings({ SECRET_KEY: process.env.SECRET_KEY }), and set the variable in the environment of each server and command: in .env in a project from modelrest init, else in the shell or with node --env-file=.env. ${secretRecipe}`

interface TokenKeys {
  readonly signing: webcrypto.CryptoKey
  /** The current key first, then the previous ones. */
  readonly verifying: readonly webcrypto.CryptoKey[]
  /** The public keys of `verifying`, without repetition. Absent for secrets. */
  readonly published?: readonly PublicJwk[]
}

/** A public key, as others get it (RFC 7517). */
interface PublicJwk extends webcrypto.JsonWebKey {
  readonly kid: string
  readonly alg: string
  readonly use: 'sig'
}

/** @throws StartError for an unusable algorithm, secret or key. Messages never repeat a part of a secret. */
export const keysOf = (settings: AuthSettings): TokenKeys => {
  const { JWKS, JWT_SECRET, secretName, JWT_PREVIOUS_SECRETS, JWT_ALGORITHM: name } = settings
  const algorithm = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined
  if (algorithm === undefined)
    throw new StartError(
      `The setting SERVICE_AUTH.JWT_ALGORITHM cannot be ${JSON.stringify(name)}.${suggest(name, Object.keys(algorithms))}`,
    )
  if (JWT_SECRET === '') {
    const wanted = 'bytes' in algorithm ? `at least ${algorithm.bytes} bytes` : algorithm.wanted
    throw new StartError(
      `SECRET_KEY is not set in this process, or is empty: tokens need ${wanted}, here or in JWT_SECRET of SERVICE_AUTH. ${secretRemedy}.`,
    )
  }
  const own: GivenKey = { text: JWT_SECRET, setting: secretName, name }
  const previous = JWT_PREVIOUS_SECRETS.map(
    (text, at): GivenKey => ({ text, setting: `SERVICE_AUTH.JWT_PREVIOUS_SECRETS[${at}]`, name }),
  )
  const all = [own, ...previous]
  if ('hash' in algorithm) {
    if (JWKS)
      throw new StartError(
        `The setting SERVICE_AUTH.JWKS publishes keys, and the secret of ${name} must not be public. Set JWT_ALGORITHM to an algorithm with key pairs, such as ES256, or remove JWKS.`,
      )
    const verifying = all.map((given) => secretKeyOf(given, algorithm))
    return { signing: secretKeyOf(own, algorithm), verifying }
  }
  const signing = privateKeyOf(own, algorithm)
  const keys = all.map((given) => publicKeyOf(given, algorithm))
  const published = new Map(keys.map((key) => publicJwk(key, name)).map((jwk) => [jwk.kid, jwk]))
  return {
    signing,
    verifying: keys.map((key) => key.toCryptoKey(algorithm.parameters, false, ['verify'])),
    published: [...published.values()],
  }
}

/** The export of a public key has only the members that a thumbprint covers (RFC 7638, 3.2). */
const publicJwk = (key: KeyObject, alg: string): PublicJwk => {
  const jwk = key.export({ format: 'jwk' })
  const members = Object.entries(jwk).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const kid = hash('sha256', JSON.stringify(Object.fromEntries(members)), 'base64url')
  return Object.freeze({ ...jwk, kid, alg, use: 'sig' })
}

interface GivenKey {
  readonly text: string
  /** Its setting, for messages: `SECRET_KEY`. */
  readonly setting: string
  /** The name of the algorithm, for messages. */
  readonly name: string
}

/** @throws StartError for a secret that is too short or is a key in PEM: a public key is not a secret */
const secretKeyOf = (given: GivenKey, { hash, bytes }: SecretAlgorithm): webcrypto.CryptoKey => {
  const { text, setting, name } = given
  if (text.includes('-----BEGIN'))
    throw new StartError(
      `The setting ${setting} is a key in PEM format, but ${name} needs a secret string. Use a random string, or set JWT_ALGORITHM to the algorithm of the key.`,
    )
  const secret = Buffer.from(text)
  if (secret.length < bytes)
    throw new StartError(
      `The setting ${setting} must have at least ${bytes} bytes for ${name}. ${secretRecipe}.`,
    )
  return createSecretKey(secret).toCryptoKey({ name: 'HMAC', hash }, false, ['sign', 'verify'])
}

const privateKeyOf = (given: GivenKey, algorithm: PairAlgorithm): webcrypto.CryptoKey => {
  const key = readKey(createPrivateKey, given.text)
  if (key !== undefined) {
    assertFits(key, given, algorithm)
    return key.toCryptoKey(algorithm.parameters, false, ['sign'])
  }
  const isPublic = readKey(createPublicKey, given.text) !== undefined
  throw keyError(
    given,
    algorithm,
    isPublic ? 'is a public key, which cannot sign' : 'is not a private key in PEM format',
  )
}

/** Accepts a private key too. */
const publicKeyOf = (given: GivenKey, algorithm: PairAlgorithm): KeyObject => {
  const key = readKey(createPublicKey, given.text)
  if (key === undefined) throw keyError(given, algorithm, 'is not a key in PEM format')
  assertFits(key, given, algorithm)
  return key
}

const assertFits = (key: KeyObject, given: GivenKey, algorithm: PairAlgorithm): void => {
  if (!algorithm.fits(key)) throw keyError(given, algorithm, 'is a key of the wrong type or size')
}

/** Drops the error: messages of OpenSSL may contain parts of the key. */
const readKey = (read: (pem: string) => KeyObject, pem: string): KeyObject | undefined => {
  try {
    return read(pem)
  } catch {
    return undefined
  }
}

const keyError = ({ setting, name }: GivenKey, { wanted }: PairAlgorithm, what: string): StartError =>
  new StartError(
    `The setting ${setting} ${what}. ${name} needs ${wanted} in PEM format, with line breaks and without a passphrase, such as JWT_SECRET: readFileSync('token-key.pem', 'utf8').`,
  )
