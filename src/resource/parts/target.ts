import { type Issue, pointerTo, problem } from '../../error/errors.ts'
import { type Field, fieldOf, isReadable, type Model, type Relation } from '../../model/model.ts'
import { onceFor } from '../../model/objects.ts'
import { bodyReadersOf, shownSchemasOf } from '../../schema/custom/body-readers.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import type { Resource } from './resource.ts'

/** The members and places that lead to a part of a body. */
export type Path = readonly PropertyKey[]

/** Records that a body writes: those of a model, or those of a relation. */
export interface WriteTarget {
  /** The model whose records are written. */
  readonly resource: Resource
  /** The same as a body sees it: clients do not send the foreign key to the parent. */
  readonly part: Resource
  /** Fields that tell its record from the others, of the same parent if there is one. */
  readonly keys: readonly Field[]
  /** Fields that refer to the parent. Empty: there is none. */
  readonly foreign: readonly string[]
  /** The records are those of a join table, and the body has their keys. */
  readonly isLink: boolean
  /** The error for records that do not exist. @param paths where the body has them */
  readonly missing: (paths: readonly Path[]) => Error
}

/** A relation whose records are written in the bodies of a model: the children, or the records of a join table. */
export interface NestedTarget extends WriteTarget {
  readonly relation: Relation
  /** Fields of the parent, in the order of `foreign`. */
  readonly references: readonly string[]
  /** For a join table: its relation to the records at the other end. */
  readonly far?: Relation
}

/** The records of the model itself. */
export const writeTargetOf: (resource: Resource) => WriteTarget = onceFor((resource: Resource) => ({
  ...{ resource, part: resource, foreign: [], isLink: false },
  keys: fieldsOf(resource.model, resource.model.primaryKey),
  missing: (paths) => missingAt(resource.model, paths),
}))

const missingAt = (model: Model, paths: readonly Path[]): Error => {
  const detail = `This ${model.name} does not exist.`
  const errors = paths.map((path) => ({ pointer: pointerTo(path), code: 'not_found', detail }) as const)
  return problem('not_found', detail, { errors })
}

/** The relations that `modelConfig.X.write` opens. */
export const nestedOf: (resource: Resource) => readonly NestedTarget[] = onceFor((resource: Resource) => {
  const { model } = resource
  return (model.write ?? []).map((name) => {
    const relation = model.relations.find((known) => known.name === name)
    if (relation === undefined) throw new Error(`${model.name} has no relation ${name}`)
    return relation.through === undefined ? children(resource, relation) : links(resource, relation)
  })
})

const children = (parent: Pick<Resource, 'joined'>, relation: Relation): NestedTarget => {
  const resource = parent.joined(relation.model)
  const { references: foreign, fields: references } = relation
  const { model } = resource
  const keys = fieldsOf(
    model,
    model.primaryKey.filter((name) => !foreign.includes(name)),
  )
  return { ...nested(resource, foreign), relation, references, keys }
}

const links = (parent: Pick<Resource, 'joined'>, relation: Relation): NestedTarget => {
  const { through, references: ends } = relation
  if (through === undefined) throw new Error(`${relation.name} has no join table.`)
  const resource = parent.joined(through.model)
  const { fields: foreign, references: there } = through
  const other = parent.joined(relation.model).model
  // Clients write the key of the other record in the order of that record.
  const names = other.primaryKey.every((name) => ends.includes(name)) ? other.primaryKey : ends
  const own = names.map((name) => there.at(ends.indexOf(name)) ?? '')
  const far = resource.model.relations.find(
    ({ kind, model, fields }) =>
      kind === 'to-one' && model === relation.model && fields.join() === there.join(),
  )
  return {
    ...{ ...nested(resource, foreign), relation, references: relation.fields, isLink: true },
    keys: fieldsOf(
      resource.model,
      own.filter((name) => !foreign.includes(name)),
    ),
    ...(far && { far }),
  }
}

const nested = (resource: Resource, foreign: readonly string[]) => ({
  ...{ resource, part: partOf(resource, foreign), foreign, isLink: false },
  missing: (paths: readonly Path[]) => bodyRefusal(paths.map(missing)),
})

/** Like a foreign key to a record that does not exist, or that the caller cannot reach. */
export const missing = (path: Path): Issue => ({
  pointer: pointerTo(path),
  code: 'missing_reference',
  detail: 'The record does not exist, or belongs to another record.',
})

const fieldsOf = (model: Model, names: readonly string[]): readonly Field[] =>
  names.map((name) => fieldOf(model, name))

const partOf = (resource: Resource, foreign: readonly string[]): Resource => {
  const { model } = resource
  const { custom } = resource.bodies
  const fields = model.fields.map((field) =>
    foreign.includes(field.name)
      ? Object.freeze({ ...field, access: isReadable(field) ? ('read-only' as const) : ('hidden' as const) })
      : field,
  )
  const part = Object.freeze({ ...model, fields: Object.freeze(fields) })
  return {
    ...resource,
    model: part,
    bodies: {
      ...{ ...resource.bodies, ...bodyReadersOf(part, custom) },
      jsonSchemas: shownSchemasOf(part, custom),
    },
  }
}
