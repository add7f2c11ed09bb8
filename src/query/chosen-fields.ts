import { suggest } from '../error/start-error.ts'
import { queryFields } from './fields.ts'
import type { Parameters } from './parameters.ts'
import { refuse, shown } from './refuse.ts'
import type { ListRules } from './rules.ts'

/**
 * `fields=a,b`: the fields that each item has, in the order of the model. The primary key is always among them: an item
 * without its key leads nowhere. `undefined`: all.
 *
 * @throws HttpError 400 for a name that is no readable field, missing, or given twice
 */
export const readFields = ({ values }: Parameters, { model }: ListRules): readonly string[] | undefined => {
  const text = values.get('fields')?.[0]
  if (text === undefined) return undefined
  const { names } = queryFields(model)
  const asked = new Set<string>()
  for (const name of text.split(',')) {
    assertReadable(name, names)
    if (asked.has(name))
      throw refuse('malformed_query', 'fields', `fields: ${name} is there twice. ${once(names)}`)
    asked.add(name)
  }
  return Object.freeze(names.filter((name) => asked.has(name) || model.primaryKey.includes(name)))
}

const assertReadable = (name: string, names: readonly string[]): void => {
  if (names.includes(name)) return
  throw name === ''
    ? refuse('invalid_value', 'fields', `fields: a name is missing. ${once(names)}`)
    : refuse(
        'unknown_field',
        'fields',
        `fields: there is no field ${shown(name)}.${suggest(name.slice(0, 60), names)}`,
      )
}

const once = (names: readonly string[]): string =>
  `Name each field once, with commas between them, or leave fields out. Allowed: ${names.join(', ')}.`
