import { onceFor, ownValue } from '../../model/objects.ts'
import type { RecordStore, Row } from '../source.ts'
import { decoded, sizeOf } from '../sql/selects.ts'
import type { Delegate } from './client.ts'
import { sortOf, type Translation, whereOf } from './conditions.ts'
import type { PrismaMapped } from './describe.ts'

/** How statements select and read records. */
export interface Shape {
  readonly select: Readonly<Record<string, true>>
  read(row: Row): Row
}

/** Of these fields, in the order of the model. Made once for a statement: lists have many records. */
const shapeOf = (mapped: PrismaMapped, isRead: (name: string) => boolean): Shape => {
  const { name: model, fields, primaryKey } = mapped.model
  const names = fields.map(({ name }) => name).filter(isRead)
  const select = Object.fromEntries(names.map((name) => [name, true as const]))
  const converted = names.map((name) => mapped.fieldOf(name)).filter(({ isAsIs }) => !isAsIs)
  if (converted.length === 0) return { select, read: (row) => row }
  return {
    select,
    read: (row) => {
      const nameOf = (): string => `${model} ${primaryKey.map((name) => ownValue(row, name))}`
      const record = { ...row }
      for (const bound of converted)
        Reflect.set(record, bound.field.name, decoded(bound, ownValue(row, bound.field.name), nameOf))
      return record
    },
  }
}

export const wholeOf: (mapped: PrismaMapped) => Shape = onceFor((mapped) => shapeOf(mapped, () => true))

export const readsOf = (
  by: Translation,
  delegate: Delegate,
  mapped: PrismaMapped,
): Pick<RecordStore, 'list' | 'count'> => ({
  list: async ({ filter, order, limit, offset, fields }, guard, admits) => {
    if (limit === 0) return []
    for (const name of fields ?? []) mapped.fieldOf(name)
    const { select, read } = fields ? shapeOf(mapped, (name) => fields.includes(name)) : wholeOf(mapped)
    const rows = await delegate.findMany({
      where: whereOf(by, mapped, filter, guard),
      orderBy: order.map(({ field, direction }) => ({ [field]: sortOf(mapped, field, direction) })),
      ...(offset > 0 && { skip: offset }),
      ...{ take: limit, select },
    })
    return admits?.(rows.map(sizeOf)) === false ? [] : rows.map(read)
  },
  count: (filter, guard, atMost) => {
    if (atMost === 0) return 0
    const where = whereOf(by, mapped, filter, guard)
    return delegate.count({ where, ...(atMost !== undefined && { take: atMost }) })
  },
})
