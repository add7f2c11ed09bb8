import { pointerTo, problem } from '../error/errors.ts'
import { kinds } from '../model/kinds/index.ts'
import { type Field, fieldOf, type Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import type { Parameter } from '../operation/operation.ts'
import { bodyRefusal } from '../schema/issues.ts'
import type { Row } from '../source/source.ts'

/**
 * Reads the key in a path, in the form of the key's fields. A composite key is `a,b` in key order, each part percent-encoded,
 * so that `a%2Cb,c` is two parts.
 *
 * @throws HttpError 404 where it can be no key of the model: `abc` for an integer.
 */
export const keyReader = (model: Model): ((raw: string) => readonly unknown[]) => {
  const fields = model.primaryKey.map((name) => fieldOf(model, name))
  return (raw) => {
    const parts = fields.length === 1 ? [raw] : raw.split(',')
    if (parts.length !== fields.length) throw noSuchRecord(model)
    return fields.map((field, index) => readPart(model, field, parts[index] ?? ''))
  }
}

const readPart = (model: Model, field: Field, raw: string): unknown => {
  const reading = kinds[field.kind].readText(decoded(model, raw), field)
  if (!reading.ok) throw noSuchRecord(model)
  return reading.value
}

const decoded = (model: Model, raw: string): string => {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    throw noSuchRecord(model)
  }
}

/** The answer for a record that is not there. */
export const noSuchRecord = (model: Model): Error => problem('not_found', `There is no such ${model.name}.`)

/** Bytes of a part of a key in a path. Servers and proxies take no longer URLs than 8 kB or 16 kB. */
const MAX_PART = 4000

/** @throws HttpError 422 for a key that no URL can hold: the record could not be reached any more. */
export const assertReachable = (model: Model, values: Row): void => {
  const [only = '', another] = model.primaryKey
  if (another === undefined && ownValue(values, only) === '')
    throw bodyRefusal([
      {
        pointer: pointerTo([only]),
        code: 'too_short',
        detail: `${only} is a part of the URL of the record, and must not be empty.`,
      },
    ])
  const tooLong = model.primaryKey.filter((name) => {
    const value = ownValue(values, name)
    return (
      typeof value === 'string' && 9 * value.length > MAX_PART && encodeURIComponent(value).length > MAX_PART
    )
  })
  if (tooLong.length === 0) return
  throw bodyRefusal(
    tooLong.map((name) => ({
      pointer: pointerTo([name]),
      code: 'too_long',
      detail: `${name} is a part of the URL of the record, and takes at most ${MAX_PART} bytes there.`,
    })),
  )
}

/** A record's key as it stands in a path. */
export const writeKey = (model: Model, row: Row): string =>
  model.primaryKey.map((name) => encodeURIComponent(keyText(model, name, row))).join(',')

const keyText = (model: Model, name: string, row: Row): string => {
  const field = fieldOf(model, name)
  return String(kinds[field.kind].write(ownValue(row, name), field))
}

/** The path parameter `id` of a model, for the documentation. */
export const keyParameter = (model: Model): Parameter => {
  const [first = '', ...more] = model.primaryKey
  const field = fieldOf(model, first)
  return {
    name: 'id',
    in: 'path',
    required: true,
    description:
      more.length === 0
        ? `The record's \`${first}\`.`
        : `The record's key \`${model.primaryKey.join(',')}\`: the parts joined by commas, each percent-encoded.`,
    schema: more.length === 0 ? kinds[field.kind].schema(field) : { type: 'string' },
  }
}
