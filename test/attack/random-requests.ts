import fc from 'fast-check'
import { bodyWith, values, wholes } from './random-bodies.ts'
import { forms, formType } from './random-forms.ts'
import { filled, fillings, headers } from './random-paths.ts'
import { queries } from './random-queries.ts'
import type { Target } from './stage.ts'
import type { Route } from './stage-shop.ts'
import type { Sent } from './stage-wire.ts'

/** A request that may be dear. It is built when it is sent, so that a counterexample is short. */
export interface Attack {
  readonly label: string
  readonly make: (token: string) => Sent
}

/** Where the limits are, in bytes: Node's of a head, and the ones that the application has by its settings. */
const HEAD = 16_000
const QUERY = 8192

/** A limit met, exceeded by one, exceeded a thousandfold, and most of the time something below. */
const sizes = (limit: number): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(limit) },
    { weight: 2, arbitrary: fc.constant(limit + 1) },
    { weight: 1, arbitrary: fc.constant(limit * 1000) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: limit }) },
  )

const nameOf = (...names: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...names)
const keys = (object: Readonly<Record<string, unknown>>): fc.Arbitrary<string> =>
  nameOf(...Object.keys(object))

/** Keys that a record may have, and such that none has. */
const ids = fc.constantFrom('1', '2', '1,1', '1,a', '0', 'x', '9007199254740993', '9'.repeat(40))

const pathTo = (route: Route, id: string): string =>
  route.path.replace('{id}', id).replace('{field}', 'image').replace('{name}', 'a.png')

const json = ['content-type', 'application/json'] as const
const isSession = ({ path }: Route): boolean => path.includes('/auth/')

/** A session that was ended attacks nothing any more. */
const authorised = (route: Route, token: string): readonly (readonly [string, string])[] =>
  isSession(route) && route.method !== 'GET' ? [] : [['authorization', token]]

/** So much of a body is really sent. The length of what is declared stays. */
const MOST_SENT = 1_200_000

const bodied = (route: Route, target: string, bytes: Buffer, type: string, token: string): Sent => {
  const isCut = bytes.length > MOST_SENT
  return {
    method: route.method,
    target,
    headers: [
      ...authorised(route, token),
      ['content-type', type],
      ...(isCut ? [['content-length', String(bytes.length)] as const] : []),
    ],
    body: isCut ? bytes.subarray(0, MOST_SENT) : bytes,
    ...(isCut && { hangUpAfter: MOST_SENT }),
  }
}

const declared = (route: Route, target: string, length: number, token: string): Sent => ({
  method: route.method,
  target,
  headers: [...authorised(route, token), json, ['content-length', String(length)]],
  body: filled(' ', 1000),
})

const bodies = (route: Route, limit: number): fc.Arbitrary<Attack> => {
  const known = Object.keys(Object(route.example))
  const all = { ...values, ...wholes }
  return fc
    .record({
      id: ids,
      place: nameOf('', 'nonsense', ...known, ...known),
      size: sizes(limit),
      whole: keys(all),
      value: keys(values),
    })
    .map(({ id, place, size, whole, value }) => {
      const label = place === '' ? whole : `${place}: ${value}`
      return {
        label: `${route.method} ${route.path} ${id}, a body of ${size} bytes, ${label}`,
        make: (token) => {
          const target = pathTo(route, id)
          if (size > MOST_SENT) return declared(route, target, size, token)
          const made =
            place === ''
              ? all[whole]?.(size)
              : bodyWith(route.example, place, values[value]?.(size - 200) ?? '')
          // Characters may have several bytes each.
          return bodied(route, target, Buffer.from(made ?? '').subarray(0, size), json[1], token)
        },
      }
    })
}

const formsTo = (route: Route, files: readonly string[]): fc.Arbitrary<Attack> => {
  const names = Object.keys(Object(route.example))
  const size = fc.constantFrom(1, 20, 254, 255, 256, 8191, 8192, 8193, 200_000, 1_000_000, 1_048_577)
  return fc
    .record({
      id: ids,
      kind: keys(forms),
      name: nameOf('nonsense', ...names),
      file: nameOf('nonsense', ...files),
      size,
    })
    .map(({ id, kind, name, file, size: bytes }) => ({
      label: `${route.method} ${route.path} ${id}, a form for ${name} and ${file}, ${kind}, ${bytes}`,
      make: (token) =>
        bodied(
          route,
          pathTo(route, id),
          forms[kind]?.(name, file, bytes) ?? Buffer.alloc(0),
          formType,
          token,
        ),
    }))
}

const queriesTo = (route: Route, names: readonly string[]): fc.Arbitrary<Attack> =>
  fc
    .record({
      first: keys(queries),
      second: fc.option(keys(queries)),
      name: nameOf(...names),
      size: sizes(QUERY),
    })
    .map(({ first, second, name, size }) => ({
      label: `GET ${route.path}?…, ${first} and ${second} of ${name}, ${size} bytes`,
      make: (token) => {
        const most = Math.min(size, HEAD - 1000)
        const listed = { names, parameters: route.parameters }
        const made = [first, second].flatMap((kind) => {
          const query =
            kind === null ? undefined : queries[kind]?.(listed, name, second === null ? most : most / 2)
          return query === undefined ? [] : [query]
        })
        return {
          method: 'GET',
          target: `${route.path}?${made.join('&').slice(0, most)}`,
          headers: authorised(route, token),
        }
      },
    }))

const methods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'PROPFIND',
  'SEARCH',
]

/** Paths, queries where there are none, methods and headers, each filled with something. */
const heads = (route: Route): fc.Arbitrary<Attack> =>
  fc
    .record({
      method: fc.oneof(fc.constant(route.method), nameOf(...methods)),
      place: nameOf('id', 'query', 'below', ...Object.keys(headers)),
      filling: fc.nat(),
      id: ids,
      size: fc.constantFrom(1, 2, 16, 100, 101, 1000, 14_000, HEAD, 20_000),
    })
    .map(({ method, place, filling, id, size }) => {
      const among = headers[place] ?? fillings
      const text = among[filling % among.length] ?? 'a'
      return {
        label: `${method} ${route.path} ${id}, ${place} of ${size} times ${JSON.stringify(text)}`,
        make: (token) => {
          const value = filled(text, size)
          const own = place in headers ? [[place, value] as const] : []
          const path = pathTo(route, place === 'id' ? value : id)
          return {
            method,
            target: place === 'query' ? `${path}?${value}` : place === 'below' ? `${path}/${value}` : path,
            headers: [
              ...(place === 'authorization' ? [] : authorised(route, token)),
              ...(route.bodyLimit === undefined || place === 'content-type' ? [] : [json]),
              ...own,
            ],
            ...(route.bodyLimit !== undefined && { body: '{}' }),
            // What is declared never comes: others say how long a server waits for it.
            ...(place === 'content-length' && { hangUpAfter: 2 }),
          }
        },
      }
    })

/** Bodies in pieces, and clients that go away. */
const arrivals = (route: Route): fc.Arbitrary<Attack> =>
  fc
    .record({
      chunk: fc.option(fc.constantFrom(1, 2, 7, 100)),
      bytes: fc.nat(20_000),
      goes: fc.option(fc.nat(20_000)),
      isForm: fc.boolean(),
    })
    .map(({ chunk, bytes, goes, isForm }) => ({
      label: `${route.method} ${route.path}, ${isForm ? 'a form' : 'JSON'} in chunks of ${chunk}, away after ${goes} of ${bytes}`,
      make: (token) => ({
        method: route.method,
        target: pathTo(route, '1'),
        headers: [...authorised(route, token), ['content-type', isForm ? formType : json[1]]],
        body: isForm ? (forms['a large file']?.('name', 'image', bytes) ?? '') : `"${filled('a', bytes)}"`,
        ...(chunk !== null && { chunk }),
        ...(goes !== null && { hangUpAfter: goes }),
      }),
    }))

interface Parameters {
  readonly get?: {
    readonly parameters?: readonly {
      readonly name: string
      readonly schema: { readonly items?: { readonly enum?: readonly string[] } }
    }[]
  }
}

/** The fields of a list, as the document names them. */
const fieldsOf = ({ document }: Pick<Target, 'document'>, route: Route): readonly string[] => {
  const item = document.paths[route.path.replace(/^\/api/, '')] as Parameters | undefined
  return item?.get?.parameters?.find(({ name }) => name === 'fields')?.schema.items?.enum ?? []
}

const filesOf = (example: unknown): readonly string[] =>
  Object.keys(Object(example)).filter((name) => ['image', 'picture', 'manual'].includes(name))

/** Requests to every route that an application has, on the day that it has it. */
export const attacksOn = (target: Pick<Target, 'routes' | 'document'>): fc.Arbitrary<Attack> =>
  fc.oneof(
    ...target.routes.flatMap((route) => {
      const names = fieldsOf(target, route)
      return [
        { weight: 1, arbitrary: heads(route) },
        ...(route.bodyLimit === undefined
          ? []
          : [
              { weight: 3, arbitrary: bodies(route, route.bodyLimit) },
              { weight: 1, arbitrary: arrivals(route) },
            ]),
        ...(route.takesForm ? [{ weight: 3, arbitrary: formsTo(route, filesOf(route.example)) }] : []),
        ...(names.length === 0 ? [] : [{ weight: 6, arbitrary: queriesTo(route, names) }]),
      ]
    }),
  )
