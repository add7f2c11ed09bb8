import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Awaitable } from '../../model/awaitable.ts'
import { assertAcceptable, unacceptable } from './acceptable.ts'
import { argon2 } from './argon2.ts'
import { type Bounds, boundsOf, fairQueue, type Waiter } from './fair-queue.ts'
import { hashedForm } from './forms.ts'
import { parameters, SALT_LENGTH } from './parameters.ts'
import { needsRehash, readHash } from './stored-hash.ts'

/** Whose turn it is to hash. */
export interface Turn extends Waiter {
  /** Runs once the turn has come. Where it throws, no password is looked at. */
  readonly begin?: () => Awaitable<void>
}

const ofApplication: Turn = Object.freeze({ purpose: 'application' })

/** Makes and checks hashes of passwords, on threads of their own. */
export interface Passwords {
  /**
   * An argon2id hash in its encoded form (`$argon2id$v=19$m=19456,t=2,p=1$…`), about 100 characters.
   *
   * @param turn whose work it is. @default the application's own
   * @throws HttpError 422 where the password is empty, over 1024 bytes or no Unicode; 503 where too many wait
   */
  hash(password: string, turn?: Turn): Promise<string>
  /**
   * Whether the hash is one of this password. Where there is none (no such user), or what is stored is no argon2 hash or
   * asks for gigabytes, it does the work of a check all the same, and the answer is no.
   *
   * @param turn whose work it is. @default the application's own
   * @throws HttpError 503 where too many wait
   */
  verify(password: string, hash: string | undefined, turn?: Turn): Promise<boolean>
  /** Whether to make the hash anew: another variant of argon2, or less work than ours. */
  needsRehash(hash: string): boolean
}

/** Of {@link passwords}, and of others in tests. */
export const passwordsOf = (bounds: Bounds): Passwords => {
  const queue = fairQueue(bounds)
  const inTurn = <T>({ begin, ...waiter }: Turn, work: () => Promise<T>): Promise<T> =>
    queue(waiter, async () => {
      await begin?.()
      return await work()
    })
  return Object.freeze<Passwords>({
    hash: async (password, turn = ofApplication) => {
      assertAcceptable(password)
      return await inTurn(turn, () => argon2().hash(hashedForm(password), parameters))
    },
    verify: async (password, stored, turn = ofApplication) => {
      // Depends on what was sent alone, so that it says nothing about the user. Nobody has such a password.
      if (unacceptable(password) !== undefined) return false
      const known = stored !== undefined && readHash(stored) !== undefined
      const fits = await inTurn(turn, () => argon2().verify(known ? stored : nobodys, hashedForm(password)))
      return known && fits
    },
    needsRehash,
  })
}

const base64 = (length: number): string => randomBytes(length).toString('base64').replaceAll('=', '')

/** No password is known for it: it is made of random bytes, not of a password. So it costs nothing to make. */
const nobodys = `$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$${base64(SALT_LENGTH)}$${base64(parameters.outputLen)}`

/** One for the process: its bounds are the machine's. */
export const passwords: Passwords = passwordsOf(
  boundsOf(availableParallelism(), process.env['UV_THREADPOOL_SIZE']),
)
