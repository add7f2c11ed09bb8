import { isProblemCode } from '../error/codes.ts'
import { HttpError, suggest } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import { both, type Condition, everything, type Include } from './ast.ts'
import { queryFields, readFields } from './fields.ts'
import { readConditionsOf } from './grammar.ts'
import { relationOf } from './order.ts'
import { addParameter, oneOf, type Parameters, refuse, shown, wholeNumber } from './parameters.ts'
import { type QueryPlace, rootPlace, unknownName } from './places.ts'
import { readWritten, Scanner } from './scanner.ts'
import type { ListRules, UsableRelation } from './settings.ts'
import { readSort } from './sort.ts'
import { newTally, optionalUses, type QueryTally, type RelatedModel } from './tally.ts'

/** A relation of `include` while it is read. */
interface IncludeDraft {
  readonly relation: UsableRelation
  /** Where the relation leads to. */
  readonly place: QueryPlace
  options?: Options
  readonly inner: Map<string, IncludeDraft>
}

type Options = Pick<Include, 'selection' | 'fields' | 'count'>

/** The relations that a response includes, and the models that the query string leads to. */
export interface IncludeRequest {
  readonly include: readonly Include[]
  /** Each once for each parameter and path. */
  readonly uses: readonly RelatedModel[]
}

/**
 * Reads `include`. A request without it gets the relations that `modelConfig` chose for the model.
 *
 * @param tally of all other parameters
 * @throws HttpError 400
 */
export const readInclude = ({ values }: Parameters, rules: ListRules, tally: QueryTally): IncludeRequest => {
  const text = values.get('include')?.[0]
  if (text !== undefined) return { include: includesIn(text, rules, tally), uses: tally.uses.all() }
  const include = includesIn(rules.model.include?.join(',') ?? '', rules, newTally())
  return { include, uses: Object.freeze([...tally.uses.all(), ...optionalUses(include, rules)]) }
}

/** The relations in `customer,items(limit=5).product`, as a tree. */
const includesIn = (text: string, rules: ListRules, tally: QueryTally): readonly Include[] => {
  if (text === '') return none
  const drafts = new Map<string, IncludeDraft>()
  const scanner = new Scanner(text)
  const count = counterOf(rules)
  do readPath(scanner, drafts, { place: rootPlace('include', rules, tally), count })
  while (scanner.skip(','))
  if (scanner.isAtEnd()) return finished(drafts)
  throw refuse(
    'malformed_query',
    'include',
    `Unexpected ${shown(scanner.rest())} in include. Separate paths by commas, and options by semicolons.`,
  )
}

const none: readonly Include[] = Object.freeze([])

/** @throws HttpError 400 above the limit */
const counterOf = ({ includeMaxRelations }: ListRules): (() => void) => {
  let relations = 0
  return () => {
    relations += 1
    if (relations <= includeMaxRelations) return
    throw refuse(
      'malformed_query',
      'include',
      `include may have at most ${includeMaxRelations} relations, including those inside others.`,
    )
  }
}

/** `items(limit=5).product`: each relation of a path may have options, but has them only once in the whole `include`. */
const readPath = (
  scanner: Scanner,
  root: Map<string, IncludeDraft>,
  { place: start, count }: { readonly place: QueryPlace; readonly count: () => void },
): void => {
  let [place, drafts] = [start, root]
  do {
    const relation = relationAt(scanner, place)
    place = inside(place, relation)
    const { name } = relation.relation
    const known = drafts.get(name)
    if (known === undefined) count()
    const draft: IncludeDraft = known ?? { relation, place, inner: new Map() }
    drafts.set(name, draft)
    if (scanner.skip('(')) {
      if (draft.options !== undefined) throw repeated(place)
      draft.options = readOptions(scanner, place, relation)
    }
    drafts = draft.inner
  } while (scanner.skip('.'))
}

const relationAt = (scanner: Scanner, place: QueryPlace): UsableRelation => {
  const known = place.rules.relationsOf(place.model)
  const name = scanner.until('.(,')
  const found = known.get(name)
  if (found !== undefined) return found
  const before = place.path.map((step) => `${step}.`).join('')
  const allowed = [...known.keys()].map((other) => before + other)
  throw unknownName(before + name, 'include', 'Unknown relation', allowed, ' in include')
}

const inside = (place: QueryPlace, { relation, target }: UsableRelation): QueryPlace => {
  const { rules, tally } = place
  const path = [...place.path, relation.name]
  if (path.length > rules.includeMaxDepth)
    throw refuse(
      'malformed_query',
      'include',
      `A path in include may have at most ${rules.includeMaxDepth} relations.`,
    )
  tally.uses.add('include', path, place.model, relation)
  return { ...place, model: target, path, rules: { ...rules, model: target } }
}

const repeated = ({ path }: QueryPlace): Error =>
  refuse(
    'malformed_query',
    'include',
    `include has options for ${path.join('.')} twice. Write them once; other paths may go through it without options.`,
  )

/** The options of a relation, by its kind. */
export const allowedOptions = {
  'to-one': ['fields'],
  'to-many': ['q', 'sort', 'order', 'limit', 'fields', 'count'],
} as const

/** `limit=5;sort=price;q=price>10)`. A value in quotes may contain `;` and `)`. */
const readOptions = (scanner: Scanner, place: QueryPlace, relation: UsableRelation): Options => {
  const path = place.path.join('.')
  const known: readonly string[] = allowedOptions[relation.relation.kind]
  const isCounted = place.rules.counted?.related !== false
  const allowed = isCounted ? known : known.filter((name) => name !== 'count')
  const values = new Map<string, string[]>()
  let filter: Condition = everything
  return namingPath(path, () => {
    do {
      const name = scanner.until('=;)')
      if (!allowed.includes(name)) throw unknownOption(name, allowed)
      if (!scanner.skip('='))
        throw refuse('invalid_value', 'include', `The value of ${name} is missing. Write ${name}=….`)
      if (name === 'q') filter = both(filter, readConditionsOf(place, scanner, OPTION_ENDS))
      else
        addParameter(
          values,
          name,
          readWritten(scanner, OPTION_ENDS, { label: name, parameter: 'include' }).text,
        )
    } while (scanner.skip(';'))
    if (!scanner.skip(')'))
      throw refuse('malformed_query', 'include', 'The options are missing their closing parenthesis.')
    return optionsOf({ ...noOptions, values }, filter, place, relation)
  })
}

const OPTION_ENDS = ';)'

const unknownOption = (name: string, allowed: readonly string[]): Error =>
  refuse(
    'unknown_parameter',
    'include',
    `Unknown option ${shown(name)}.${suggest(name.slice(0, 60), allowed)}`,
  )

/** @throws HttpError of `read`, naming `include` and the path */
const namingPath = <T>(path: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof HttpError) || !isProblemCode(error.code)) throw error
    throw refuse(error.code, 'include', `In the options of ${path}: ${error.detail}`, error.errors[0]?.code)
  }
}

/** Without options, those of every relation of its kind. */
const optionsOf = (
  parameters: Parameters,
  filter: Condition,
  place: QueryPlace,
  { relation, target }: UsableRelation,
): Options => {
  const { includePerRecord, includeMaxPerRecord } = place.rules
  const fields = readFields(parameters, place.rules)
  const shown = fields !== undefined && { fields }
  if (relation.kind === 'to-one')
    return {
      selection: { filter, order: queryFields(target).key, limit: 1, offset: 0 },
      ...shown,
      count: 'none',
    }
  const limit = wholeNumber(parameters, 'limit', 0, includeMaxPerRecord)
  const selection = {
    filter,
    order: readSort(parameters, place),
    limit: limit ?? Math.min(includePerRecord, includeMaxPerRecord),
    offset: 0,
  }
  return { selection, ...shown, count: oneOf(parameters, 'count', ['exact', 'none']) ?? 'none' }
}

const noOptions: Parameters = { filters: [], values: new Map(), names: [], separator: ';' }

const finished = (drafts: ReadonlyMap<string, IncludeDraft>): readonly Include[] =>
  Object.freeze(
    [...drafts.values()].map(({ relation, place, options, inner }): Include => {
      const { selection, fields, count } = options ?? optionsOf(noOptions, everything, place, relation)
      const include = finished(inner)
      const read = fields && { fields: withFieldsOf(include, relation.target, fields) }
      return Object.freeze({
        relation: relation.relation.name,
        selection: Object.freeze({ ...selection, ...read }),
        ...(fields && { fields }),
        count,
        include,
      })
    }),
  )

/** The fields to read: those to show, and those by which the related records are found. */
export const withFieldsOf = (
  include: readonly Include[],
  model: Model,
  fields: readonly string[],
): readonly string[] =>
  Object.freeze([
    ...new Set([
      ...fields.filter((name) => queryFields(model).byName.has(name)),
      ...include.flatMap(({ relation }) => relationOf(model, relation).fields),
    ]),
  ])
