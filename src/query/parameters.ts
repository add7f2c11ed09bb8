import type { PaginationType } from './pagination.ts'
import { refuse } from './refuse.ts'
import { decodedSegments } from './segments.ts'

/** A condition as it was sent: inside `q`, where `&` joins several, or as a segment of its own. */
export interface SentCondition {
  /** What an error names: `q`, or the name that the segment starts with. */
  readonly parameter: string
  readonly text: string
  readonly isList: boolean
}

/** A query string taken apart: what was sent for each parameter, in order. */
export interface Parameters {
  readonly conditions: readonly SentCondition[]
  /** The only value of a parameter. @throws HttpError 400 where it was given twice */
  one(name: string): string | undefined
  all(name: string): readonly string[]
}

const always = ['q', 'sort', 'order', 'count']
const byPaging: Readonly<Record<PaginationType, readonly string[]>> = {
  'limit-offset': ['limit', 'offset'],
  'page-number': ['page'],
}
const repeatable: ReadonlySet<string> = new Set(['q', 'sort', 'order'])

/** Kept free, so that they can get a meaning later without changing anyone's. */
const reserved: ReadonlySet<string> = new Set([
  ...['fields', 'search', 'cursor', 'include', 'distinct', 'aggregate'],
  ...Object.values(byPaging).flat(),
])

/**
 * Takes a query string apart. A segment that is no parameter is a condition.
 *
 * @throws HttpError 400 for a parameter that is reserved, of the other paging mode, or given twice
 */
export const readParameters = (rawQuery: string, paging: PaginationType): Parameters => {
  const known = [...always, ...byPaging[paging]]
  const values = new Map<string, string[]>()
  const conditions: SentCondition[] = []
  for (const segment of decodedSegments(rawQuery)) {
    const name = /^[^=!<>(]*/.exec(segment)?.[0] ?? ''
    const value = segment.startsWith('=', name.length) ? segment.slice(name.length + 1) : undefined
    if (!known.includes(name) || value === undefined) {
      assertFree(name, known)
      conditions.push({ parameter: name === '' ? 'q' : name, text: segment, isList: false })
    } else if (name === 'q') conditions.push({ parameter: 'q', text: value, isList: true })
    else add(values, name, value)
  }
  return {
    conditions: conditions.filter(({ text }) => text !== ''),
    one: (name) => values.get(name)?.[0],
    all: (name) => values.get(name) ?? [],
  }
}

const add = (values: Map<string, string[]>, name: string, value: string): void => {
  const given = values.get(name) ?? []
  if (given.length > 0 && !repeatable.has(name)) {
    throw refuse('malformed_query', name, `${name} is given twice. Give it once.`)
  }
  values.set(name, [...given, value])
}

const assertFree = (name: string, known: readonly string[]): void => {
  if (known.includes(name)) {
    throw refuse(
      'unknown_parameter',
      name,
      `${name} is a parameter: write ${name}=…. A field of that name is reached inside q.`,
    )
  }
  if (reserved.has(name)) {
    throw refuse(
      'unknown_parameter',
      name,
      `${name} is reserved and has no meaning here. Parameters: ${known.join(', ')}. A field of that name is reached inside q.`,
    )
  }
  if (name.includes('.')) {
    throw refuse('unknown_parameter', name, `Names with a dot are reserved. Parameters: ${known.join(', ')}.`)
  }
}
