import type { JsonComparison, JsonStep } from '../../query/json-path.ts'
import type { JsonDialect, TextColumn, TextTest } from './dialect.ts'
import { type Sql, sql } from './text.ts'

/** A path of SQL whose keys are quoted. They contain neither quotes nor backslashes. */
export const pathText = (path: readonly JsonStep[]): string =>
  `$${path.map((step) => (typeof step === 'number' ? `[${step}]` : `."${step}"`)).join('')}`

const jsonSigns: Readonly<Record<JsonComparison, Sql>> = {
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
  test: (path, op, value) => {
    const paths = pathsOf(path)
    const first = paths.length
    const compared = ({ text, number: found, boolean }: JsonValue, slot: Sql = sql``): Sql => {
      if (typeof value === 'boolean') return sql`${boolean} ${jsonSigns[op]} ${slot}`
      return typeof value === 'number'
        ? sql`${found} ${jsonSigns[op]} ${number(slot)}`
        : sql`${text.exact} ${jsonSigns[op]} ${slot}`
    }
    const containing = op === 'matches' && typeof value === 'string' ? contains(value) : undefined
    const own = typeof value === 'boolean' ? String(value) : value
    return {
      way: `${op}${typeof value}${first}${containing?.way ?? ''}`,
      parameters: [...paths, own, ...(containing?.parameters ?? [])],
      sql: (document, slots) => {
        const found = at(document, slots.slice(0, first))
        const slot = slots.at(first)
        if (op !== 'matches') return compared(found, slot)
        const alone = containing?.sql(found.text, slots.slice(first + 1)) ?? compared(found, slot)
        return sql`(${alone} or ${found.some((element) => compared(element, slot))})`
      },
    }
  },
})
