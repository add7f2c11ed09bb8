/** What a query is made for: the fields of a list, and how long it becomes. */
export interface Listed {
  readonly names: readonly string[]
  readonly parameters: readonly string[]
}

type Make = (listed: Listed, name: string, size: number) => string

const encode = encodeURIComponent

const times = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => make(index))

/** As many as fit into the size. */
const fitting = (size: number, make: (index: number) => string): readonly string[] => {
  const all: string[] = []
  for (let length = 0, index = 0; ; index += 1) {
    const one = make(index)
    length += one.length + 1
    if (length > size && all.length > 0) return all
    all.push(one)
  }
}

const share = (size: number, among: number): number => Math.max(1, Math.floor(size / among) - 24)

/** 50 conditions, each with a value as long as fits. */
const conditions =
  (operator: string, value: (index: number, length: number) => string, joint = '|'): Make =>
  (_listed, name, size) =>
    `q=${encode(`(${times(50, (index) => name + operator + value(index, share(size, 50))).join(joint)})`)}`.slice(
      0,
      size,
    )

const letters = (letter: string) => (index: number, length: number) =>
  `${letter.repeat(Math.max(1, Math.min(length, 120)))}${index}z`

export const queries: Readonly<Record<string, Make>> = {
  'contains, any of 50': conditions('=', letters('a')),
  'contains, any of 50 short ones': conditions('=', (index) => `${'aeiou'[index % 5]}${index}`),
  'contains, all of 50': conditions('=', (index) => `${'aeiou'[index % 5]}`, '&'),
  'contains of wildcards': conditions('=', (_index, length) => '%_'.repeat(Math.min(20, length))),
  'contains of digits': conditions('=', (index) => `1${index}`),
  'differs from 50': conditions('!=', (index) => `"${index}"`, '&'),
  'is any of 50': conditions('==', (index) => `${index}`),
  'is less than 50': conditions('<', (index) => `${1_000_000 + index}`, '&'),
  'is less than 50 texts': conditions('<', (index) => `"zz${index}"`, '&'),
  'is more than 50 dates': conditions('>', (index) => `2026-01-01T00:00:${10 + index}Z`),
  'nulls of 50': conditions('=', () => 'null'),
  'not in a list': (_listed, name, size) => `${name}!=${fitting(size - 40, (index) => `${index}`).join()}`,
  'in a list of texts': (_listed, name, size) =>
    `${name}==${fitting(size - 40, (index) => `a${index}`).join()}`,
  'in a list of fractions': (_listed, name, size) =>
    `${name}==${fitting(size - 40, (index) => `${index}.5`).join()}`,
  'in 50 lists': conditions('==', (_index, length) => fitting(length, (each) => `${each}`).join()),
  'groups in groups': (_listed, name, size) => {
    const levels = Math.floor(size / 30)
    return `q=${'('.repeat(levels)}${name}==1${')'.repeat(levels)}`
  },
  'not of not, 10 deep': (_listed, name) => `q=${encode(`${'!('.repeat(10)}${name}!=1${')'.repeat(10)}`)}`,
  'open groups': (_listed, _name, size) => `q=${'('.repeat(size)}`,
  'many signs': (_listed, name, size) => `q=${name}${encode('=!<>'.repeat(size / 12))}`,
  'many quotes': (_listed, name, size) => `q=${name}==${encode('"\\'.repeat(size / 6))}`,
  'an open quote': (_listed, name, size) => `q=${name}==%22${'a'.repeat(size)}`,
  'quotes in quotes': (_listed, name, size) => `q=${name}==%22${'%5C%22'.repeat(size / 6)}%22`,
  'many amps': (_listed, name, size) => `${name}==1${'&'.repeat(size)}`,
  'many amps in q': (_listed, name, size) => `q=${name}==1${'%26'.repeat(size / 3)}`,
  'many segments': (_listed, name, size) => fitting(size, () => `${name}==1`).join('&'),
  'many q': (_listed, name, size) => fitting(size, () => `q=${name}==1`).join('&'),
  'many empty q': (_listed, _name, size) => fitting(size, () => 'q=').join('&'),
  'many sorts': (_listed, name, size) => fitting(size, () => `sort=${name}`).join('&'),
  'all sorts': ({ names }) =>
    names
      .slice(0, 8)
      .map((each, index) => `sort=${each}&order=${index % 2 === 0 ? 'desc' : 'asc'}`)
      .join('&'),
  'many orders': (_listed, _name, size) => fitting(size, () => 'order=asc').join('&'),
  'many fields': (_listed, name, size) => `fields=${fitting(size, () => name).join()}`,
  'many unknown fields': (_listed, _name, size) => `fields=${fitting(size, (index) => `f${index}`).join()}`,
  'many commas': (_listed, _name, size) => `fields=${','.repeat(size)}`,
  'a long name': (_listed, _name, size) => `${'n'.repeat(size)}==1`,
  'a long name alike': (_listed, name, size) => `${name.repeat(size / name.length)}==1`,
  'a long value': (_listed, name, size) => `${name}==${'9'.repeat(size)}`,
  'a long fraction': (_listed, name, size) => `${name}==0.${'0'.repeat(size)}1`,
  'a long exponent': (_listed, name, size) => `${name}==1e${'9'.repeat(size)}`,
  'a long date': (_listed, name, size) => `${name}%3E2026-01-01T00:00:00.${'0'.repeat(size)}Z`,
  'many pluses': (_listed, name, size) => `${name}==${'+'.repeat(size)}`,
  'many times of day': (_listed, name, size) => `${name}==${'T00:00+0'.repeat(size / 8)}`,
  'half times of day': (_listed, name, size) => `${name}==${'T00:00:00.'.repeat(size / 10)}`,
  'percent signs': (_listed, name, size) => `${name}==${'%'.repeat(size)}`,
  NUL: (_listed, name, size) => `${name}==${'%00'.repeat(size / 3)}`,
  'no UTF-8': (_listed, name, size) => `${name}==${'%ff'.repeat(size / 3)}`,
  'encoded letters': (_listed, name, size) => `${name}=${'%61'.repeat(size / 3)}`,
  'large characters': (_listed, name, size) => `${name}=${encode('😀').repeat(size / 12)}`,
  sigmas: (_listed, name, size) => `${name}=${encode('Σς').repeat(size / 12)}`,
  blanks: (_listed, name, size) => `${name}=${'%20'.repeat(size / 3)}`,
  'search for letters': (_listed, _name, size) => `search=${'a'.repeat(size)}`,
  'search for one letter': () => 'search=z&limit=1000',
  'search for 32 letters': () => `search=${'a'.repeat(31)}z`,
  'search for wildcards': (_listed, _name, size) => `search=${encode('%_').repeat(size / 4)}`,
  'a cursor of letters': (_listed, _name, size) => `cursor=${'A'.repeat(size)}`,
  'a cursor of signs': (_listed, _name, size) => `cursor=${encode('{"[').repeat(size / 9)}`,
  'a large limit': () => 'limit=1000',
  'a limit of digits': (_listed, _name, size) => `limit=${'9'.repeat(size)}`,
  'a far page': () => 'limit=1&offset=9007199254740991',
  'a count of all': (_listed, name) => `limit=0&q=${encode(`!(${name}==null)`)}`,
  'an estimate': (_listed, name) => `limit=0&count=estimated&q=${encode(`!(${name}==null)`)}`,
  'keys of Object': (_listed, _name, size) =>
    fitting(size, (index) => `${['__proto__', 'constructor', 'toString'][index % 3]}=1`).join('&'),
  'parameters without a value': ({ parameters }) => parameters.join('&'),
  'everything twice': ({ parameters }) => parameters.map((each) => `${each}=1&${each}=1`).join('&'),
}
