import { onlyValues } from '../controller/scope.ts'
import { kinds } from '../model/kinds.ts'
import { fieldOf, isWritable, type Model } from '../model/model.ts'
import { ownValue } from '../model/own-value.ts'
import type { Condition } from '../query/ast.ts'
import type { Row } from '../source/source.ts'

/** A body with those of its absent fields that can have one value alone in the caller's scope. */
export const filledBody = (model: Model, body: unknown, guard: Condition): unknown => {
  const only = onlyValues(guard)
  if (only.size === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const absent = [...only]
    .map(([name, value]) => ({ field: fieldOf(model, name), value }))
    .filter(({ field }) => isWritable(field) && !Object.hasOwn(body, field.name))
  if (absent.length === 0) return body
  const written = absent.map(({ field, value }) => [
    field.name,
    value === null ? null : kinds[field.kind].write(value, field),
  ])
  return { ...body, ...Object.fromEntries(written) }
}

/** The values of a new record with those that its scope alone knows: of fields that no client may write. */
export const filledValues = (values: Row, guard: Condition): Row => {
  const absent = [...onlyValues(guard)].filter(([name]) => ownValue(values, name) === undefined)
  return absent.length === 0 ? values : { ...values, ...Object.fromEntries(absent) }
}
