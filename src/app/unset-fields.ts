import type { Users } from '../auth/users/users.ts'
import type { Controller } from '../controller/controller.ts'
import { type Field, isNeeded, isWritable, type Model } from '../model/model.ts'
import { hasOperation } from '../model/operations.ts'
import type { CustomBodies } from '../schema/custom/standard-schema.ts'
import type { ModelSource } from '../source/source.ts'

interface Setters {
  readonly source: Pick<ModelSource, 'hooks' | 'fills'>
  readonly users: Users | undefined
  /** The name of the model that `auth: true` would let users register in. Absent: it does, or there is none. */
  readonly registers: string | undefined
  /** By model name, as the application wrote them. */
  readonly own: ReadonlyMap<string, Controller>
  /** The same with all scopes. */
  readonly controllers: ReadonlyMap<string, Controller>
  readonly bodies: ReadonlyMap<string, CustomBodies>
}

interface Creatable {
  readonly models: readonly Model[]
  /** A startup warning, unless all models keep `create`. */
  readonly notes: readonly string[]
}

/** The models without `create` where each create would fail because nothing sets a required field. */
export const withoutUnsettable = (models: readonly Model[], setters: Setters): Creatable => {
  const creatable = models.map((model) => {
    const unset = hasOperation(model, 'create') ? unsetIn(model, setters) : []
    return unset.length === 0 ? model : Object.freeze({ ...model, unset: Object.freeze(unset) })
  })
  return { models: Object.freeze(creatable), notes: unsetNotes(creatable, setters) }
}

const unsetIn = (model: Model, setters: Setters): readonly string[] =>
  model.fields
    .filter((field) => isNeeded(field) && !isWritable(field) && !maySet(model, field, setters))
    .map(({ name }) => name)

/** Whether code of the application may set the field. A scope sets those that it fixes. */
const maySet = (
  model: Model,
  { name: field }: Field,
  { source, users, own, controllers, bodies }: Setters,
): boolean => {
  const { name } = model
  if (own.get(name)?.hooks.beforeCreate !== undefined) return true
  if (source.hooks?.hear(model, 'create') === true || source.fills?.(model, field) === true) return true
  // Only a hook can hash it.
  if (name === users?.model.name && field === users.password?.name) return false
  return controllers.get(name)?.hooks.scope !== undefined || bodies.get(name)?.create !== undefined
}

const unsetNotes = (models: readonly Model[], { registers }: Setters): readonly string[] => {
  const fields = models.flatMap(({ name: model, unset = [] }) => unset.map((field) => ({ model, field })))
  const [first] = fields
  if (first === undefined) return []
  const affected = [...new Set(fields.map(({ model }) => model))]
  const named = fields.map(({ model, field }) => `${model}.${field}`)
  const users =
    registers !== undefined && affected.includes(registers) ? ' To let users register, set auth: true.' : ''
  return [
    `Clients cannot create ${affected.join(', ')}: nothing sets ${named.join(', ')}, which new records need and clients cannot send.${users} Set them in a beforeCreate hook, give the columns a default in the model, or, if the database itself sets them, add modelConfig: { ${first.model}: { optional: ['${first.field}'] } }.`,
  ]
}
