import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type { ParsedHashOptions } from '@node-rs/argon2'
import { type Issue, StartError } from '../error/errors.ts'
import type { Awaitable } from '../model/objects.ts'
import { bodyRefusal } from '../schema/issues.ts'
import { fairQueue, type QueueBounds, queueBoundsOf, type Waiter } from './hashing-queue.ts'

/** Argon2id as OWASP recommends it. A hash that has less is made anew at the next login. */
export const hashParameters = {
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
} as const

/** Bytes. The library gives each hash as many. */
const SALT_LENGTH = 16

/** Whose turn it is to hash. */
export interface Turn extends Waiter {
  /** Runs once the turn has come. If it throws, no password is looked at. */
  readonly begin?: () => Awaitable<void>
}

/** Makes and checks hashes of passwords, on threads of their own. @throws HttpError 503 if too many wait */
interface Passwords {
  /** An argon2id hash: `$argon2id$v=19$m=19456,t=2,p=1$…`. @throws HttpError 422 for what cannot be a password */
  hash(password: string, turn?: Turn): Promise<string>
  /**
   * Whether the hash is one of this password. If there is none (no such user), or what is stored is no argon2 hash or asks
   * for gigabytes, it does the work of a check all the same, and the answer is no.
   */
  verify(password: string, hash: string | undefined, turn?: Turn): Promise<boolean>
  /** Whether to make the hash anew: another variant of argon2, or less work than ours. */
  needsRehash(hash: string): boolean
}

const ofApplication: Turn = Object.freeze({ purpose: 'application' })

export const passwordsOf = (bounds: QueueBounds): Passwords => {
  const queue = fairQueue(bounds)
  const inTurn = <T>({ begin, ...waiter }: Turn, work: () => Promise<T>): Promise<T> =>
    queue(waiter, async () => {
      await begin?.()
      return await work()
    })
  return Object.freeze<Passwords>({
    hash: async (password, turn = ofApplication) => {
      assertAcceptable(password)
      return await inTurn(turn, () => argon2().hash(hashedForm(password), hashParameters))
    },
    verify: async (password, stored, turn = ofApplication) => {
      // It depends only on what was sent, so that it says nothing about the user. Nobody has such a password.
      if (passwordIssueOf(password) !== undefined) return false
      const known = stored !== undefined && isCheckable(stored)
      const fits = await inTurn(turn, () => argon2().verify(known ? stored : decoyHash, hashedForm(password)))
      return known && fits
    },
    needsRehash,
  })
}

/** One for the process: its bounds are the machine's. */
export const passwords: Passwords = passwordsOf(
  queueBoundsOf(availableParallelism(), process.env['UV_THREADPOOL_SIZE']),
)

/**
 * What the password column of a user holds: for seeding users and for changing a password in code of your own.
 *
 * Argon2id with 19 MiB, two passes and one lane, salted. The password is normalised to NFKC first (NIST SP 800-63B), so
 * that it is the same from every keyboard. No validator is asked.
 *
 * @param password 1 to 1024 bytes in UTF-8
 * @returns the encoded hash, about 100 characters
 * @throws HttpError 422 where the password is empty, longer, or no well-formed Unicode; 503 where too many are being made
 * @example
 * ```ts
 * import { hashPassword } from 'modelrest'
 *
 * export const ann = async () => ({
 *   email: 'ann@example.com',
 *   password: await hashPassword('correct horse battery staple'),
 * })
 * ```
 */
export const hashPassword = (password: string): Promise<string> => passwords.hash(password)

const base64 = (length: number): string => randomBytes(length).toString('base64').replaceAll('=', '')

/** No password is known for it: it is made of random bytes, not of a password. So it costs nothing to make. */
const decoyHash = `$argon2id$v=19$m=${hashParameters.memoryCost},t=${hashParameters.timeCost},p=${hashParameters.parallelism}$${base64(SALT_LENGTH)}$${base64(hashParameters.outputLen)}`

/** More is refused before it is hashed. Nothing is ever cut off: every byte up to here counts. */
export const MOST_BYTES = 1024

/** What no password can be, whatever the validators say. `undefined`: it can be hashed. */
export const passwordIssueOf = (password: unknown): Issue | undefined => {
  const toIssue = (code: Issue['code'], detail: string): Issue => ({ code, detail, pointer: '/password' })
  if (password === undefined) return toIssue('required', 'The password must be there.')
  if (typeof password !== 'string') return toIssue('wrong_type', 'The password must be a string.')
  if (password === '') return toIssue('too_short', 'The password must not be empty.')
  if (Buffer.byteLength(password) > MOST_BYTES)
    return toIssue('too_long', `The password may have at most ${MOST_BYTES} bytes in UTF-8.`)
  // A lone surrogate has no UTF-8 form: hashed, it would be the same password as every other one in its place.
  if (/\p{Surrogate}/u.test(password)) return toIssue('invalid', 'The password must be well-formed Unicode.')
  return undefined
}

export const assertAcceptable: (password: unknown) => asserts password is string = (password) => {
  const issue = passwordIssueOf(password)
  if (issue !== undefined) throw bodyRefusal([issue])
}

/**
 * The text that is hashed: NFKC, as NIST SP 800-63B asks, so that a password is the same from every keyboard (`é` as one
 * code point or as two, full-width letters). Nothing is trimmed, and case counts.
 */
export const hashedForm = (password: string): string => password.normalize('NFKC')

const MEBIBYTE = 1024

/** Those of other programs have about 100 characters. */
const LONGEST_HASH = 512

/**
 * The most that a stored hash may ask of the machine at a login. Hashes of other programs with their defaults, and
 * libsodium's moderate ones, are below; who can write into the column must not be able to take gigabytes.
 */
const most = {
  memoryCost: 256 * MEBIBYTE,
  timeCost: 16,
  parallelism: 16,
  outputLen: 128,
  saltLen: 64,
} as const satisfies Partial<ParsedHashOptions>

/** Memory times passes: what a login costs in time. */
const MOST_WORK = 1024 * MEBIBYTE

/** Whether a hash can be checked here: it is one of argon2, and does not ask for too much. */
export const isCheckable = (stored: string): boolean => {
  const parsed = parseHash(stored)
  if (parsed === undefined || parsed.memoryCost * parsed.timeCost > MOST_WORK) return false
  return (['memoryCost', 'timeCost', 'parallelism', 'outputLen', 'saltLen'] as const).every(
    (name) => parsed[name] <= most[name],
  )
}

function needsRehash(stored: string): boolean {
  const parsed = parseHash(stored)
  return (
    parsed === undefined ||
    parsed.algorithm !== hashParameters.algorithm ||
    parsed.version < hashParameters.version ||
    parsed.saltLen < SALT_LENGTH ||
    (['memoryCost', 'timeCost', 'parallelism', 'outputLen'] as const).some(
      (name) => parsed[name] < hashParameters[name],
    )
  )
}

const parseHash = (stored: string): ParsedHashOptions | undefined => {
  if (!stored.startsWith('$argon2') || stored.length > LONGEST_HASH) return undefined
  try {
    return argon2().parseOptions(stored)
  } catch {
    return undefined
  }
}

const require = createRequire(import.meta.url)

/**
 * The native library, loaded when it is first asked for: an application without our login needs no binary for its
 * platform, and its bundler meets none.
 *
 * @internal
 */
export const argon2 = (): typeof import('@node-rs/argon2') => {
  try {
    return require('@node-rs/argon2')
  } catch (cause) {
    throw new StartError(
      `Passwords are hashed by @node-rs/argon2, which cannot be loaded on ${process.platform} ${process.arch}. Install it with its optional dependencies, on the platform that it runs on.`,
      { cause },
    )
  }
}
