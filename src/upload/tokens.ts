import { tooMuch } from './multipart-refusals.ts'
import type { Scanner, Token } from './multipart-scan.ts'
import type { Pull } from './pull.ts'

/** The tokens of a body, one at a time. Once it has failed it fails the same way for good. */
export interface Tokens {
  /** `undefined`: the body is complete. Never asked again before it has answered. */
  next(): Promise<Token | undefined>
  /** Fails from now on. */
  fail(error: unknown): never
  /** What it has failed with. */
  failure(): { readonly error: unknown } | undefined
}

/** @param most the most bytes of the body */
export const tokensOf = (pull: Pull, scanner: Scanner, most: number): Tokens => {
  let failure: { readonly error: unknown } | undefined
  let ready: readonly Token[] = []
  let place = 0
  let total = 0

  const more = async (): Promise<boolean> => {
    const bytes = await pull.next()
    if (bytes === undefined) {
      scanner.end()
      return false
    }
    total += bytes.length
    if (total > most)
      throw tooMuch(`The body is larger than the ${most} bytes that a multipart body may have.`)
    ready = scanner.push(bytes)
    place = 0
    return true
  }

  const tokens: Tokens = {
    next: async () => {
      if (failure !== undefined) throw failure.error
      try {
        while (place >= ready.length) if (!(await more())) return undefined
      } catch (error) {
        return tokens.fail(error)
      }
      const token = ready[place]
      place += 1
      return token
    },
    fail: (error) => {
      failure ??= { error }
      throw failure.error
    },
    failure: () => failure,
  }
  return tokens
}
