/**
 * English plurals, in one table that both the running code and the type level read: `naming.ts` and `naming-types.ts`.
 * All words are in lower case. A word is looked up in the lists first, then the first fitting suffix counts.
 */

/** Singular and plural are the same word. */
export const unchanging = {
  advice: true,
  aircraft: true,
  analytics: true,
  baggage: true,
  chaos: true,
  chassis: true,
  clothes: true,
  cms: true,
  data: true,
  deer: true,
  diabetes: true,
  dns: true,
  economics: true,
  electronics: true,
  equipment: true,
  ethics: true,
  evidence: true,
  feedback: true,
  fish: true,
  furniture: true,
  gps: true,
  hardware: true,
  headquarters: true,
  information: true,
  knowledge: true,
  logistics: true,
  luggage: true,
  mathematics: true,
  means: true,
  media: true,
  metadata: true,
  money: true,
  music: true,
  news: true,
  physics: true,
  politics: true,
  pos: true,
  series: true,
  sheep: true,
  sms: true,
  software: true,
  species: true,
  staff: true,
  traffic: true,
  weather: true,
} as const

/** Singular -> plural, where the suffixes would be wrong in one direction or the other. */
export const irregular = {
  ache: 'aches',
  alias: 'aliases',
  alibi: 'alibis',
  alumnus: 'alumni',
  api: 'apis',
  atlas: 'atlases',
  avalanche: 'avalanches',
  axis: 'axes',
  bacterium: 'bacteria',
  bias: 'biases',
  cache: 'caches',
  calf: 'calves',
  calorie: 'calories',
  canvas: 'canvases',
  cargo: 'cargoes',
  crisis: 'crises',
  criterion: 'criteria',
  curriculum: 'curricula',
  die: 'dice',
  echo: 'echoes',
  elf: 'elves',
  embargo: 'embargoes',
  emoji: 'emojis',
  emphasis: 'emphases',
  epoch: 'epochs',
  excuse: 'excuses',
  foot: 'feet',
  fungus: 'fungi',
  gas: 'gases',
  genie: 'genies',
  german: 'germans',
  goose: 'geese',
  guru: 'gurus',
  half: 'halves',
  headache: 'headaches',
  hero: 'heroes',
  hoodie: 'hoodies',
  hoof: 'hooves',
  human: 'humans',
  iris: 'irises',
  kiwi: 'kiwis',
  kpi: 'kpis',
  leaf: 'leaves',
  lens: 'lenses',
  lie: 'lies',
  life: 'lives',
  loaf: 'loaves',
  matrix: 'matrices',
  menu: 'menus',
  monarch: 'monarchs',
  mouse: 'mice',
  niche: 'niches',
  oasis: 'oases',
  omen: 'omens',
  ox: 'oxen',
  phenomenon: 'phenomena',
  pie: 'pies',
  potato: 'potatoes',
  prairie: 'prairies',
  quiz: 'quizzes',
  regimen: 'regimens',
  roman: 'romans',
  safari: 'safaris',
  scarf: 'scarves',
  self: 'selves',
  selfie: 'selfies',
  shaman: 'shamans',
  ski: 'skis',
  specimen: 'specimens',
  stomach: 'stomachs',
  synopsis: 'synopses',
  taxi: 'taxis',
  tech: 'techs',
  thief: 'thieves',
  tie: 'ties',
  tomato: 'tomatoes',
  tooth: 'teeth',
  torpedo: 'torpedoes',
  use: 'uses',
  vertex: 'vertices',
  veto: 'vetoes',
  wiki: 'wikis',
  wolf: 'wolves',
  zombie: 'zombies',
} as const

/** Second plurals that are read, never written. */
export const otherPlurals = {
  appendices: 'appendix',
  cacti: 'cactus',
  indices: 'index',
  nuclei: 'nucleus',
  persons: 'person',
  radii: 'radius',
  stimuli: 'stimulus',
  syllabi: 'syllabus',
} as const

/** Singular suffix -> plural suffix. */
export const pluralSuffixes = [
  ['person', 'people'],
  ['child', 'children'],
  ['woman', 'women'],
  ['man', 'men'],
  ['shelf', 'shelves'],
  ['wife', 'wives'],
  ['knife', 'knives'],
  ['ay', 'ays'],
  ['ey', 'eys'],
  ['oy', 'oys'],
  ['uy', 'uys'],
  ['y', 'ies'],
  ['sis', 'ses'],
  ['s', 'ses'],
  ['x', 'xes'],
  ['ch', 'ches'],
  ['sh', 'shes'],
  ['zz', 'zzes'],
  ['tz', 'tzes'],
  ['', 's'],
] as const

/** Plural suffix -> singular suffix. What is singular already (`status`, `address`, `analysis`) stays. */
export const singularSuffixes = [
  ['people', 'person'],
  ['children', 'child'],
  ['women', 'woman'],
  ['men', 'man'],
  ['shelves', 'shelf'],
  ['wives', 'wife'],
  ['knives', 'knife'],
  ['ss', 'ss'],
  ['us', 'us'],
  ['is', 'is'],
  ['okies', 'okie'],
  ['ovies', 'ovie'],
  ['ies', 'y'],
  ['sses', 'ss'],
  ['lyses', 'lysis'],
  ['theses', 'thesis'],
  ['gnoses', 'gnosis'],
  ['iases', 'ias'],
  ['ouses', 'ouse'],
  ['auses', 'ause'],
  ['fuses', 'fuse'],
  ['uses', 'us'],
  ['xes', 'x'],
  ['ches', 'ch'],
  ['shes', 'sh'],
  ['zzes', 'zz'],
  ['tzes', 'tz'],
  ['s', ''],
] as const

/**
 * The name of the model that stands under a key of the table map: without a trailing `Table`, singular and in
 * PascalCase.
 *
 * @example `orderItemsTable`, `order_items` and `OrderItem` are all `OrderItem`.
 */
export const modelNameOf = (tableKey: string): string =>
  inflectLast(pascal(withoutTable(inOneCase(tableKey))), singularWord)

/** The plural of a word. Of a compound (`OrderItem`) the last word is inflected. */
export const plural = (word: string): string => inflectLast(word, pluralWord)

/** The singular of a word, or the word itself where it is singular already (`status`). */
export const singular = (word: string): string => inflectLast(word, singularWord)

/** The path segment of a model: the plural in kebab-case. `OrderItem` has `order-items`. */
export const pathOf = (modelName: string): string => {
  const words = kebab(modelName).split('-')
  return [...words.slice(0, -1), pluralWord(words.at(-1) ?? '')].join('-')
}

/** `a Product`, `an Order`, `a User`, `an Hour`: what is spoken decides. */
export const withArticle = (modelName: string): string =>
  `${spokenVowel.test(modelName) ? 'an' : 'a'} ${modelName}`

/** Vowels that begin with a consonant when spoken, and an h that is not spoken. */
const spokenVowel = /^(?:(?!eu|one|once|uni(?![mn])|us[aeu]|ut[ei]|ur[aeilu])[aeiou]|hour|hono|heir)/i

/** Names in a sentence of CommonMark: `` `id`, `name` ``. */
export const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/** The words of a name in any case style, in lower case: `resetToken2` has `reset`, `token`, `2`. */
export const wordsOf = (name: string): readonly string[] => kebab(name).match(/\p{L}+|\d+/gu) ?? []

const kebab = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()

const inOneCase = (key: string): string => (key === key.toUpperCase() ? key.toLowerCase() : key)

const withoutTable = (key: string): string => key.replace(/(?<=.)(Table|_table)$/, '')

const pascal = (key: string): string => key.split(/[_-]/).map(capital).join('')

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** The last word starts at the last capital letter. */
const inflectLast = (name: string, inflect: (word: string) => string): string => {
  const start = Math.max(name.search(/[A-Z][^A-Z]*$/), 0)
  const word = name.slice(start)
  const inflected = inflect(word.toLowerCase())
  return name.slice(0, start) + (/^[A-Z]/.test(word) ? capital(inflected) : inflected)
}

type Rules = readonly (readonly [from: string, to: string])[]

const plurals: ReadonlyMap<string, string> = new Map([
  ...Object.keys(unchanging).map((word) => [word, word] as const),
  ...Object.entries(irregular),
])

const singulars: ReadonlyMap<string, string> = new Map([
  ...Object.entries(otherPlurals),
  ...Object.entries(irregular).map(([one, many]) => [many, one] as const),
  ...[...Object.keys(irregular), ...Object.keys(unchanging)].map((word) => [word, word] as const),
])

const pluralWord = (word: string): string => plurals.get(word) ?? bySuffix(word, pluralSuffixes)
const singularWord = (word: string): string => singulars.get(word) ?? bySuffix(word, singularSuffixes)

/** The first suffix that fits and leaves a word. */
const bySuffix = (word: string, rules: Rules): string => {
  const rule = rules.find(([from, to]) => word.endsWith(from) && word.length - from.length + to.length > 0)
  return rule === undefined ? word : word.slice(0, word.length - rule[0].length) + rule[1]
}
