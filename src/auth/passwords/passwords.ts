import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type { ParsedHashOptions } from '@node-rs/argon2'
import { type Issue, StartError } from '../../error/errors.ts'
import type { Awaitable } from '../../model/objects.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import { hashingQueue, type QueueBounds, queueBoundsOf, type Waiter } from '../limits/fair-queue.ts'

/** Argon2id with the parameters that OWASP recommends. Hashes with lower parameters are replaced at the next login. */
export const hashParameters = {
  /** Argon2id. */
  algorithm: 2,
  /** 0x13, the current version. */
  version: 1,
  /** KiB. */
  memoryCost: 19456,
  timeCost: 2,
  parallelism: 1,
  /** Bytes. */
  outputLen: 32,
} as const

/** In bytes, as the library generates it. */
const SALT_LENGTH = 16

/** A place in the hashing queue. */
export interface Turn extends Waiter {
  /** Runs when the turn has come. If it throws, the password is not checked. */
  readonly begin?: () => Awaitable<void>
}

/** Hashes and verifies passwords on separate threads. @throws HttpError 503 if too many are waiting */
interface Passwords {
  /** An argon2id hash: `$argon2id$v=19$m=19456,t=2,p=1$…`. @throws HttpError 422 for an unacceptable password */
  hash(password: string, turn?: Turn): Promise<string>
  /**
   * Whether the hash belongs to this password. Without a usable hash (the user does not exist, the stored text is not an
   * argon2 hash, or it demands gigabytes), it does the same work and returns false.
   */
  verify(password: string, hash: string | undefined, turn?: Turn): Promise<boolean>
  /** Whether to replace the hash, because it is another variant of argon2 or has lower parameters. */
  needsRehash(hash: string): boolean
}

const ofApplication: Turn = Object.freeze({ purpose: 'application' })

export const passwordsOf = (bounds: QueueBounds): Passwords => {
  const queue = hashingQueue(bounds)
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
      // This depends only on the request, so it reveals nothing about the user.
      if (passwordIssueOf(password) !== undefined) return false
      const known = stored !== undefined && isCheckable(stored)
      const fits = await inTurn(turn, () => argon2().verify(known ? stored : decoyHash, hashedForm(password)))
      return known && fits
    },
    needsRehash,
  })
}

/** One per process: its limits depend on the machine. */
export const passwords: Passwords = passwordsOf(
  queueBoundsOf(availableParallelism(), process.env['UV_THREADPOOL_SIZE']),
)

/**
 * Hashes a password for the password column of a user, for example to seed users or to change a password.
 *
 * Uses argon2id with 19 MiB, two passes, one lane and a random salt. The password is normalized to NFKC first (NIST
 * SP 800-63B). Validators do not run.
 *
 * @param password 1 to 1024 bytes in UTF-8
 * @returns the encoded hash, about 100 characters
 * @throws HttpError 422 if the password is empty, too long or not well-formed Unicode; 503 if too many hashes are waiting
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

/**
 * Returns whether a stored hash belongs to a password, for example to ask for the password again before a payment. It takes a
 * turn in the hashing queue and about as long as a login, also if the hash is unusable. It counts no failures: limit the
 * attempts yourself.
 *
 * @param hash the stored text. Anything but an argon2 hash belongs to no password
 * @throws HttpError 503 if too many are waiting
 * @example
 * ```ts
 * import { hashPassword, verifyPassword } from 'modelrest'
 *
 * export const isHers = async () => verifyPassword(await hashPassword('a lamp for every desk'), 'a lamp for every desk')
 * ```
 */
export const verifyPassword = (hash: string | null | undefined, password: string): Promise<boolean> =>
  passwords.verify(password, hash ?? undefined)

const zeros = (length: number): string => Buffer.alloc(length).toString('base64').replaceAll('=', '')

/** Made of zeros instead of a password: no known password matches it, and it costs nothing to make. */
const decoyHash = `$argon2id$v=19$m=${hashParameters.memoryCost},t=${hashParameters.timeCost},p=${hashParameters.parallelism}$${zeros(SALT_LENGTH)}$${zeros(hashParameters.outputLen)}`

/** Longer passwords are refused before they are hashed. Passwords are never truncated. */
export const MOST_BYTES = 1024

/** The issue that makes a password unacceptable, regardless of the validators. `undefined`: it can be hashed. */
export const passwordIssueOf = (password: unknown, pointer = '/password'): Issue | undefined => {
  const toIssue = (code: Issue['code'], detail: string): Issue => ({ code, detail, pointer })
  if (password === undefined) return toIssue('required', 'The password is required.')
  if (typeof password !== 'string') return toIssue('wrong_type', 'The password must be a string.')
  if (password === '') return toIssue('too_short', 'The password must not be empty.')
  if (Buffer.byteLength(password) > MOST_BYTES)
    return toIssue('too_long', `The password must have at most ${MOST_BYTES} bytes in UTF-8.`)
  // Lone surrogates have no UTF-8 form: passwords that differ only in them would have the same hash.
  if (/\p{Surrogate}/u.test(password)) return toIssue('invalid', 'The password must be well-formed Unicode.')
  return undefined
}

export const assertAcceptable: (password: unknown, pointer?: string) => asserts password is string = (
  password,
  pointer,
) => {
  const issue = passwordIssueOf(password, pointer)
  if (issue !== undefined) throw bodyRefusal([issue])
}

/**
 * The text that is hashed: NFKC (NIST SP 800-63B), because keyboards differ (`é` as one code point or two, full-width
 * characters). It is case-sensitive and not trimmed.
 */
export const hashedForm = (password: string): string => password.normalize('NFKC')

const MEBIBYTE = 1024

/** Hashes from other programs are about 100 characters long. */
const LONGEST_HASH = 512

/**
 * The highest parameters that a stored hash may have: someone who can write to the column must not make a login take
 * gigabytes. The defaults of other programs, and the moderate ones of libsodium, are lower.
 */
const most = {
  memoryCost: 256 * MEBIBYTE,
  timeCost: 16,
  parallelism: 16,
  outputLen: 128,
  saltLen: 64,
} as const satisfies Partial<ParsedHashOptions>

/** Memory times passes, which determines the duration of a login. */
const MOST_WORK = 1024 * MEBIBYTE

/** Whether a stored hash is an argon2 hash within the limits. */
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

/**
 * The native library, loaded at first use: an application without `auth: true` needs no binary for its platform, and its
 * bundler does not see one.
 *
 * @internal
 */
export const argon2 = (): typeof import('@node-rs/argon2') => {
  try {
    return createRequire(import.meta.url)('@node-rs/argon2')
  } catch (cause) {
    throw new StartError(
      `Cannot load @node-rs/argon2, which hashes passwords, on ${process.platform} ${process.arch}. Install it on this platform, with its optional dependencies.`,
      { cause },
    )
  }
}
