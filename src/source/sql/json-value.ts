import type { Condition } from '../../query/ast.ts'
import type { JsonComparison, JsonScalar } from '../../query/json-path.ts'
import type { BoundTable } from './bound-table.ts'
import type { TextColumn } from './dialect.ts'
import { addValue, type Build, type StatementDraft } from './statement.ts'
import { type Sql, sql } from './text.ts'

/** A value inside JSON in SQL. Each part is null if the value is of another type. */
export interface JsonValue {
  readonly text: Required<TextColumn>
  /** Of double precision. */
  readonly number: Sql
  readonly boolean: Sql
}

/** The value at a path. */
export interface JsonAt extends JsonValue {
  /** There is none, or null. */
  readonly isNull: Sql
  /** It is an array, and a condition holds for one of its elements. */
  some(holds: (element: JsonValue) => Sql): Sql
}

/** How a database looks inside JSON. */
export interface JsonDialect {
  /**
   * @param document the column
   * @param path the parameter with a path that starts at `$`, whose keys are quoted
   * @param arrays those with its parts that lead to an array, if `wraps` is set
   */
  at(document: Sql, path: Sql, arrays: readonly Sql[]): JsonAt
  /** The first place leads to a value that is no array, too. */
  readonly wraps?: true
  number(slot: Sql): Sql
  boolean(value: boolean): Sql
}

type JsonNode = Extract<Condition, { readonly path: unknown }>

export const compileJson = (table: BoundTable, condition: JsonNode, draft: StatementDraft): Build => {
  const { field, path, op } = condition
  const { name, place } = table.fieldOf(field)
  const { json } = table.dialect
  const pathTo = (end: number): number => addValue(draft, `$${path.slice(0, end).map(stepText).join('')}`)
  const firsts = path.flatMap((step, at) => (step === 0 && json.wraps === true ? [at] : []))
  draft.key += `${op}${place}:${firsts.length};`
  const pathAt = pathTo(path.length)
  const arraysAt = firsts.map(pathTo)
  const valueAt = (slots: Slots): JsonAt => json.at(name, slots(pathAt), arraysAt.map(slots))
  if (condition.op === 'json-null') return (slots) => valueAt(slots).isNull
  const build = compileComparison(table, condition, draft)
  return (slots) => build(valueAt(slots), slots)
}

type Slots = Parameters<Build>[0]

const stepText = (step: string | number): string => (typeof step === 'number' ? `[${step}]` : `."${step}"`)

type Comparing = (at: JsonAt, slots: Slots) => Sql

const signs: Readonly<Record<Exclude<JsonComparison, 'matches'>, Sql>> = {
  ...{ eq: sql`=`, lt: sql`<`, le: sql`<=`, gt: sql`>`, ge: sql`>=` },
}

const compileComparison = (
  { dialect }: BoundTable,
  { is, value }: { readonly is: JsonComparison; readonly value: JsonScalar },
  draft: StatementDraft,
): Comparing => {
  draft.key += `${is}${typeof value === 'boolean' ? value : typeof value};`
  const sign = is === 'matches' ? signs.eq : signs[is]
  const compared = comparing(dialect.json, value, sign, draft)
  if (is !== 'matches') return compared
  const containing = typeof value === 'string' ? dialect.text.contains(value) : undefined
  draft.key += `${containing?.way};`
  const places = containing?.parameters.map((parameter) => addValue(draft, parameter)) ?? []
  return (at, slots) => {
    const own = containing?.sql(at.text, places.map(slots)) ?? compared(at, slots)
    return sql`(${own} or ${at.some((element) => compared(element, slots))})`
  }
}

const comparing = (
  json: JsonDialect,
  value: JsonScalar,
  sign: Sql,
  draft: StatementDraft,
): ((at: JsonValue, slots: Slots) => Sql) => {
  if (typeof value === 'boolean') return ({ boolean }) => sql`${boolean} ${sign} ${json.boolean(value)}`
  const place = addValue(draft, value)
  return typeof value === 'number'
    ? ({ number }, slots) => sql`${number} ${sign} ${json.number(slots(place))}`
    : ({ text }, slots) => sql`${text.exact} ${sign} ${slots(place)}`
}
