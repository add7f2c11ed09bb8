import { kinds } from './kinds/index.ts'
import { fieldOf, type Model } from './model.ts'
import { ownValue, type Values } from './objects.ts'

/** The key of a record as in its URL: `7`, for a composite key `7,2`. */
export const writeKey = (model: Model, row: Values): string => {
  const [only = '', another] = model.primaryKey
  if (another === undefined) return writePart(model, row, only)
  return model.primaryKey.map((name) => writePart(model, row, name)).join(',')
}

const writePart = (model: Model, row: Values, name: string): string => {
  const field = fieldOf(model, name)
  const value = kinds[field.kind].write(ownValue(row, name), field)
  return Number.isSafeInteger(value) ? String(value) : encodeURIComponent(String(value))
}
