import { suggest } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import type { FieldLimits } from '../model/narrowed.ts'
import { isPlainObject } from '../model/objects.ts'

/**
 * The result of `access` as the fields that the caller may read and write. Anything else throws and therefore fails closed:
 * the caller gets an opaque 500, and the log has the reason.
 */
export const fieldLimitsOf = (access: unknown, model: Model): FieldLimits => {
  if (!isPlainObject(access))
    throw unusable(
      model,
      'Return { read, write }, each a list of fields or an object such as { salary: false }.',
    )
  const unknown = Object.keys(access).find((key) => key !== 'read' && key !== 'write')
  if (unknown !== undefined)
    throw unusable(model, `Unknown key ${unknown}.${suggest(unknown, ['read', 'write'])}`)
  return { read: namesIn('read', access['read'], model), write: namesIn('write', access['write'], model) }
}

/** A list names all fields that are open. An object closes fields, and leaves others open. */
const namesIn = (key: string, given: unknown, model: Model): ReadonlySet<string> => {
  const all = model.fields.map(({ name }) => name)
  if (given === undefined) return new Set(all)
  const known = (name: unknown): string => {
    if (typeof name === 'string' && all.includes(name)) return name
    throw unusable(model, `Unknown field ${String(name)} in ${key}.${suggest(String(name), all)}`)
  }
  if (Array.isArray(given)) return new Set(Array.from(given, known))
  if (!isPlainObject(given))
    throw unusable(model, `${key} must be a list of fields, or an object such as { salary: false }.`)
  const closed = Object.entries(given).flatMap(([name, isOpen]) => {
    if (typeof isOpen !== 'boolean')
      throw unusable(model, `The value of ${name} in ${key} must be true or false.`)
    return known(name) === name && isOpen ? [] : [name]
  })
  return new Set(all.filter((name) => !closed.includes(name)))
}

const unusable = (model: Model, reason: string): Error =>
  new Error(`The access of ${model.name} is invalid, so the request was refused. ${reason}`)
