/** The worst query of one kind that fits into `bytes`. `salt` makes it another one, so that nothing of it is kept. */
export interface Input {
  readonly name: string
  readonly cursor?: boolean
  readonly status?: 200 | 400
  /** What the query costs even in plain SQL, so that it is compared with a list that does the same once. */
  readonly query: (bytes: number, salt: number) => string
}

/** The most characters that one condition may look for, less those of the salt. */
const CONTAINED = 480

/** `part` as often as it fits. */
const filled = (bytes: number, part: string, join = ''): string =>
  Array.from({ length: Math.max(1, Math.floor(bytes / (part.length + join.length))) }, () => part).join(join)

/** Numbered parts, as many as fit. */
const counted = (bytes: number, part: (number: number) => string, join: string): string => {
  const parts: string[] = []
  for (let size = 0, number = 0; ; number += 1) {
    const next = part(number)
    size += next.length + join.length
    if (size > bytes) return parts.join(join)
    parts.push(next)
  }
}

const several = (count: number, part: (place: number) => string): string =>
  Array.from({ length: count }, (_, place) => part(10 + place)).join('|')

/** Letters of the stored texts, and another at the end. */
const nearly = (length: number, place: number, salt: number): string => {
  const end = `b${place}${salt}`
  return 'a'.repeat(length - end.length) + end
}

/** Texts of a part each, as long as they may be together. */
const fifty = (bytes: number, part: (length: number, place: number) => string, join = '%26'): string =>
  Array.from({ length: 50 }, (_, place) => part(Math.floor(bytes / 50) - join.length, 10 + place)).join(join)

const deep = (depth: number, inner: string): string => `${'('.repeat(depth)}${inner}${')'.repeat(depth)}`

export const inputs: readonly Input[] = [
  // Groups.
  { name: 'groups, 10 deep', query: (_bytes, salt) => `q=${deep(10, `id=${salt}`)}` },
  {
    name: 'alternatives, 50, each 9 deep',
    query: (_bytes, salt) =>
      `q=(${Array.from({ length: 50 }, (_, n) => deep(9, `rank=${n + salt}`)).join('|')})`,
  },
  {
    name: '! before groups, 10 deep',
    query: (_bytes, salt) => `q=${'!('.repeat(10)}id=${salt}${')'.repeat(10)}`,
  },
  { name: 'groups, unclosed', status: 400, query: (bytes) => `q=${filled(bytes - 2, '(')}` },
  {
    name: 'groups, unclosed after 50 conditions',
    status: 400,
    query: (bytes) => `q=(${fifty(bytes - 3, (n) => `name=${'x'.repeat(n - 5)}`, '|')}`,
  },
  { name: 'groups, closed too often', status: 400, query: (bytes) => `q=(id=1${filled(bytes - 7, ')')}` },
  { name: '! runs', status: 400, query: (bytes) => `q=${filled(bytes - 2, '!')}` },
  { name: '!( runs', status: 400, query: (bytes) => `q=${filled(bytes - 2, '!(')}` },
  // Conditions and values.
  {
    name: '50 conditions, and',
    query: (_bytes, salt) => Array.from({ length: 50 }, (_, n) => `rank!=${n + salt}`).join('&'),
  },
  {
    name: '11 contains',
    status: 400,
    query: (_bytes, salt) => `q=(${several(11, (place) => `note=${place}${salt}`)})`,
  },
  {
    name: '10 contains of nearly the stored text',
    query: (_bytes, salt) => `q=(${several(10, (place) => `note=${nearly(50, place, salt)}`)})`,
  },
  {
    name: '10 contains of nearly a text of 100 kB',
    query: (_bytes, salt) => `q=(${several(10, (place) => `story=${nearly(50, place, salt)}`)})`,
  },
  {
    name: '10 short contains of nearly a text of 100 kB',
    query: (_bytes, salt) => `q=(${several(10, (place) => `story=aaaa${place}${salt}`)})`,
  },
  {
    name: 'none of 10 contains of a text of 100 kB, sorted by it',
    query: (_bytes, salt) =>
      `q=!(${several(10, (place) => `story=${nearly(50, place, salt)}`)})&sort=story&fields=id`,
  },
  {
    name: 'a contains of 500 of nearly a text of 100 kB',
    query: (_bytes, salt) => `story=${nearly(500, 0, salt)}`,
  },
  {
    name: 'a contains of 500 that begins differently',
    query: (_bytes, salt) => `story=b${'a'.repeat(490)}${salt}`,
  },
  {
    name: '50 comparisons with a text of 100 kB',
    query: (_bytes, salt) => `q=(${several(50, (place) => `story>=${nearly(120, place, salt)}`)})&fields=id`,
  },
  {
    name: 'none of many of a text of 100 kB',
    query: (bytes, salt) => `story!=${salt},${filled(bytes - 40, 'a', ',')}&sort=story&fields=id`,
  },
  { name: 'any of numbers', query: (bytes, salt) => `id==${counted(bytes - 4, (n) => `${n + salt}`, ',')}` },
  {
    name: 'any of one-letter texts',
    query: (bytes, salt) => `name==${salt},${filled(bytes - 20, 'a', ',')}`,
  },
  {
    name: 'none of one-letter texts',
    query: (bytes, salt) => `name!=${salt},${filled(bytes - 20, 'a', ',')}`,
  },
  { name: 'any of empty texts', query: (bytes, salt) => `name==${salt}${filled(bytes - 20, ',')}` },
  {
    name: 'any of quoted texts',
    query: (bytes, salt) => `name==${salt},${filled(bytes - 20, '%22\\%22%22', ',')}`,
  },
  {
    name: 'any of decimals',
    query: (bytes, salt) => `price==${counted(bytes - 7, (n) => `${n}.${10 + (salt % 90)}`, ',')}`,
  },
  {
    name: 'any of date-times',
    query: (bytes, salt) =>
      `at==2026-01-01,${filled(bytes - 40, '2026-01-31T23:59:59+02:00', ',')},${2000 + (salt % 99)}-01-01`,
  },
  {
    name: 'any of words, all wrong',
    status: 400,
    query: (bytes) => `status==${filled(bytes - 8, 'x', ',')}`,
  },
  // Texts.
  {
    name: 'a quoted text of quotes',
    query: (bytes, salt) => `name==%22${salt}${filled(bytes - 20, '\\%22')}%22`,
  },
  {
    name: 'a quoted text of backslashes',
    query: (bytes, salt) => `name==%22${salt}${filled(bytes - 20, '\\\\')}%22`,
  },
  {
    name: 'a quoted text, unclosed',
    status: 400,
    query: (bytes) => `name==%22${filled(bytes - 10, '\\%22')}`,
  },
  {
    name: 'a quoted text, broken at its end',
    status: 400,
    query: (bytes) => `name==%22${filled(bytes - 20, '\\%22')}%22x`,
  },
  { name: 'percent signs, broken', status: 400, query: (bytes) => filled(bytes, '%') },
  {
    name: 'percent signs, encoded, contains',
    query: (_bytes, salt) => `note=${filled(CONTAINED * 3, '%25')}${salt}`,
  },
  { name: 'underscores, contains', query: (_bytes, salt) => `note=${filled(CONTAINED, '_')}${salt}` },
  { name: 'backslashes, contains', query: (_bytes, salt) => `note=${filled(CONTAINED, '\\')}${salt}` },
  { name: 'spaces, contains', query: (_bytes, salt) => `note=${filled(CONTAINED, '+')}${salt}` },
  { name: 'a long text, contains', query: (_bytes, salt) => `note=${filled(CONTAINED, 'a')}${salt}` },
  { name: 'nearly the stored text, contains', query: (_bytes, salt) => `note=${'a'.repeat(150)}b${salt}` },
  { name: 'one letter that all have, contains', query: (_bytes, salt) => `note=a&rank!=${salt + 1_000_000}` },
  { name: 'sigmas, contains', query: (_bytes, salt) => `note=${salt}${filled(CONTAINED * 6, '%CF%83')}` },
  { name: 'search of a long word', query: (_bytes, salt) => `search=${salt}${filled(230, 'a')}` },
  { name: 'search of a short word', query: (_bytes, salt) => `search=zz${salt}` },
  { name: 'digits of a number', status: 400, query: (bytes) => `rank=${filled(bytes - 5, '9')}` },
  { name: 'digits of a decimal', status: 400, query: (bytes) => `price=${filled(bytes - 8, '9')}.1` },
  { name: 'digits of a fraction', status: 400, query: (bytes) => `price=0.${filled(bytes - 9, '0')}1` },
  {
    name: 'digits of a second',
    status: 400,
    query: (bytes) => `at=2026-01-01T00:00:00.${filled(bytes - 40, '0')}1Z`,
  },
  { name: 'offsets with a plus', query: (_bytes, salt) => `note=${salt}${filled(CONTAINED, 'T00:00:00+')}` },
  // Parameters.
  { name: 'unknown parameters', status: 400, query: (bytes) => counted(bytes, (n) => `x${n}=`, '&') },
  { name: 'a name that nothing has', status: 400, query: (bytes) => `${filled(bytes - 2, 'n')}=1` },
  { name: 'no conditions', query: (bytes) => filled(bytes, '&') },
  { name: 'empty q', query: (bytes) => filled(bytes, 'q=', '&') },
  {
    name: '8 sorts without an index',
    query: (_bytes, salt) =>
      `${['note', 'name', 'price', 'at', 'status', 'rank', 'city', 'street'].map((field, n) => `sort=${field}&order=${(salt >> n) % 2 === 0 ? 'asc' : 'desc'}`).join('&')}&rank!=${salt}`,
  },
  { name: 'sorts, too many', status: 400, query: (bytes) => filled(bytes, 'sort=id', '&') },
  { name: 'orders without sorts', status: 400, query: (bytes) => filled(bytes, 'order=asc', '&') },
  { name: 'fields, twice', status: 400, query: (bytes) => `fields=${filled(bytes - 7, 'id', ',')}` },
  {
    name: 'fields, unknown',
    status: 400,
    query: (bytes) => `fields=${counted(bytes - 7, (n) => `f${n}`, ',')}`,
  },
  { name: 'limit, of many digits', status: 400, query: (bytes) => `limit=${filled(bytes - 6, '9')}` },
  { name: 'the last page by offset', query: (_bytes, salt) => `offset=${99_000 + (salt % 999)}` },
  {
    name: 'far behind the last page',
    query: (_bytes, salt) => `offset=${9_007_199_254_740_000 + (salt % 900)}`,
  },
  {
    name: 'a cursor, not ours',
    cursor: true,
    status: 400,
    query: (bytes) => `cursor=${filled(bytes - 7, 'A')}`,
  },
  {
    name: 'a cursor of other characters',
    cursor: true,
    status: 400,
    query: (bytes) => `cursor=${filled(bytes - 7, '*')}`,
  },
]
