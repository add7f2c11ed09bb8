import type { Model } from '../model/model.ts'
import { ownValue, type Values } from '../model/objects.ts'
import type { Row } from '../source/source.ts'

/** The same for records with equal keys. */
export const keyText = ({ primaryKey }: Model, record: object): string =>
  JSON.stringify(primaryKey.map((name) => String(ownValue(record as Values, name))))

/**
 * The row that each result of a hook belongs to: by their keys, or by their places if keys are missing and there are as many.
 * -1: none. Rows may have the same key, because a record may belong to several others.
 */
export const placesOf = (model: Model, rows: readonly Row[], shown: readonly object[]): readonly number[] => {
  const places = Map.groupBy(rows.keys(), (at) => keyText(model, rows[at] as Row))
  const used = new Map<string, number>()
  const found = shown.map((record) => {
    const key = keyText(model, record)
    const at = used.get(key) ?? 0
    used.set(key, at + 1)
    const known = places.get(key)
    return known?.[at] ?? known?.at(-1) ?? -1
  })
  const isByPlace = shown.length === rows.length && found.includes(-1)
  return isByPlace ? rows.map((_, at) => at) : found
}
