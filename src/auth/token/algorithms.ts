/** Signs with a secret that verifies too. */
export interface SecretAlgorithm {
  readonly key: 'secret'
  readonly hash: string
  /** No secret may be shorter (RFC 7518, 3.2). */
  readonly bytes: number
}

/** Signs with a private key, and verifies with its public one. */
export type PairAlgorithm =
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
