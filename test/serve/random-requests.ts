import fc from 'fast-check'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema?: {
    readonly enum?: readonly string[]
    readonly items?: { readonly enum?: readonly string[] }
  }
}

interface DocumentedOperation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> }
}

export interface RandomRequest {
  readonly method: string
  readonly target: string
  readonly body?: string
}

const methods = ['get', 'post', 'patch', 'put', 'delete'] as const

/** Values of all kinds, at and beyond the bounds of columns, and what SQL would read. */
const words = fc.oneof(
  fc.constantFrom(
    ...[
      '1',
      '0',
      '-1',
      '2147483648',
      '9007199254740993',
      '1.50',
      '1e400',
      'true',
      'null',
      'a',
      "'",
      '"',
      '\\',
      '%',
      '_',
      '',
      ' ',
    ],
    ...[
      '2026-01-31',
      '2026-02-30',
      '2026-01-31T09:30:00Z',
      '0000-00-00',
      '09:30:00',
      '25:00:00',
      'novel',
      '14 days',
      '{}',
      '[1]',
    ],
    ...[
      '00000000-0000-4000-8000-000000000001',
      "1' or '1'='1",
      '$1',
      '?',
      ':a',
      '\u0000',
      '\ud800',
      '日本',
      '😀',
      'a'.repeat(300),
    ],
  ),
  fc.string({ maxLength: 12 }),
  fc.integer().map(String),
)

const values: fc.Arbitrary<unknown> = fc.oneof(
  words,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.array(words, { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 2 }),
)

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const operators = ['=', '==', '!=', '<', '<=', '>', '>=', '=in=', '=out=', '==*'] as const

/** The query of a list: conditions on its fields, and its parameters, with fitting and other values. */
const queryOf = (given: readonly Parameter[], example: unknown): fc.Arbitrary<string> => {
  const parameters = given.filter((one) => one.in === 'query')
  const fields = parameters.find(({ name }) => name === 'fields')?.schema?.items?.enum ?? ['id']
  const condition = fc
    .tuple(fc.constantFrom(...fields), fc.constantFrom(...operators), words, fc.nat(2))
    .map(([field, operator, word, other]) => {
      const fitting: unknown = Reflect.get(Object(example), field)
      const value = other > 0 && fitting !== undefined && typeof fitting !== 'object' ? String(fitting) : word
      return `${encoded(field)}${operator}${encoded(value)}`
    })
  const parameter = fc
    .constantFrom(...(parameters.length > 0 ? parameters : [{ name: 'limit' } as Parameter]))
    .chain(({ name, schema }) => {
      const known = schema?.items?.enum ?? schema?.enum ?? []
      const fitting = known.length === 0 ? words : fc.constantFrom(...known)
      const value = fc.oneof({ weight: 3, arbitrary: fitting }, { weight: 1, arbitrary: words })
      return value.map((text) => `${name}=${encoded(text)}`)
    })
  const part = parameters.length === 0 ? condition : fc.oneof(condition, parameter)
  return fc.array(part, { maxLength: 2 }).map((parts) => parts.join('&'))
}

/** A body that the document shows, with some members left out or changed. */
const bodyOf = (example: unknown): fc.Arbitrary<string> => {
  const names = Object.keys(Object(example))
  const changed = fc.oneof(
    fc.constant({}),
    fc.dictionary(fc.constantFrom(...names, 'other'), values, { maxKeys: 2 }),
  )
  const without = fc.oneof(
    fc.constant<string[]>([]),
    fc.subarray(names, { maxLength: Math.min(2, names.length) }),
  )
  return fc.tuple(changed, without).map(([more, left]) => {
    const kept = Object.entries(Object(example)).filter(([name]) => !left.includes(name))
    return JSON.stringify({ ...Object.fromEntries(kept), ...more })
  })
}

/** Requests to each route that a document has. */
export const requestsTo = ({ paths, components }: Document): fc.Arbitrary<RandomRequest> => {
  const resolved = (given: Parameter | { readonly $ref: string }): readonly Parameter[] => {
    if (!('$ref' in given)) return [given]
    const found = components.parameters?.[given.$ref.split('/').at(-1) ?? '']
    return found === undefined ? [] : [found]
  }
  const all = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const shown =
        paths[`/${path.split('/')[1]}/`]?.['post']?.requestBody?.content['application/json']?.example
      const query = queryOf((operation.parameters ?? []).flatMap(resolved), shown)
      const example = operation.requestBody?.content['application/json']?.example
      const body = example === undefined ? fc.constant(undefined) : bodyOf(example)
      const key = fc.oneof(fc.constantFrom('1', '2', '1,1'), words)
      const weight = method === 'get' && !path.includes('{') ? 4 : 1
      const arbitrary = fc.record({ query, body, key }).map(
        (drawn): RandomRequest => ({
          method: method.toUpperCase(),
          target: `${path.replace('{id}', encoded(drawn.key))}?${drawn.query}`,
          ...(drawn.body !== undefined && { body: drawn.body }),
        }),
      )
      return [{ weight, arbitrary }]
    }),
  )
  return fc.oneof(...all)
}
