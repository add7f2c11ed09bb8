/** How a text is compared with another one, beside equality and order. */
export type TextComparison = 'contains' | 'starts-with' | 'equals-ignoring-case'

/** One that not every source has. */
export type OptionalTextComparison = Exclude<TextComparison, 'contains'>

interface TextMeaning {
  readonly ignoresCase: boolean
  /** Of strings in one case, if it ignores the case. Neither is null. */
  readonly holds: (stored: string, value: string) => boolean
}

/** What each of them means. */
export const textComparisons: Readonly<Record<TextComparison, TextMeaning>> = {
  contains: { ignoresCase: true, holds: (stored, value) => stored.includes(value) },
  'starts-with': { ignoresCase: false, holds: (stored, value) => stored.startsWith(value) },
  'equals-ignoring-case': { ignoresCase: true, holds: (stored, value) => stored === value },
}

type TextCapability = 'startsWith' | 'equalsIgnoringCase'

/** The capability that a source must have for each. */
const needs: Readonly<Record<OptionalTextComparison, TextCapability>> = {
  'starts-with': 'startsWith',
  'equals-ignoring-case': 'equalsIgnoringCase',
}

type TextCapabilities = { readonly [Name in TextCapability]?: boolean }

/** @param isInexact the source does not compare the text byte for byte */
export const comparisonsWith = (
  capabilities: TextCapabilities,
  isInexact: boolean,
): readonly OptionalTextComparison[] =>
  (Object.keys(needs) as OptionalTextComparison[]).filter(
    (op) => capabilities[needs[op]] === true && (textComparisons[op].ignoresCase || !isInexact),
  )

const LAST_BEFORE_SURROGATES = 0xd7ff
const FIRST_AFTER_SURROGATES = 0xe000
const LAST_CODE_POINT = 0x10ffff

/** The first text, by its bytes in UTF-8, after all that start with a prefix. `undefined`: there is none. */
export const afterPrefix = (prefix: string): string | undefined => {
  const codes = [...prefix].map((character) => character.codePointAt(0) ?? 0)
  const at = codes.findLastIndex((code) => code < LAST_CODE_POINT)
  const last = codes[at]
  if (last === undefined) return undefined
  const next = last === LAST_BEFORE_SURROGATES ? FIRST_AFTER_SURROGATES : last + 1
  return String.fromCodePoint(...codes.slice(0, at), next)
}
