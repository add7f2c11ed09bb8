import { StartError, suggest } from '../../error/errors.ts'
import { mayJoinTwice } from '../../model/foreign-keys.ts'
import { type Field, fieldOf, isReadable, type Model, type Relation } from '../../model/model.ts'
import { onceFor } from '../../model/objects.ts'
import { hasOperation, isChosen, takesBodies } from '../../model/operations.ts'
import { bodyReadersOf, shownSchemasOf } from '../../schema/custom/body-readers.ts'
import { assertTransactions } from '../../source/source.ts'
import type { Resource } from '../resource.ts'

/** A relation whose records are written in the bodies of a model. */
export interface Together {
  readonly relation: Relation
  /** The model whose records are written: the children, or the records of a join table. */
  readonly target: Resource
  /** `target` as a body sees it: clients do not send the foreign key to the parent. */
  readonly part: Resource
  /** Fields of the target that refer to the parent. */
  readonly foreign: readonly string[]
  /** Fields of the parent, in the order of `foreign`. */
  readonly references: readonly string[]
  /** Fields of the target that tell its record from the others of the same parent. */
  readonly keys: readonly Field[]
  /** For a join table: the relation of the target to the records at the other end. */
  readonly far?: Relation
}

/** The relations that `modelConfig.X.write` opens. */
export const togetherOf: (resource: Resource) => readonly Together[] = onceFor((resource: Resource) => {
  const { model } = resource
  return (model.write ?? []).map((name) => {
    const relation = model.relations.find((known) => known.name === name)
    if (relation === undefined) throw new Error(`${model.name} has no relation ${name}`)
    return relation.through === undefined ? children(resource, relation) : links(resource, relation)
  })
})

const children = (parent: Resource, relation: Relation): Together => {
  const target = parent.joined(relation.model)
  const { references: foreign, fields: references } = relation
  return {
    relation,
    target,
    part: partOf(target, foreign),
    foreign,
    references,
    keys: keysOf(target.model, foreign),
  }
}

const keysOf = (model: Model, foreign: readonly string[]): readonly Field[] =>
  model.primaryKey.filter((name) => !foreign.includes(name)).map((name) => fieldOf(model, name))

const links = (parent: Resource, relation: Relation): Together => {
  const { through, references: ends } = relation
  if (through === undefined) throw new Error(`${relation.name} has no join table.`)
  const target = parent.joined(through.model)
  const { fields: foreign, references: there } = through
  const other = parent.joined(relation.model).model
  // Clients write the key of the other record in the order of that record.
  const names = other.primaryKey.every((name) => ends.includes(name)) ? other.primaryKey : ends
  const keys = names
    .map((name) => there.at(ends.indexOf(name)) ?? '')
    .filter((name) => !foreign.includes(name))
    .map((name) => fieldOf(target.model, name))
  const far = target.model.relations.find(
    ({ kind, model, fields }) =>
      kind === 'to-one' && model === relation.model && fields.join() === there.join(),
  )
  const part = partOf(target, foreign)
  return { relation, target, part, foreign, references: relation.fields, keys, ...(far && { far }) }
}

const partOf = (target: Resource, foreign: readonly string[]): Resource => {
  const { model, custom } = target
  const fields = model.fields.map((field) =>
    foreign.includes(field.name)
      ? Object.freeze({ ...field, access: isReadable(field) ? ('read-only' as const) : ('hidden' as const) })
      : field,
  )
  const part = Object.freeze({ ...model, fields: Object.freeze(fields) })
  return {
    ...target,
    model: part,
    bodies: bodyReadersOf(part, custom),
    jsonSchemas: shownSchemasOf(part, custom),
  }
}

/** @throws StartError for a relation in `modelConfig.X.write` that cannot be written */
export const assertTogether = (resource: Resource): void => {
  const { model, related, source } = resource
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
    for (const together of togetherOf(resource).filter((known) => known.relation === relation))
      assertWritable(place, model, together)
  }
}

const assertWritable = (place: string, parent: Model, { relation, target, foreign }: Together): void => {
  const { model, controller, source, custom } = target
  const { name } = relation
  if (model.readOnly)
    throw new StartError(`${place}: ${name} cannot be written because ${model.name} is a view. Remove it.`)
  if (relation.through !== undefined && model.softDelete !== undefined)
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
  const isServed = target.served.has(model.name)
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
  if (needed !== undefined && relation.through === undefined)
    throw new StartError(
      `${place}: the schema ${custom?.create?.place} requires ${needed}, which ${name} do not send because their parent determines it. Make it optional.`,
    )
  assertInTransaction(place, { controller, source }, `remove ${name}`)
}

const takesChanges = (model: Model): boolean =>
  hasOperation(model, 'update') || hasOperation(model, 'replace')

/** @throws StartError for a hook that waits, in a transaction that cannot */
export const assertInTransaction = (
  place: string,
  { controller, source }: Pick<Resource, 'controller' | 'source'>,
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
