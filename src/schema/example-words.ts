type Words = readonly string[]

/** What a text of this name usually is: the first entry whose word is in the name. */
const texts: readonly (readonly [words: Words, example: string])[] = [
  [['email', 'mail'], 'ada@example.com'],
  [['url', 'website', 'homepage', 'link', 'uri'], 'https://example.com/'],
  [['phone', 'mobile', 'telephone', 'fax'], '+44 20 7946 0000'],
  [['first', 'given', 'forename'], 'Ada'],
  [['last', 'family', 'surname'], 'Lovelace'],
  [['username', 'login', 'nickname', 'handle'], 'ada'],
  [['password', 'passphrase'], 'correct horse battery staple'],
  [['street', 'address'], '12 St James Square'],
  [['city', 'town'], 'London'],
  [['country'], 'United Kingdom'],
  [['zip', 'postcode', 'postal'], 'SW1Y 4JH'],
  [['currency'], 'GBP'],
  [['locale', 'language', 'lang'], 'en'],
  [['timezone', 'tz'], 'Europe/London'],
  [['color', 'colour'], 'blue'],
  [['ip', 'inet', 'host'], '192.0.2.1'],
  [['duration', 'interval'], '1 day'],
  [['sku', 'code', 'number', 'reference', 'isbn', 'ean'], 'AB-1234'],
  [['image', 'photo', 'avatar', 'picture'], 'images/example.png'],
  [['file', 'path', 'document'], 'files/example.pdf'],
  [['status', 'state'], 'active'],
  [['description', 'body', 'content', 'text', 'summary', 'comment', 'note', 'notes', 'bio'], 'A few words.'],
]

/** Two-letter columns hold codes. */
const codes: Readonly<Record<string, string>> = { 'United Kingdom': 'GB', 'Europe/London': 'UTC' }

const people: ReadonlySet<string> = new Set([
  'user',
  'customer',
  'person',
  'author',
  'member',
  'employee',
  'contact',
])

/** A text that a field of this name could hold, in a model of that name. It may be too long for the column. */
export const exampleText = (
  words: Words,
  model: Words,
  maxLength: number = Number.POSITIVE_INFINITY,
): string => {
  const known = texts.find(([names]) => names.some((name) => words.includes(name)))?.[1]
  if (known !== undefined) return known.length > maxLength ? (codes[known] ?? known) : known
  if (words.includes('slug')) return `example-${model.join('-')}`
  if (words.includes('name') && model.some((word) => people.has(word))) return 'Ada Lovelace'
  if (words.includes('name') || words.includes('title')) return `Example ${model.join(' ')}`
  return `Example ${words.join(' ')}`
}

const numbers: readonly (readonly [words: Words, example: number])[] = [
  [['id', 'key'], 1],
  [['year'], 2026],
  [['age'], 36],
  [['quantity', 'stock', 'count', 'amount'], 3],
  [['latitude', 'lat'], 51.5],
  [['longitude', 'lon', 'lng'], -0.1],
  [['rating', 'stars', 'score'], 4],
  [['percent', 'percentage', 'discount'], 10],
]

/** A number that a field of this name could hold. */
export const exampleNumber = (words: Words): number =>
  numbers.find(([names]) => names.some((name) => words.includes(name)))?.[1] ?? 1
