import type { irregular, otherPlurals, pluralSuffixes, singularSuffixes, unchanging } from './naming.ts'

/**
 * What `modelNameOf` gives, at type level: `ModelNameOf<'orderItemsTable'>` is `'OrderItem'`. Made from the same table
 * of words.
 */
export type ModelNameOf<Key extends string> = Key extends unknown
  ? Singular<Pascal<WithoutTable<InOneCase<Key>>>>
  : never

/** What `plural` gives: `Plural<'OrderItem'>` is `'OrderItems'`. */
export type Plural<Name extends string> = Name extends unknown
  ? LastWord<Name> extends [infer Head extends string, infer Word extends string]
    ? `${Head}${InCaseOf<Word, PluralWord<Lowercase<Word>>>}`
    : never
  : never

/** What `singular` gives: `Singular<'OrderItems'>` is `'OrderItem'`. */
export type Singular<Name extends string> = Name extends unknown
  ? LastWord<Name> extends [infer Head extends string, infer Word extends string]
    ? `${Head}${InCaseOf<Word, SingularWord<Lowercase<Word>>>}`
    : never
  : never

type InOneCase<Key extends string> = Key extends Uppercase<Key> ? Lowercase<Key> : Key

type WithoutTable<Key extends string> = Key extends `${infer Rest}Table`
  ? NotEmpty<Rest, Key>
  : Key extends `${infer Rest}_table`
    ? NotEmpty<Rest, Key>
    : Key

type NotEmpty<Text extends string, Otherwise extends string> = Text extends '' ? Otherwise : Text

type Pascal<Key extends string> = Key extends `${infer First}_${infer Rest}`
  ? `${Pascal<First>}${Pascal<Rest>}`
  : Key extends `${infer First}-${infer Rest}`
    ? `${Pascal<First>}${Pascal<Rest>}`
    : Capitalize<Key>

/** The name up to its last capital letter, and the word from there: what has only small letters left is the end. */
type LastWord<Name extends string, Head extends string = ''> = Name extends `${infer Letter}${infer Rest}`
  ? Rest extends Lowercase<Rest>
    ? [Head, Name]
    : LastWord<Rest, `${Head}${Letter}`>
  : [Head, Name]

// biome-ignore format: one line reads better than 26.
type Capital = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' | 'P' | 'Q' | 'R' | 'S' | 'T' | 'U' | 'V' | 'W' | 'X' | 'Y' | 'Z'

type InCaseOf<Word extends string, Inflected extends string> = Word extends `${Capital}${string}`
  ? Capitalize<Inflected>
  : Inflected

type Irregular = typeof irregular
type IrregularPlurals = { [One in keyof Irregular as Irregular[One]]: One }
type OtherPlurals = typeof otherPlurals
type Unchanging = keyof typeof unchanging

type PluralWord<Word extends string> = Word extends Unchanging
  ? Word
  : Word extends keyof Irregular
    ? Irregular[Word]
    : BySuffix<Word, typeof pluralSuffixes>

type SingularWord<Word extends string> = Word extends Unchanging | keyof Irregular
  ? Word
  : Word extends keyof IrregularPlurals
    ? IrregularPlurals[Word]
    : Word extends keyof OtherPlurals
      ? OtherPlurals[Word]
      : BySuffix<Word, typeof singularSuffixes>

/** Most words have the last, ordinary suffix: they are compared with all others at once, and do not go through them. */
type BySuffix<Word extends string, Rules> =
  Word extends Special<Rules> ? ByFirstFitting<Word, Rules> : ByFirstFitting<Word, Ordinary<Rules>>

type Rule = readonly [from: string, to: string]

type Special<Rules> = Rules extends readonly [...infer Others extends readonly Rule[], Rule]
  ? `${string}${Others[number][0]}`
  : never

type Ordinary<Rules> = Rules extends readonly [...(readonly Rule[]), infer Last extends Rule]
  ? readonly [Last]
  : never

type ByFirstFitting<Word extends string, Rules> = Rules extends readonly [
  readonly [infer From extends string, infer To extends string],
  ...infer Rest,
]
  ? Word extends `${infer Stem}${From}`
    ? NotEmpty<`${Stem}${To}`, Word>
    : ByFirstFitting<Word, Rest>
  : Word
