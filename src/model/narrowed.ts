import { type Access, type Field, isReadable, isWritable, type Model } from './model.ts'
import { usableRelations } from './usable-relations.ts'

/** The fields of a model that a caller may read and write, as far as the model allows. */
export interface FieldLimits {
  readonly read: ReadonlySet<string>
  readonly write: ReadonlySet<string>
}

/** The same text for the same limits. */
export const limitsText = ({ fields }: Model, { read, write }: FieldLimits): string =>
  fields.map(({ name }) => (read.has(name) ? 1 : 0) + (write.has(name) ? 2 : 0)).join('')

/**
 * The models as a caller sees them, as if `modelConfig` had closed the other fields. Limits never open a field, and the primary
 * key stays readable. Relations over closed fields are not included and not written together.
 */
export const narrowedModels = (
  models: readonly Model[],
  limits: ReadonlyMap<string, FieldLimits>,
): readonly Model[] => {
  const narrowed = models.map((model) => {
    const own = limits.get(model.name)
    return own === undefined ? model : narrowedModel(model, own)
  })
  const named = (name: string): Model | undefined => narrowed.find((model) => model.name === name)
  const before = (name: string): Model | undefined => models.find((model) => model.name === name)
  return narrowed.map((model) => {
    const { include, write } = model
    if (include === undefined && write === undefined) return model
    return Object.freeze({
      ...model,
      ...(include && { include: include.filter((path) => isUsable(path.split('.'), model, named)) }),
      ...(write && { write: write.filter((name) => isWritten(name, model, named, before)) }),
    })
  })
}

type Named = (name: string) => Model | undefined

const narrowedModel = (model: Model, { read, write }: FieldLimits): Model => {
  const fields = model.fields.map((field): Field => {
    const mayRead = isReadable(field) && (read.has(field.name) || model.primaryKey.includes(field.name))
    const mayWrite = isWritable(field) && write.has(field.name)
    const access = accessOf(mayRead, mayWrite)
    return access === field.access || (field.generated && mayRead)
      ? field
      : Object.freeze({ ...field, access })
  })
  return Object.freeze({ ...model, fields: Object.freeze(fields) })
}

const accessOf = (mayRead: boolean, mayWrite: boolean): Access => {
  if (mayRead) return mayWrite ? 'read-write' : 'read-only'
  return mayWrite ? 'write-only' : 'hidden'
}

const isUsable = ([name = '', ...rest]: readonly string[], model: Model, named: Named): boolean => {
  const relation = usableRelations(model, named).find((known) => known.name === name)
  const next = relation && named(relation.model)
  return next !== undefined && (rest.length === 0 || isUsable(rest, next, named))
}

/** Whether the caller may write the fields that connect the records, as far as callers may at all. */
const isWritten = (name: string, model: Model, named: Named, before: Named): boolean => {
  const relation = model.relations.find((known) => known.name === name)
  if (relation === undefined || !isUsable([name], model, named)) return false
  const { through } = relation
  const [owner, keys] = through
    ? [through.model, [...through.fields, ...through.references]]
    : [relation.model, relation.references]
  return keys.every((key) => canWrite(named(owner), key) || !canWrite(before(owner), key))
}

const canWrite = (model: Model | undefined, name: string): boolean =>
  model?.fields.some((field) => field.name === name && isWritable(field)) === true
