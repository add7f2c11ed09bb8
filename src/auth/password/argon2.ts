import { createRequire } from 'node:module'
import { StartError } from '../../error/start-error.ts'

type Argon2 = typeof import('@node-rs/argon2')

const require = createRequire(import.meta.url)

/**
 * The native library, loaded when it is first asked for: an application without our login needs no binary for its
 * platform, and its bundler meets none.
 *
 * @throws StartError where there is no binary for this platform
 */
export const argon2 = (): Argon2 => {
  loaded ??= load()
  return loaded
}

let loaded: Argon2 | undefined

const load = (): Argon2 => {
  try {
    return require('@node-rs/argon2') as Argon2
  } catch (cause) {
    throw new StartError(
      `Passwords are hashed by @node-rs/argon2, which cannot be loaded on ${process.platform} ${process.arch}. Install it with its optional dependencies, on the platform that it runs on.`,
      { cause },
    )
  }
}
