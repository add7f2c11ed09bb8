import { kinds } from '../../model/kinds/index.ts'
import type { Condition } from '../../query/ast.ts'
import type { BoundTable } from './bound-table.ts'
import { addValue, type Build, type StatementDraft } from './statement.ts'
import { sql } from './text.ts'

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

/** An element of an array of PostgreSQL. */
export const compileElement = (
  table: BoundTable,
  { field, value }: Extract<Condition, { readonly op: 'has-element' }>,
  draft: StatementDraft,
): Build => {
  const bound = table.fieldOf(field)
  const { kind = 'text' } = bound.field.element ?? {}
  draft.key += `has${bound.place};`
  const array = addValue(draft, bound.encode([value]))
  const isText = kinds[kind].textual
  const element = isText ? addValue(draft, value) : array
  return (slots) => {
    // An index finds it by the collation of the column.
    const found = sql`${bound.name} @> ${bound.written(slots(array))}`
    return isText ? sql`(${found} and ${slots(element)} collate "C" = any (${bound.name}::text[]))` : found
  }
}
