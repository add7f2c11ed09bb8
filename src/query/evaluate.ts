import { byBytes } from '../model/codec.ts'
import { kinds } from '../model/kinds/index.ts'
import { type Field, fieldOf, type Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { type TextComparison, textComparisons } from '../model/text-comparisons.ts'
import { type Comparison, type Condition, everything, isTextComparison, type Order } from './ast.ts'
import { jsonAt, jsonHolds } from './json-path.ts'
import { assertDefined } from './normal-form.ts'

type Row = Readonly<Record<string, unknown>>

/** How a condition is evaluated without a database. */
export interface Evaluation {
  readonly model: Model
  /** `contains` and `equals-ignoring-case` ignore the case of all Unicode characters, not only of ASCII. @default false */
  readonly unicodeCaseFolding?: boolean
  /** The records at the other end of a relation. @default relations have no records */
  readonly related?: (row: Row, relation: string) => readonly RelatedRow[]
}

/** A related record, and how conditions on it are evaluated. */
export interface RelatedRow {
  readonly row: Row
  readonly by: Evaluation
  /** The record of the join table by which it was found. */
  readonly link?: { readonly row: Row; readonly by: Evaluation }
}

/**
 * Whether a record meets a condition. For sources without a query language, and for tests.
 *
 * @throws Error for a value that is undefined, or not of the kind of its field
 */
export const holds = (condition: Condition, row: Row, by: Evaluation): boolean => {
  switch (condition.op) {
    case 'and':
      return condition.conditions.every((inner) => holds(inner, row, by))
    case 'or':
      return condition.conditions.some((inner) => holds(inner, row, by))
    case 'not':
      return !holds(condition.condition, row, by)
    case 'tie': {
      const { field, value } = condition
      return holds({ op: 'eq', field, value }, row, by) && holds(condition.condition, row, by)
    }
    case 'related':
      return by.related?.(row, condition.relation).some((found) => isMet(condition, found)) ?? false
    case 'is-null':
      return storedIn(row, condition.field) === null
    case 'is-not-null':
      return storedIn(row, condition.field) !== null
    case 'json-null':
      return jsonAt(storedIn(row, condition.field), condition.path) === null
    case 'json': {
      const { field, path, is, value } = condition
      const contains = (text: string, part: string) => comparesText('contains', text, part, by)
      return jsonHolds(jsonAt(storedIn(row, field), path), is, value, contains)
    }
    case 'has-element': {
      const { field, value } = condition
      assertDefined(field, value)
      const { element } = fieldOf(by.model, field)
      const stored = storedIn(row, field)
      return Array.isArray(stored) && stored.some((each) => isElement(each, value, element))
    }
    case 'in':
      return condition.values.some((value) => holds({ op: 'eq', field: condition.field, value }, row, by))
    case 'ne':
      return !holds({ ...condition, op: 'eq' }, row, by)
    default: {
      const { op, field, value } = condition
      assertDefined(field, value)
      const stored = storedIn(row, field)
      if (stored === null || value === null) return false
      if (isTextComparison(op)) return comparesText(op, String(stored), String(value), by)
      return compares[op](stored, value, fieldOf(by.model, field))
    }
  }
}

type Related = Extract<Condition, { readonly op: 'related' }>

const isMet = ({ condition, link: onLink = everything }: Related, { row, by, link }: RelatedRow): boolean =>
  holds(condition, row, by) &&
  (onLink === everything || (link !== undefined && holds(onLink, link.row, link.by)))

/** Records without a database may omit nulls. */
const storedIn = (row: Row, field: string): unknown => ownValue(row, field) ?? null

const isElement = (stored: unknown, value: unknown, element: Field['element']): boolean =>
  stored !== null && value !== null && element !== undefined && compareValues(stored, value, element) === 0

type Compare = (stored: unknown, value: unknown, field: Field) => boolean

const compares: Readonly<Record<Exclude<Comparison, 'ne' | TextComparison>, Compare>> = {
  eq: (stored, value, field) => compareValues(stored, value, field) === 0,
  lt: (stored, value, field) => compareValues(stored, value, field) < 0,
  le: (stored, value, field) => compareValues(stored, value, field) <= 0,
  gt: (stored, value, field) => compareValues(stored, value, field) > 0,
  ge: (stored, value, field) => compareValues(stored, value, field) >= 0,
}

const comparesText = (op: TextComparison, stored: string, value: string, by: Evaluation): boolean => {
  const { ignoresCase, holds } = textComparisons[op]
  if (!ignoresCase) return holds(stored, value)
  const fold = by.unicodeCaseFolding === true ? foldAll : foldAscii
  return holds(fold(stored), fold(value))
}

const foldAll = (text: string): string => text.toLowerCase()
const foldAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The value of a sort key. Null if a relation that leads to it has no record, or only one that its guard excludes. */
export const sortValueOf = ({ field, via = [] }: Order, row: Row, by: Evaluation): unknown =>
  sortedIn({ field, via }, row, by)?.value ?? null

interface Sorted {
  readonly value: unknown
  readonly field: Field
}

const sortedIn = (
  { field, via }: Required<Pick<Order, 'field' | 'via'>>,
  row: Row,
  by: Evaluation,
): Sorted | undefined => {
  const [hop, ...rest] = via
  if (hop === undefined) {
    const value = storedIn(row, field)
    return value === null ? undefined : { value, field: fieldOf(by.model, field) }
  }
  const { relation, guard = everything } = hop
  const found = by.related?.(row, relation).find((each) => holds(guard, each.row, each.by))
  return found && sortedIn({ field, via: rest }, found.row, found.by)
}

/** Compares two records by sort keys, for `Array.sort`. Nulls are the largest value. */
export const compareRows =
  (order: readonly Order[], by: Evaluation) =>
  (left: Row, right: Row): number => {
    for (const { field, direction, via = [] } of order) {
      const [a, b] = [sortedIn({ field, via }, left, by), sortedIn({ field, via }, right, by)]
      const compared =
        a === undefined || b === undefined
          ? Number(a === undefined) - Number(b === undefined)
          : compareValues(a.value, b.value, a.field)
      if (compared !== 0) return direction === 'asc' ? compared : -compared
    }
    return 0
  }

/**
 * Compares two values of a field that are not null: below zero, zero or above. Decimals and bigints are compared by value,
 * times by their instant with all digits, strings by their bytes, and JSON by its text.
 *
 * @throws Error for a value that is not of the kind
 */
export const compareValues = (left: unknown, right: unknown, { kind }: Pick<Field, 'kind'>): number => {
  const { compare } = kinds[kind]
  return compare === undefined ? byBytes(jsonOf(left), jsonOf(right)) : compare(left, right)
}

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_name, inner) => (typeof inner === 'bigint' ? String(inner) : inner))
