import { StartError } from '../error/errors.ts'
import { type FieldKind, isNeeded, type Model } from './model.ts'

/** The fields of a model that the service itself writes, each with the kinds that it may have. */
export type OwnColumns = Readonly<Record<string, readonly FieldKind[]>>

/** The kinds of a text, and of a time. */
export const textKinds: readonly FieldKind[] = ['text', 'enum']
export const timeKinds: readonly FieldKind[] = ['datetime', 'localdatetime']

/**
 * Checks that a model can hold what the service writes. Its key is not among the columns.
 *
 * @param title for messages: `audit model` @param nullable the fields that must take null
 * @throws StartError if the model lacks a field, or needs another one
 */
export const assertColumns = (
  title: string,
  model: Model,
  columns: OwnColumns,
  nullable: Readonly<Record<string, string>>,
): void => {
  const place = `${title} ${model.name}`
  for (const [name, kinds] of Object.entries(columns)) {
    const kind = model.fields.find((field) => field.name === name)?.kind
    if (kind === undefined || !kinds.includes(kind))
      throw new StartError(
        `The ${place} needs a field ${name} of the kind ${kinds.join(' or ')}${kind === undefined ? '' : `, but it is ${kind}`}.`,
      )
  }
  for (const [name, why] of Object.entries(nullable))
    if (model.fields.find((field) => field.name === name)?.nullable !== true)
      throw new StartError(`The field ${name} of the ${place} must be nullable: ${why}.`)
  if (model.primaryKey.length === 0)
    throw new StartError(`The ${place} needs a primary key that the database generates.`)
  const other = model.fields.find((field) => isNeeded(field) && !Object.hasOwn(columns, field.name))
  if (other !== undefined)
    throw new StartError(`The field ${other.name} of the ${place} needs a default, because nothing sets it.`)
}
