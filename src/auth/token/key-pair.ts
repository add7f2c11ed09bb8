import { createPrivateKey, createPublicKey, type KeyObject, type webcrypto } from 'node:crypto'
import { StartError } from '../../error/start-error.ts'
import type { PairAlgorithm } from './algorithms.ts'
import type { GivenKey } from './secret.ts'

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
export interface KeyPair {
  readonly privateKey: webcrypto.CryptoKey
  readonly publicKey: webcrypto.CryptoKey
}

/** @throws StartError for what is no private key in PEM, or one of another kind than the algorithm's */
export const keyPairOf = (given: GivenKey, algorithm: PairAlgorithm): KeyPair => {
  const key = readKey(createPrivateKey, given.text)
  if (key === undefined) {
    const isPublic = readKey(createPublicKey, given.text) !== undefined
    throw refusal(
      given,
      algorithm,
      isPublic ? 'is a public key, which cannot sign' : 'is no private key in PEM',
    )
  }
  return { privateKey: toCryptoKey(key, given, algorithm), publicKey: publicKeyOf(given, algorithm) }
}

/** @throws StartError for what is no key in PEM, private or public, or one of another kind than the algorithm's */
export const publicKeyOf = (given: GivenKey, algorithm: PairAlgorithm): webcrypto.CryptoKey => {
  const key = readKey(createPublicKey, given.text)
  if (key === undefined) throw refusal(given, algorithm, 'is no key in PEM')
  return toCryptoKey(key, given, algorithm)
}

const toCryptoKey = (key: KeyObject, given: GivenKey, algorithm: PairAlgorithm): webcrypto.CryptoKey => {
  const { fits, parameters } = ruleOf(algorithm)
  if (!fits(key, algorithm)) throw refusal(given, algorithm, 'is a key of another kind or size')
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

const refusal = (
  { setting, algorithm: name }: GivenKey,
  algorithm: PairAlgorithm,
  what: string,
): StartError =>
  new StartError(
    `The setting ${setting} ${what}. ${name} needs ${ruleOf(algorithm).wanted(algorithm)}, in PEM with its line breaks and without a passphrase: JWT_SECRET: readFileSync('token-key.pem', 'utf8').`,
  )
