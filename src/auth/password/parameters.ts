import type { Options } from '@node-rs/argon2'

/**
 * Argon2id with 19 MiB, two passes and one lane: the OWASP recommendation. A hash that has less is made anew at the next
 * login. Each hash has a salt of its own, of 16 random bytes.
 */
export const parameters: Readonly<
  Required<Pick<Options, 'algorithm' | 'memoryCost' | 'timeCost' | 'parallelism' | 'outputLen' | 'version'>>
> = Object.freeze({
  /** Argon2id. */
  algorithm: 2,
  /** 0x13, the only current one. */
  version: 1,
  /** KiB. */
  memoryCost: 19456,
  timeCost: 2,
  parallelism: 1,
  /** Bytes. */
  outputLen: 32,
})

/** Bytes. The library gives each hash as many. */
export const SALT_LENGTH = 16
