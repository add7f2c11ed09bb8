import { type Steps, wait } from '../../operation/steps.ts'
import type { Condition } from '../../query/ast.ts'
import type { RecordStore, Row } from '../../source/source.ts'
import type { Resource } from '../resource.ts'
import { among, keyIn } from '../together/current.ts'
import { recordsOf } from './records.ts'

/** Conditions on more keys would be too deep or too long for some databases. */
export const MOST_KEYS = { one: 500, several: 250 } as const

/** The keys in parts, each of which fits into one condition. */
export const partsOf = <T>({ model }: Resource, all: readonly T[]): readonly (readonly T[])[] => {
  const most = model.primaryKey.length === 1 ? MOST_KEYS.one : MOST_KEYS.several
  return Array.from({ length: Math.ceil(all.length / most) }, (_, at) =>
    all.slice(at * most, (at + 1) * most),
  )
}

/** Whether all of the records are within the scope. */
export function* areStoredInScope(
  resource: Resource,
  rows: readonly Row[],
  guard: Condition,
  store: RecordStore,
): Steps<boolean> {
  const records = recordsOf(resource)
  for (const part of partsOf(resource, rows)) {
    const keys = part.map((row) => keyIn(records, row))
    if ((yield* wait(store.count(among(records, keys), guard))) !== part.length) return false
  }
  return true
}
