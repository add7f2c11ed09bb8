/** The largest requests that a client may send with a body of a megabyte: method, path and body. */
export type LargeWrite = readonly [name: string, method: string, path: string, body: () => string]

const MEGABYTE = 1_000_000

/** JSON of as many elements as fit. */
export const listOf = (element: string, bytes: number = MEGABYTE): string =>
  `[${Array(Math.floor(bytes / (element.length + 1)))
    .fill(element)
    .join(',')}]`

/** A list of lists, each sixty deep. */
const deep = (bytes: number): string => listOf(`${'['.repeat(60)}${']'.repeat(60)}`, bytes)

const small = '{"a":2}'
const each = (count: number, element: (at: number) => string): string =>
  `[${Array.from({ length: count }, (_, at) => element(at + 1)).join(',')}]`

const LESS = MEGABYTE - 100

export const largeWrites: readonly LargeWrite[] = [
  ['PATCH with a filter', 'PATCH', '/items/?id<=15', () => `{"data":${listOf(small, LESS)}}`],
  ['PATCH with a filter, empty arrays', 'PATCH', '/items/?id<=15', () => `{"data":${listOf('[]', LESS)}}`],
  [
    'PATCH with an array',
    'PATCH',
    '/items/',
    () => each(1000, (id) => `{"id":${id},"data":${listOf(small, 900)}}`),
  ],
  ['POST with an array', 'POST', '/items/', () => each(1000, () => `{"data":${listOf('[]', 900)}}`)],
  [
    'related records',
    'POST',
    '/parents/',
    () => `{"name":"a","items":${each(900, () => `{"data":${listOf(small, 1000)}}`)}}`,
  ],
  ['POST of JSON', 'POST', '/items/', () => `{"data":${listOf('[]', LESS)}}`],
  ['POST of nested JSON', 'POST', '/items/', () => `{"data":${deep(LESS)}}`],
  ['POST of large numbers', 'POST', '/items/', () => `{"data":${listOf('1e100', LESS)}}`],
  ['POST of decimals', 'POST', '/items/', () => `{"data":{},"sums":${listOf('1', LESS)}}`],
  ['PATCH of nested JSON', 'PATCH', '/items/20', () => `{"data":${deep(LESS)}}`],
  ['PUT of nested JSON', 'PUT', '/items/21', () => `{"data":${deep(LESS)}}`],
  ['PUT of JSON', 'PUT', '/items/22', () => `{"data":${listOf('[]', LESS)}}`],
]
