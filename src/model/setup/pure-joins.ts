import { type Field, type FieldKind, hidesRecords, type Model, type Relation } from '../model.ts'
import { ownValue } from '../objects.ts'
import type { ModelConfigs } from './configure.ts'

/** What an application says of its models. */
interface Chosen {
  readonly modelConfig?: ModelConfigs | undefined
  /** The names of the models with a controller, which may have permissions and a scope. */
  readonly controlled: ReadonlySet<string>
}

/**
 * The names of the join tables that only say which records are related: they have two foreign keys, perhaps a key of their own and the
 * times of writes, and the application gives them no access of their own. Callers need no permission for them.
 *
 * @param models all models, with their configuration
 */
export const pureJoins = (
  models: readonly Model[],
  { modelConfig = {}, controlled }: Chosen,
): ReadonlySet<string> => {
  const byName = new Map(models.map((model) => [model.name, model]))
  const hasAccess = (name: string): boolean => {
    const config = ownValue(modelConfig, name)
    return controlled.has(name) || config?.public !== undefined || config?.operations !== undefined
  }
  return new Set(
    models
      .flatMap(({ relations }) => relations)
      .flatMap(({ through }) => {
        if (through === undefined || hasAccess(through.model)) return []
        const join = byName.get(through.model)
        return join !== undefined && isPure(join, through) ? [join.name] : []
      }),
  )
}

/** A join table that hides records keeps those that were deleted. */
const isPure = (join: Model, { fields, references }: NonNullable<Relation['through']>): boolean => {
  const known = new Set([...fields, ...references, ...(join.stamps ?? []).map(({ field }) => field.name)])
  const isKept = (field: Field): boolean =>
    isFilled(field) && (join.primaryKey.includes(field.name) || times.includes(field.kind))
  return !hidesRecords(join) && join.fields.every((field) => known.has(field.name) || isKept(field))
}

const times: readonly FieldKind[] = ['datetime', 'localdatetime']

/** Whether the database or the ORM makes the value. */
const isFilled = ({ hasDefault, generated, default: constant }: Field): boolean =>
  (hasDefault || generated) && constant === undefined
