import {
  constants,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { resolveAuth } from '../../src/auth/settings/index.ts'
import type { ServiceAuth } from '../../src/auth/settings/service-auth.ts'
import { type Tokens, tokensOf, type VerifiedToken } from '../../src/auth/tokens/tokens.ts'

/** Long enough for each algorithm. */
export const secret = 'a secret of the tests, long enough for HS512 too: it has 64 bytes and more'

/** Tokens of an application with these settings. */
export const tokensWith = (serviceAuth: ServiceAuth = {}): Tokens =>
  tokensOf({
    ...resolveAuth({ SECRET_KEY: secret, SERVICE_AUTH: serviceAuth }),
    userModel: 'app.User',
    knowsAddresses: true,
  })

export const now = (): number => Math.floor(Date.now() / 1000)

/** Claims that are right in every way. */
export const goodClaims = (): Record<string, unknown> => ({
  ...{ iss: 'service', aud: 'service-api', sub: '7', iat: now(), exp: now() + 900, type: 'access' },
})

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

export type Sign = (signed: string) => Buffer

export const hmac =
  (size: 256 | 384 | 512, key: string = secret): Sign =>
  (signed) =>
    createHmac(`sha${size}`, key).update(signed).digest()

/** A token made by hand, without any library. A text instead of a part is taken as it is. */
export const byHand = (header: unknown, claims: unknown, signer: Sign = hmac(256)): string => {
  const signed = `${part(header)}.${part(claims)}`
  return `${signed}.${signer(signed).toString('base64url')}`
}

/** As the server would have signed it. */
export const signed = (claims: object, header: object = { alg: 'HS256', typ: 'JWT' }): string =>
  byHand(header, claims)

/** How node:crypto, without jose, makes and checks a signature of an algorithm. */
export interface PlainAlgorithm {
  readonly algorithm: string
  /** In PEM, or a secret text. */
  readonly key: string
  readonly publicKey: string
  readonly sign: Sign
  readonly verify: (signed: string, signature: Buffer) => boolean
}

const pem = (key: KeyObject): string =>
  key.type === 'private'
    ? key.export({ type: 'pkcs8', format: 'pem' }).toString()
    : key.export({ type: 'spki', format: 'pem' }).toString()

const pair = (
  algorithm: string,
  hash: string | null,
  privateKey: KeyObject,
  how: object = {},
): PlainAlgorithm => ({
  algorithm,
  key: pem(privateKey),
  publicKey: pem(createPublicKey(privateKey)),
  sign: (text) => sign(hash, Buffer.from(text), { key: privateKey, ...how }),
  verify: (text, signature) =>
    verify(hash, Buffer.from(text), { key: createPublicKey(privateKey), ...how }, signature),
})

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
const sizes = [256, 384, 512] as const
const curves = { 256: 'P-256', 384: 'P-384', 512: 'P-521' } as const

/** Every algorithm with a new key. */
export const newAlgorithms = (secretText: string): readonly PlainAlgorithm[] => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const elliptic = { dsaEncoding: 'ieee-p1363' }
  return [
    ...sizes.map((size) => ({
      ...{ algorithm: `HS${size}`, key: secretText, publicKey: secretText, sign: hmac(size, secretText) },
      verify: (text: string, signature: Buffer) => hmac(size, secretText)(text).equals(signature),
    })),
    ...sizes.map((size) => pair(`RS${size}`, `sha${size}`, rsa)),
    ...sizes.map((size) => pair(`PS${size}`, `sha${size}`, rsa, pss)),
    ...sizes.map((size) => {
      const key = generateKeyPairSync('ec', { namedCurve: curves[size] }).privateKey
      return pair(`ES${size}`, `sha${size}`, key, elliptic)
    }),
    pair('EdDSA', null, generateKeyPairSync('ed25519').privateKey),
  ]
}

export const plainAlgorithms: readonly PlainAlgorithm[] = newAlgorithms(secret)

export const plain = (algorithm: string): PlainAlgorithm => {
  const found = plainAlgorithms.find((candidate) => candidate.algorithm === algorithm)
  if (found === undefined) throw new Error(algorithm)
  return found
}

/** Tokens of an application that signs with this algorithm. */
export const tokensOfPlain = ({ algorithm, key }: PlainAlgorithm, more: ServiceAuth = {}): Tokens =>
  tokensWith({ JWT_ALGORITHM: algorithm, JWT_SECRET: key, ...more })

/** What became of a token: the claims, or nothing. Twice, as the second time is another way through the code. */
export const verifiedTwice = async (
  tokens: Tokens,
  token: string,
  type: 'access' | 'refresh' = 'access',
): Promise<VerifiedToken | undefined> => {
  const first = await tokens.verify(token, type)
  const second = await tokens.verify(token, type)
  if (first !== second) throw new Error('the second answer is another one')
  return first
}
