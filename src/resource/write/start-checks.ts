import { StartError, suggest } from '../../error/errors.ts'
import { mayJoinTwice } from '../../model/foreign-keys.ts'
import type { Model } from '../../model/model.ts'
import { hasOperation, isChosen, isWritten, takesBodies, takesFilters } from '../../model/operations.ts'
import { assertTransactions } from '../../source/source.ts'
import type { NestedTarget, Resource } from '../parts/resource.ts'

/** @throws StartError for a relation in `modelConfig.X.write` that cannot be written */
export const assertNested = ({
  model,
  records: { source },
  bodies: { nested },
  related,
}: Pick<Resource, 'model' | 'records' | 'bodies' | 'related'>): void => {
  for (const name of model.write ?? []) {
    const place = `modelConfig.${model.name}.write`
    const relation = model.relations.find((known) => known.name === name)
    const open = model.relations.filter(({ kind, closed }) => kind === 'to-many' && closed !== true)
    if (relation === undefined || !open.includes(relation))
      throw new StartError(
        `${place}: ${name} is not an open to-many relation of ${model.name}.${suggest(
          name,
          open.map((known) => known.name),
        )}`,
      )
    if (!takesBodies(model))
      throw new StartError(
        `${place} has no effect because clients can neither create nor change ${model.name}. Remove it.`,
      )
    const target = related(relation.model)
    if (target === undefined)
      throw new StartError(
        `${place}: ${relation.model}, the model of ${name}, is not served. Serve it, or remove ${name}.`,
      )
    assertTransactions(source, `${place} needs`)
    for (const written of nested().filter((known) => known.relation === relation))
      assertWritable(place, model, written)
  }
}

const assertWritable = (place: string, parent: Model, target: NestedTarget): void => {
  const { relation, model, foreign, isLink } = target
  const { custom } = target.bodies
  const { served } = target.rules
  const { name } = relation
  if (model.readOnly)
    throw new StartError(`${place}: ${name} cannot be written because ${model.name} is a view. Remove it.`)
  if (isLink && model.softDelete !== undefined)
    throw new StartError(
      `${place}: ${name} cannot be written because records of its join table ${model.name} stay when they are deleted. Remove modelConfig.${model.name}.softDelete, or ${name}.`,
    )
  const { through } = relation
  if (through !== undefined && mayJoinTwice(model, through))
    throw new StartError(
      `${place}: ${name} cannot be written because its join table ${model.name} may join the same two records more than once. Make ${[...through.fields, ...through.references].join(', ')} unique together, or remove ${name}.`,
    )
  // A body cannot name the states of several records.
  if (model.requireIfMatch === true && takesChanges(parent))
    throw new StartError(
      `${place}: ${name} cannot be written because changes of ${model.name} need If-Match. Remove modelConfig.${model.name}.requireIfMatch, or ${name}.`,
    )
  // A join table that is not served has no operations that could have been chosen.
  const isServed = served.has(model.name)
  const uses = takesChanges(parent) ? (['create', 'update', 'delete'] as const) : (['create'] as const)
  const missing = isServed ? uses.find((act) => !isChosen(model, act)) : undefined
  if (missing !== undefined)
    throw new StartError(
      `${place}: ${name} cannot be written because clients cannot ${missing} ${model.name}. Remove it, or add ${missing} to modelConfig.${model.name}.operations.`,
    )
  const unset = model.unset?.find((field) => !foreign.includes(field))
  if (unset !== undefined)
    throw new StartError(
      `${place}: ${name} cannot be written because clients cannot send ${model.name}.${unset}, which is required, and nothing sets it. Set it in a beforeCreate hook of ${model.name}, add it to modelConfig.${model.name}.optional if the database sets it, or remove ${name}.`,
    )
  const needed = requiredIn(custom?.create?.shown?.schema['required']).find((field) =>
    foreign.includes(field),
  )
  if (needed !== undefined && !isLink)
    throw new StartError(
      `${place}: the schema ${custom?.create?.place} requires ${needed}, which ${name} do not send because their parent determines it. Make it optional.`,
    )
  assertInTransaction(place, target, `remove ${name}`)
}

const takesChanges = (model: Model): boolean =>
  hasOperation(model, 'update') || hasOperation(model, 'replace')

/** @throws StartError for a hook that waits, in a transaction that cannot */
const assertInTransaction = (
  place: string,
  { access: { controller }, records: { source } }: Pick<Resource, 'access' | 'records'>,
  remedy: string,
): void => {
  const waiting = beforeHooks.find((hook) => tagOf(controller?.hooks[hook]) === '[object AsyncFunction]')
  if (waiting !== undefined && source.capabilities.synchronous === true)
    throw new StartError(
      `${controller?.place}: ${waiting} is an async function, but ${place} runs it in a transaction, which is synchronous on this database. Write it without async, or ${remedy}.`,
    )
}

const beforeHooks = ['beforeCreate', 'beforeUpdate', 'beforeDelete'] as const

const tagOf = (value: unknown): string => Object.prototype.toString.call(value)

const requiredIn = (names: unknown): readonly string[] => (Array.isArray(names) ? names : [])

/** @throws StartError if `modelConfig.X.bulk` has no effect, or its writes could not be all or none */
export const assertBulk = (resource: Pick<Resource, 'model' | 'access' | 'records'>): void => {
  const { model } = resource
  const { source } = resource.records
  if (model.bulk !== true) return
  const place = `modelConfig.${model.name}.bulk`
  if (!isWritten(model))
    throw new StartError(`${place} has no effect because clients cannot write ${model.name}. Remove it.`)
  if (!hasOperation(model, 'create') && !hasOperation(model, 'update') && !takesFilters(model))
    throw new StartError(
      `${place} has no effect because clients do not have the list of ${model.name}, so they cannot choose records by a filter. Remove it, or add list to modelConfig.${model.name}.operations.`,
    )
  assertTransactions(source, `${place} needs`)
  assertInTransaction(place, resource, 'remove bulk')
}

/** @throws StartError for a relation or an action whose path is that of `restore` */
export const assertRestorable = ({
  model,
  access: { controller },
  bodies: { actions },
  rules: { openRelations },
}: Pick<Resource, 'model' | 'access' | 'bodies' | 'rules'>): void => {
  if (model.softDelete === undefined) return
  if (actions.some(({ on, segment }) => on === 'record' && segment === 'restore'))
    throw new StartError(
      `${controller?.place}: actions.restore has the path of POST /${model.path}/{id}/restore, which modelConfig.${model.name}.softDelete serves. Rename the action.`,
    )
  if (!openRelations.some(({ name, kind }) => name === 'restore' && kind === 'to-many')) return
  throw new StartError(
    `modelConfig.${model.name}.softDelete: the relation restore has the path of POST /${model.path}/{id}/restore. Set modelConfig.${model.name}.relations: { restore: '…' }.`,
  )
}
