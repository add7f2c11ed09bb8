import type { ParsedHashOptions } from '@node-rs/argon2'
import { argon2 } from './argon2.ts'
import { parameters, SALT_LENGTH } from './parameters.ts'

const MEBIBYTE = 1024

/** The longest encoded hash that is read at all. Those of other programs have about 100 characters. */
const LONGEST = 512

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

/** The parameters of a hash that can be checked here. `undefined`: it is no argon2 hash, or asks for too much. */
export const readHash = (stored: string): ParsedHashOptions | undefined => {
  const parsed = parse(stored)
  if (parsed === undefined || parsed.memoryCost * parsed.timeCost > MOST_WORK) return undefined
  const fits = (['memoryCost', 'timeCost', 'parallelism', 'outputLen', 'saltLen'] as const).every(
    (name) => parsed[name] <= most[name],
  )
  return fits ? parsed : undefined
}

/** Whether a hash is of another variant or version, or has less of anything than {@link parameters}. */
export const needsRehash = (stored: string): boolean => {
  const parsed = parse(stored)
  if (parsed === undefined) return true
  return (
    parsed.algorithm !== parameters.algorithm ||
    parsed.version < parameters.version ||
    parsed.saltLen < SALT_LENGTH ||
    (['memoryCost', 'timeCost', 'parallelism', 'outputLen'] as const).some(
      (name) => parsed[name] < parameters[name],
    )
  )
}

const parse = (stored: string): ParsedHashOptions | undefined => {
  if (!stored.startsWith('$argon2') || stored.length > LONGEST) return undefined
  try {
    return argon2().parseOptions(stored)
  } catch {
    return undefined
  }
}
