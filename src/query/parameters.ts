import type { ProblemCode } from '../error/codes.ts'
import { type HttpError, type Issue, problem, shortened } from '../error/errors.ts'
import type { Deletion, Model } from '../model/model.ts'
import type { PaginationType } from '../model/pagination.ts'
import { type ListRules, showsCount } from './settings.ts'

/** Conditions as the client sent them: several in a `q`, joined by `&`, or one as a separate segment. */
interface SentFilter {
  /** The parameter that an error names: `q`, or the name at the start of the segment. */
  readonly parameter: string
  readonly text: string
  readonly isQ: boolean
}

export interface Parameters {
  readonly filters: readonly SentFilter[]
  readonly values: ReadonlyMap<string, readonly string[]>
  /** The parameters that could be meant by an unknown name. */
  readonly names: readonly string[]
  /** Stands between two of them: `;` in the options of `include`. */
  readonly separator: '&' | ';'
}

const inEveryList: readonly string[] = ['q', 'search', 'sort', 'order', 'fields', 'include', 'count']

export const parameterNames: Readonly<Record<PaginationType, readonly string[]>> = {
  'limit-offset': [...inEveryList, 'limit', 'offset'],
  'page-number': [...inEveryList, 'page'],
  cursor: [...inEveryList, 'cursor', 'limit'],
}

const ofAnyPaging: ReadonlySet<string> = new Set(Object.values(parameterNames).flat())

const repeatable: ReadonlySet<string> = new Set(['q', 'sort', 'order', 'fields'])

/** Not a field outside of `q`, so that it can become a parameter of lists. */
const reserved: ReadonlySet<string> = new Set(['distinct', 'aggregate'])

/** The parameters of an endpoint. */
export interface KnownParameters {
  readonly names: readonly string[]
  /** Completes "is not a parameter of". */
  readonly of: string
}

/** In lists and single records of a model with soft deletion. */
const DELETED = 'deleted'

const ofDeletion = ({ softDelete }: Model): readonly string[] => (softDelete === undefined ? [] : [DELETED])

export const detailParameterNames = (model: Model): readonly string[] => [
  ...(model.detailFields === true ? ['fields'] : []),
  ...['include', ...ofDeletion(model)],
]

/** @throws HttpError 400 for an unknown value */
export const readDeleted = (parameters: Parameters): { readonly deleted?: Deletion } => {
  const deleted = oneOf(parameters, DELETED, ['only', 'with'])
  return deleted === undefined ? {} : { deleted }
}

export const listParameterNames = (rules: ListRules): KnownParameters => {
  const { paging, model } = rules
  const names = paging.flatMap((type) => namesOfType(rules, type))
  return {
    names: [...new Set(names), ...ofDeletion(model)],
    of: `${paging.join(' and ')} pagination`,
  }
}

const namesOfType = (rules: ListRules, type: PaginationType): readonly string[] =>
  showsCount(rules, type) ? parameterNames[type] : parameterNames[type].filter((name) => name !== 'count')

/** The parameters that choose between the types of pages of a list. `limit` belongs to several. */
const choosing: ReadonlyMap<string, PaginationType> = new Map([
  ['offset', 'limit-offset'],
  ['page', 'page-number'],
  ['cursor', 'cursor'],
])

/** The type of page that a request chooses. @throws HttpError 400 for a parameter of another type */
export const readPagination = ({ values }: Parameters, rules: ListRules): PaginationType => {
  const [usual, ...others] = rules.paging
  if (others.length === 0) return usual
  const chosen = [...values.keys()].find((name) => choosing.has(name))
  const type = choosing.get(chosen ?? '') ?? usual
  const wrong = [...values.keys()].find(
    (name) => ofAnyPaging.has(name) && !namesOfType(rules, type).includes(name),
  )
  if (wrong === undefined) return type
  const why = chosen === undefined ? 'the default' : `which ${chosen} selects`
  const allowed = parameterNames[type].filter((name) => !inEveryList.includes(name))
  throw refuse(
    'unknown_parameter',
    wrong,
    `${wrong} is not a parameter of ${type} pagination, ${why}. Allowed for pages: ${allowed.join(', ')}.`,
  )
}

/** Names that have a meaning of their own in the query string of a list, now or later. */
export const reservedParameters: ReadonlySet<string> = new Set([...ofAnyPaging, ...reserved])

/** A segment that is not a parameter is one condition. @throws HttpError 400 */
export const readQueryParameters = (rawQuery: string, known: KnownParameters): Parameters => {
  const filters: SentFilter[] = []
  const values = new Map<string, string[]>()
  const segments = rawQuery.split('&').filter((segment) => segment !== '')
  for (const text of segments.map(decode)) {
    const { name, value } = splitSegment(text)
    if (!known.names.includes(name)) {
      assertCondition(name, known)
      filters.push({ parameter: name === '' ? 'q' : name, text, isQ: false })
    } else if (value === undefined) {
      throw refuse(
        'unknown_parameter',
        name,
        `${shown(text)} is not a condition, because ${name} is a parameter. Use ${name}=…, or filter by a field with that name in q.`,
      )
    } else if (name === 'q') filters.push({ parameter: 'q', text: value, isQ: true })
    else addParameter(values, name, value)
  }
  return { filters, values, names: known.names, separator: '&' }
}

/** @throws HttpError 400 for a value too many */
export const addParameter = (values: Map<string, string[]>, name: string, value: string): void => {
  const given = values.get(name)
  if (given === undefined) values.set(name, [value])
  else if (repeatable.has(name)) given.push(value)
  else throw refuse('malformed_query', name, `${name} is repeated. Send it once.`)
}

const assertCondition = (name: string, { names, of }: KnownParameters): void => {
  const why = ofAnyPaging.has(name)
    ? `${name} is not a parameter of ${of}.`
    : reserved.has(name)
      ? `${name} is reserved.`
      : undefined
  if (why === undefined) return
  const remedy = names.includes('q') ? ' To filter by a field with that name, use q.' : ''
  throw refuse('unknown_parameter', name, `${why} Allowed: ${names.join(', ')}.${remedy}`)
}

const endOfName = /[~^](?==)|[=!<>(]/

/** A name without an operator has the empty value; with an operator other than `=`, the value is undefined. */
const splitSegment = (text: string): { readonly name: string; readonly value: string | undefined } => {
  const at = text.search(endOfName)
  if (at === -1) return { name: text, value: '' }
  return { name: text.slice(0, at), value: text[at] === '=' ? text.slice(at + 1) : undefined }
}

/** `T23:59:59.123+`, with or without percent-encoded colons. */
const plusOfOffset = /(T\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d{1,9})?)?)\+(?=\d\d)/gi

/** `+` means a space, except before the UTC offset of a date-time. */
const decode = (raw: string): string => {
  const spaced = raw.includes('+') ? raw.replace(plusOfOffset, '$1%2B').replaceAll('+', ' ') : raw
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    const name = splitSegment(raw).name || 'q'
    throw refuse(
      'malformed_query',
      name,
      `${shown(name)} contains a % that does not encode a UTF-8 character. Write % as %25.`,
    )
  }
}

/** @throws HttpError 400 */
export const wholeNumber = (
  { values }: Parameters,
  name: string,
  least: number,
  most: number,
): number | undefined => {
  const text = values.get(name)?.[0]
  if (text === undefined) return undefined
  const isNumber = /^-?\d+$/.test(text)
  const value = isNumber ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw refuse(
    'invalid_value',
    name,
    `${name} must be an integer from ${least} to ${most}, not ${shown(text)}.`,
    isNumber ? 'out_of_range' : 'invalid_format',
  )
}

/** @throws HttpError 400 */
export const oneOf = <Value extends string>(
  { values }: Parameters,
  name: string,
  allowed: readonly Value[],
): Value | undefined => {
  const text = values.get(name)?.[0]
  const value = allowed.find((known) => known === text)
  if (text === undefined || value !== undefined) return value
  throw refuse(
    'invalid_value',
    name,
    `${name} must be one of ${allowed.join(', ')}, not ${shown(text)}.`,
    'not_in_enum',
  )
}

/** The client's text for an error. Quotes around everything but plain names make white space visible. */
export const shown = (text: string): string =>
  /^\w{1,60}$/.test(text) ? text : JSON.stringify(shortened(text))

/** @param issue a more specific code for the entry in `errors`. @default `code` */
export const refuse = (
  code: ProblemCode,
  parameter: string,
  detail: string,
  issue: Issue['code'] = code,
): HttpError => problem(code, detail, { errors: [{ parameter: shortened(parameter), code: issue, detail }] })
