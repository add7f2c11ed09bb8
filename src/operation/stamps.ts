import { problem } from '../error/errors.ts'
import { kinds, timeIn } from '../model/kinds/index.ts'
import type { Field, Model, Stamp } from '../model/model.ts'
import type { Row } from '../source/source.ts'
import type { Call } from './call.ts'

/**
 * The values of a write, with the fields that `modelConfig.X.stamps` fills. An update without values stays without.
 *
 * @throws HttpError 401 if a field cannot be null, and the caller is anonymous
 */
export const withStamps = (
  { stamps = [] }: Pick<Model, 'stamps'>,
  by: Pick<Call, 'caller'>,
  event: 'create' | 'update',
  values: Row,
): Row => {
  const isCreate = event === 'create'
  if (!isCreate && Object.values(values).every((value) => value === undefined)) return values
  const filled = stamps.filter(({ onCreate }) => isCreate || !onCreate)
  return { ...values, ...Object.fromEntries(filled.map((stamp) => [stamp.field.name, stampOf(stamp, by)])) }
}

const stampOf = ({ field, of }: Stamp, { caller }: Pick<Call, 'caller'>): unknown => {
  if (of === 'now') return timeIn(field, Date.now())
  if (caller !== undefined) return callerIn(field, String(caller.id))
  if (field.nullable) return null
  throw problem('unauthenticated', `Authenticate: ${field.name} names the caller of this request.`)
}

const callerIn = (field: Field, id: string): unknown => {
  const reading = kinds[field.kind].readText(id, field)
  if (reading.ok) return reading.value
  throw new Error(
    `${field.name} cannot hold the id of the caller. It should have the type of the key of users.`,
  )
}
