import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * The 49,233 most common passwords, in lower case. It takes about 30 ms to load and 8 MB to keep, so that it is loaded when
 * it is first asked for, at the start of an application that has our login.
 */
export const frequentPasswords = (): ReadonlySet<string> => {
  loaded ??= load()
  return loaded
}

let loaded: ReadonlySet<string> | undefined

const load = (): ReadonlySet<string> => {
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}
