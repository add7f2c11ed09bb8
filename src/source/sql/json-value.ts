import type { Condition } from '../../query/ast.ts'
import type { JsonComparison, JsonScalar, JsonStep } from '../../query/json-path.ts'
import type { BoundTable } from './bound-table.ts'
import type { TextColumn, TextTest } from './dialect.ts'
import { addValue, type Build, type StatementDraft } from './statement.ts'
import { type Sql, sql } from './text.ts'

/** How a database looks inside JSON. */
export interface JsonDialect {
  test(path: readonly JsonStep[], is: JsonComparison, value: JsonScalar): JsonTest
  /** There is no value at the path, or null. */
  isNull(path: readonly JsonStep[]): JsonTest
}

export interface JsonTest {
  /** A name, for statement keys, that identifies the SQL. */
  readonly way: string
  readonly parameters: readonly unknown[]
  /** @param document the column @param slots those of the parameters, in the same order */
  sql(document: Sql, slots: readonly Sql[]): Sql
}

export const compileJson = (
  table: BoundTable,
  condition: Extract<Condition, { readonly path: unknown }>,
  draft: StatementDraft,
): Build => {
  const { field, path, op } = condition
  const { name, place } = table.fieldOf(field)
  const { json } = table.dialect
  const {
    way,
    parameters,
    sql: test,
  } = condition.op === 'json' ? json.test(path, condition.is, condition.value) : json.isNull(path)
  draft.key += `${op}-${way}${place};`
  const places = parameters.map((parameter) => addValue(draft, parameter))
  return (slots) => test(name, places.map(slots))
}

/** A path of SQL whose keys are quoted. They contain neither quotes nor backslashes. */
export const pathText = (path: readonly JsonStep[]): string =>
  `$${path.map((step) => (typeof step === 'number' ? `[${step}]` : `."${step}"`)).join('')}`

export const jsonSigns: Readonly<Record<JsonComparison, Sql>> = {
  ...{ eq: sql`=`, matches: sql`=`, lt: sql`<`, le: sql`<=`, gt: sql`>`, ge: sql`>=` },
}

/** A value inside JSON in SQL. Each part is null if the value is of another type. */
export interface JsonValue {
  readonly text: Required<TextColumn>
  /** Of double precision. */
  readonly number: Sql
  /** Its name: `true` or `false`. */
  readonly boolean: Sql
}

/** The value at a path. */
export interface JsonAt extends JsonValue {
  readonly isNull: Sql
  /** It is an array, and a condition holds for one of its elements. */
  some(holds: (element: JsonValue) => Sql): Sql
}

/** A database whose functions tell the type of a value, and the value. */
interface ValueParts {
  /** The parameters that lead to the value. */
  pathsOf(path: readonly JsonStep[]): readonly string[]
  at(document: Sql, paths: readonly Sql[]): JsonAt
  number(slot: Sql): Sql
  readonly contains: (value: string) => TextTest
}

export const jsonByValues = ({ pathsOf, at, number, contains }: ValueParts): JsonDialect => ({
  isNull: (path) => {
    const paths = pathsOf(path)
    return {
      way: String(paths.length),
      parameters: paths,
      sql: (document, slots) => at(document, slots).isNull,
    }
  },
  test: (path, is, value) => {
    const paths = pathsOf(path)
    const first = paths.length
    const compared = ({ text, number: found, boolean }: JsonValue, slot: Sql = sql``): Sql => {
      if (typeof value === 'boolean') return sql`${boolean} ${jsonSigns[is]} ${slot}`
      return typeof value === 'number'
        ? sql`${found} ${jsonSigns[is]} ${number(slot)}`
        : sql`${text.exact} ${jsonSigns[is]} ${slot}`
    }
    const containing = is === 'matches' && typeof value === 'string' ? contains(value) : undefined
    const own = typeof value === 'boolean' ? String(value) : value
    return {
      way: `${is}${typeof value}${first}${containing?.way ?? ''}`,
      parameters: [...paths, own, ...(containing?.parameters ?? [])],
      sql: (document, slots) => {
        const found = at(document, slots.slice(0, first))
        const slot = slots[first]
        if (is !== 'matches') return compared(found, slot)
        const alone = containing?.sql(found.text, slots.slice(first + 1)) ?? compared(found, slot)
        return sql`(${alone} or ${found.some((element) => compared(element, slot))})`
      },
    }
  },
})
