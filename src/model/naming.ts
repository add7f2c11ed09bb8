/** `orderItemsTable`, `order_items` and `OrderItem` all name the model `OrderItem`. */
export const modelNameOf = (tableKey: string): string => {
  const key = tableKey === tableKey.toUpperCase() ? tableKey.toLowerCase() : tableKey
  const words = key.replace(/(?<=.)(Table|_table)$/, '').split(/[_-]/)
  return inflectLast(words.map(capital).join(''), singularWord)
}

/** In a compound (`OrderItem`), the last word is inflected. */
export const plural = (word: string): string => inflectLast(word, pluralWord)

export const singular = (word: string): string => inflectLast(word, singularWord)

/** The path of `OrderItem` is `order-items`. */
export const pathOf = (modelName: string): string => {
  const words = kebab(modelName).split('-')
  return [...words.slice(0, -1), pluralWord(words.at(-1) ?? '')].join('-')
}

/** `a Product`, `an Order`, `a User`, `an Hour` */
export const withArticle = (modelName: string): string =>
  `${spokenVowel.test(modelName) ? 'an' : 'a'} ${modelName}`

/** A vowel sound: a vowel that is pronounced as one, or a silent h. */
const spokenVowel = /^(?:(?!eu|one|once|uni(?![mn])|us[aeu]|ut[ei]|ur[aeilu])[aeiou]|hour|hono|heir)/i

/** Names in a sentence of CommonMark: `` `id`, `name` ``. */
export const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/** The words of a name in any case style, in lower case: `resetToken2` gives `reset`, `token`, `2`. */
export const wordsOf = (name: string): readonly string[] => kebab(name).match(/\p{L}+|\d+/gu) ?? []

/** How the fields of a model are written: `createdAt` or `created_at`. */
export type CaseStyle = 'camel' | 'snake'

/** The style of most names that have several words. `undefined`: none have, or there are as many of either style. */
export const caseStyleOf = (names: readonly string[]): CaseStyle | undefined => {
  const snake = names.filter((name) => /[^_]_+[^_]/.test(name)).length
  const camel = names.filter((name) => !name.includes('_') && /\p{Ll}\d*\p{Lu}/u.test(name)).length
  if (snake === camel) return undefined
  return snake > camel ? 'snake' : 'camel'
}

/** The words of all names as one name: `translator` and `OrderItems` give `translatorOrderItems` or `translator_order_items`. */
export const joinedIn = (style: CaseStyle, ...names: readonly string[]): string => {
  const words = names.flatMap((name) => kebab(name).split(/[-_]+/)).filter((word) => word !== '')
  return style === 'snake' ? words.join('_') : [words[0] ?? '', ...words.slice(1).map(capital)].join('')
}

export const kebab = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()

export const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** The last word starts at the last capital letter. */
const inflectLast = (name: string, inflect: (word: string) => string): string => {
  const start = Math.max(name.search(/[A-Z][^A-Z]*$/), 0)
  const word = name.slice(start)
  const small = word.toLowerCase()
  return name.slice(0, start) + (word === small ? inflect(small) : capital(inflect(small)))
}

/*
 * Words that are common in data models. Applications with others name the model: `names: { oxen: 'Ox' }`.
 * `ModelNameOf` reads the same tables at type level.
 */

/** Singular -> plural, if the suffix rules fail in either direction or both forms are the same. */
export const irregular = {
  alias: 'aliases',
  analytics: 'analytics',
  api: 'apis',
  axis: 'axes',
  bias: 'biases',
  cache: 'caches',
  canvas: 'canvases',
  cookie: 'cookies',
  crisis: 'crises',
  criterion: 'criteria',
  data: 'data',
  emoji: 'emojis',
  equipment: 'equipment',
  feedback: 'feedback',
  foot: 'feet',
  gas: 'gases',
  half: 'halves',
  hardware: 'hardware',
  hero: 'heroes',
  human: 'humans',
  information: 'information',
  kpi: 'kpis',
  leaf: 'leaves',
  lens: 'lenses',
  life: 'lives',
  matrix: 'matrices',
  media: 'media',
  menu: 'menus',
  metadata: 'metadata',
  money: 'money',
  mouse: 'mice',
  movie: 'movies',
  news: 'news',
  potato: 'potatoes',
  quiz: 'quizzes',
  series: 'series',
  sms: 'sms',
  software: 'software',
  species: 'species',
  staff: 'staff',
  taxi: 'taxis',
  tie: 'ties',
  tomato: 'tomatoes',
  tooth: 'teeth',
  use: 'uses',
  wiki: 'wikis',
} as const

/** Plural suffix -> singular suffix. The first match applies. Singular words (`status`, `address`) are unchanged. */
export const singularSuffixes = [
  ['people', 'person'],
  ['children', 'child'],
  ['men', 'man'],
  ['shelves', 'shelf'],
  ['indices', 'index'],
  ['ss', 'ss'],
  ['us', 'us'],
  ['is', 'is'],
  ['ies', 'y'],
  ['sses', 'ss'],
  ['lyses', 'lysis'],
  ['theses', 'thesis'],
  ['gnoses', 'gnosis'],
  ['ouses', 'ouse'],
  ['auses', 'ause'],
  ['uses', 'us'],
  ['xes', 'x'],
  ['ches', 'ch'],
  ['shes', 'sh'],
  ['s', ''],
] as const

const pluralSuffixes: readonly (readonly [from: RegExp, to: string])[] = [
  [/person$/, 'people'],
  [/child$/, 'children'],
  [/man$/, 'men'],
  [/shelf$/, 'shelves'],
  [/(?<![aeou])y$/, 'ies'],
  [/sis$/, 'ses'],
  [/(?<=s|x|ch|sh)$/, 'es'],
  [/$/, 's'],
]

const plurals: ReadonlyMap<string, string> = new Map(Object.entries(irregular))

const singulars: ReadonlyMap<string, string> = new Map(
  [...plurals].flatMap(([one, many]) => [[many, one] as const, [one, one] as const]),
)

const pluralWord = (word: string): string => {
  const known = plurals.get(word)
  if (known !== undefined) return known
  const [from, to] = pluralSuffixes.find(([suffix]) => suffix.test(word)) ?? [/$/, 's']
  return word.replace(from, to)
}

/** A suffix is removed only if a word remains. */
const singularWord = (word: string): string => {
  const known = singulars.get(word)
  if (known !== undefined) return known
  const [from, to] = singularSuffixes.find(([many]) => word.endsWith(many)) ?? ['', '']
  return word.slice(0, word.length - from.length) + to || word
}

/** `modelNameOf` at type level: `ModelNameOf<'orderItemsTable'>` is `'OrderItem'`. */
export type ModelNameOf<Key extends string> = Key extends unknown
  ? SingularOf<Pascal<WithoutTable<Key extends Uppercase<Key> ? Lowercase<Key> : Key>>>
  : never

type WithoutTable<Key extends string> = Key extends `${infer Rest}${'Table' | '_table'}`
  ? OrElse<Rest, Key>
  : Key

type OrElse<Text extends string, Otherwise extends string> = Text extends '' ? Otherwise : Text

/** `order_item` -> `OrderItem` */
export type Pascal<Key extends string> = Key extends `${infer First}${'_' | '-'}${infer Rest}`
  ? `${Pascal<First>}${Pascal<Rest>}`
  : Capitalize<Key>

type SingularOf<Name extends string> =
  LastWord<Name> extends [infer Head extends string, infer Word extends string]
    ? `${Head}${Capitalize<SingularWord<Lowercase<Word>>>}`
    : never

/** The name up to its last capital letter, and the word from there. */
type LastWord<Name extends string, Head extends string = ''> = Name extends `${infer Letter}${infer Rest}`
  ? Rest extends Lowercase<Rest>
    ? [Head, Name]
    : LastWord<Rest, `${Head}${Letter}`>
  : [Head, Name]

type Irregular = typeof irregular
type IrregularPlurals = { [One in keyof Irregular as Irregular[One]]: One }

type SingularWord<Word extends string> = Word extends keyof Irregular
  ? Word
  : Word extends keyof IrregularPlurals
    ? IrregularPlurals[Word]
    : BySuffix<Word, typeof singularSuffixes>

/** Most words have the last, regular suffix, so the type checker compares the others with them in one step. */
type BySuffix<Word extends string, Rules> = Rules extends readonly [
  ...infer Special extends readonly Inflection[],
  infer Ordinary extends Inflection,
]
  ? FirstFitting<Word, Word extends `${string}${Special[number][0]}` ? Rules : readonly [Ordinary]>
  : never

type Inflection = readonly [from: string, to: string]

type FirstFitting<Word extends string, Rules> = Rules extends readonly [
  readonly [infer From extends string, infer To extends string],
  ...infer Rest,
]
  ? Word extends `${infer Stem}${From}`
    ? OrElse<`${Stem}${To}`, Word>
    : FirstFitting<Word, Rest>
  : Word
