import { permissionsOf } from '../../controller/permissions.ts'
import { anyOf } from '../../controller/scope.ts'
import { type Issue, pointerTo, problem } from '../../error/errors.ts'
import { kinds } from '../../model/kinds/index.ts'
import { type Field, fieldOf, isReadable, type Model, type Relation } from '../../model/model.ts'
import { type Condition, everything, haveValues } from '../../query/ast.ts'
import { bodyReadersOf, shownSchemasOf } from '../../schema/custom/body-readers.ts'
import { bodyRefusal } from '../../schema/issues.ts'
import { amongKeys, type Key, keyValues } from '../../source/record-keys.ts'
import type { Row } from '../../source/source.ts'
import type { CallerAccess, NestedTarget, Path, WriteTarget } from './resource.ts'

type Written = Pick<WriteTarget, 'model' | 'access' | 'records' | 'bodies' | 'rules'>

/** The records of the model itself. */
export const writeTargetOf = ({ model, access, records, bodies, rules }: Written): WriteTarget => ({
  ...{ model, access, records, bodies, rules },
  ...{ part: { model, bodies }, foreign: [], isLink: false },
  keys: fieldsOf(model, model.primaryKey),
  missing: (paths) => missingAt(model, paths),
})

const missingAt = (model: Model, paths: readonly Path[]): Error => {
  const detail = `This ${model.name} does not exist.`
  const errors = paths.map((path) => ({ pointer: pointerTo(path), code: 'not_found', detail }) as const)
  return problem('not_found', detail, { errors })
}

/** How bodies come to other models. */
interface Joining {
  /** Another model, which may be a join table that is not served. */
  readonly joined: (model: string) => Written
  readonly pureJoins: ReadonlySet<string>
}

/** The relations that `modelConfig.X.write` opens. */
export const nestedTargetsOf = (model: Model, { joined, pureJoins }: Joining): readonly NestedTarget[] =>
  (model.write ?? []).map((name) => {
    const relation = model.relations.find((known) => known.name === name)
    if (relation === undefined) throw new Error(`${model.name} has no relation ${name}`)
    const { through } = relation
    const other = joined(relation.model)
    if (through === undefined) return children(other, relation)
    const join = joined(through.model)
    const made = links(join, other.model, relation, through)
    return pureJoins.has(through.model)
      ? { ...made, access: withoutPermissions(join.access), otherEnd: other.access }
      : made
  })

/** Callers need no permission of the model itself. */
export const withoutPermissions = (access: CallerAccess): CallerAccess => ({
  ...access,
  permissions: permissionsOf(access.model, undefined, false),
})

const children = (resource: Written, relation: Relation): NestedTarget => {
  const { references: foreign, fields: references } = relation
  const { model } = resource
  const names = model.primaryKey.filter((name) => !foreign.includes(name))
  return { ...nested(resource, foreign), relation, references, keys: fieldsOf(model, names) }
}

const links = (
  resource: Written,
  other: Model,
  relation: Relation,
  { fields: foreign, references: there }: NonNullable<Relation['through']>,
): NestedTarget => {
  const { references: ends } = relation
  const { model } = resource
  // Clients write the key of the other record in the order of that record.
  const names = other.primaryKey.every((name) => ends.includes(name)) ? other.primaryKey : ends
  const own = names.map((name) => there.at(ends.indexOf(name)) ?? '')
  const keys = fieldsOf(
    model,
    own.filter((name) => !foreign.includes(name)),
  )
  const far = model.relations.find(
    (known) =>
      known.kind === 'to-one' && known.model === relation.model && known.fields.join() === there.join(),
  )
  return {
    ...{ ...nested(resource, foreign), relation, references: relation.fields, isLink: true, keys },
    ...(far && { far }),
  }
}

const nested = (resource: Written, foreign: readonly string[]) => ({
  ...writeTargetOf(resource),
  ...{ part: partOf(resource, foreign), foreign },
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

const partOf = ({ model, bodies }: Written, foreign: readonly string[]): WriteTarget['part'] =>
  partWith({ model, bodies }, bodies.custom, (field) =>
    foreign.includes(field.name) ? closedField(field) : field,
  )

/** A field that bodies cannot have. */
export const closedField = (field: Field): Field =>
  Object.freeze({ ...field, access: isReadable(field) ? ('read-only' as const) : ('hidden' as const) })

/** A model as bodies see it, with other fields. @param custom its schemas */
export const partWith = (
  { model, bodies }: Pick<Written, 'model' | 'bodies'>,
  custom: Written['bodies']['custom'],
  fieldFor: (field: Field) => Field,
): WriteTarget['part'] => {
  const part = Object.freeze({ ...model, fields: Object.freeze(model.fields.map(fieldFor)) })
  return {
    model: part,
    bodies: {
      ...{ ...bodies, ...bodyReadersOf(part, custom) },
      jsonSchemas: shownSchemasOf(part, custom),
    },
  }
}

type Keyed = Pick<WriteTarget, 'keys'>

/** The same for keys that databases consider equal. */
export const sentKeyText = ({ keys }: Keyed, values: readonly unknown[]): string =>
  JSON.stringify(keys.map((field, at) => kinds[field.kind].write(values[at], field)))

export const keyIn = ({ keys }: Keyed, row: Row): Key => keyValues(row, namesOf(keys))

const namesOf = (keys: WriteTarget['keys']): readonly string[] => keys.map(({ name }) => name)

/** By the text of their keys. */
export const byKeyText = (target: Keyed, rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [sentKeyText(target, keyIn(target, row)), row]))

/** Holds for the records with these values. */
export const equalTo = (values: Row): Condition => haveValues(Object.keys(values), Object.values(values))

/** Holds for the records with these keys, of which there may be too many for one level of a condition. */
export const among = ({ keys }: Keyed, values: readonly Key[]): Condition => {
  const names = namesOf(keys)
  if (names.length === 0) return everything
  return names.length === 1 ? amongKeys(names, values) : anyOf(values.map((key) => haveValues(names, key)))
}

/** In parts of at most so many. */
export const partsOf = <T>(all: readonly T[], most: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))
