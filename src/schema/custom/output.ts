import { MAX_ISSUES } from '../../error/issue.ts'
import type { Model } from '../../model/model.ts'
import type { Values } from '../body-reader.ts'
import { strangerIssue } from '../issues.ts'
import { membersOf } from '../members.ts'
import { bodyRefusal } from '../validate.ts'
import type { CustomBody } from './custom-body.ts'

/**
 * What a schema gave for a body, as it is stored.
 *
 * What a schema merely lets through opens no column: a key that clients cannot write has to be named by it.
 *
 * @throws HttpError 422 for such a key; Error where the schema gave what cannot be stored
 */
export const outputCheck = (
  model: Model,
  which: 'create' | 'update' | 'replace',
  { place, declared, onlySent }: CustomBody,
): ((output: unknown, sent: Values) => Values) => {
  const columns = new Set(model.fields.map(({ name }) => name))
  const open = new Set(membersOf(model, which).map(({ field }) => field.name))
  const isKey = (name: string): boolean => which !== 'create' && model.primaryKey.includes(name)
  const isOpen = (name: string): boolean => open.has(name) || (declared.has(name) && !isKey(name))
  return (output, sent) => {
    if (typeof output !== 'object' || output === null || Array.isArray(output))
      throw new Error(`${place} gave no object of field names and values.`)
    const given = Object.entries(output).filter(
      ([name]) => Object.hasOwn(sent, name) || !(onlySent || (which === 'replace' && isKey(name))),
    )
    const sentNames = given.map(([name]) => name).filter((name) => Object.hasOwn(sent, name))
    const strangers = sentNames.filter((name) => !isOpen(name))
    if (strangers.length > 0)
      throw bodyRefusal(strangers.slice(0, MAX_ISSUES).map((name) => strangerIssue(name, model)))
    const unknown = sentNames.find((name) => !columns.has(name))
    if (unknown !== undefined)
      throw new Error(
        `${place} gives ${unknown}, and ${model.name} has no such column. Leave it out in a transform.`,
      )
    return Object.fromEntries(given)
  }
}
