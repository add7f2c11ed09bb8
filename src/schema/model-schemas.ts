import { z } from 'zod'
import type { Model } from '../model/model.ts'
import { onceFor } from '../model/once-for.ts'
import { lazyRecord } from './lazy-record.ts'
import { isReply, type Member, membersOf, type SchemaName, schemaNames } from './members.ts'
import { zodKinds } from './zod-kinds.ts'

/** One schema of a model: a strict Zod object that can be looked into (`shape`) and extended. */
export type ModelSchema = z.ZodObject<Readonly<Record<string, z.ZodType>>, z.core.$strict>

/**
 * The Zod schemas of a model.
 *
 * `list` and `detail` describe records as they are sent; `list` requires the key alone, since clients choose the fields.
 * `create`, `update` and `replace` read a JSON body, and their output is what is stored: a decimal in its exact form, a
 * date-time as a `Date` where the column is one. No default is applied: the database does that.
 *
 * @example
 * ```ts
 * import type { ModelSchemas } from 'modelrest'
 *
 * export const namesOf = ({ create }: ModelSchemas): string[] => Object.keys(create.shape)
 * ```
 */
export type ModelSchemas = Readonly<Record<SchemaName, ModelSchema>>

/** The schemas of a model, each made when it is first asked for. */
export const schemasOf: (model: Model) => ModelSchemas = onceFor((model: Model) =>
  lazyRecord(schemaNames, (which) => {
    const schema = z.strictObject(shapeOf(model, which))
    models.set(schema, model)
    return schema
  }),
)

const models = new WeakMap<z.ZodType, Model>()

/** The model that a generated schema is of. A schema that was extended is of none. */
export const modelOfSchema = (schema: z.ZodType): Model | undefined => models.get(schema)

const shapeOf = (model: Model, which: SchemaName): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(
    membersOf(model, which).map((member) => [member.field.name, memberSchema(member, which)]),
  )

const memberSchema = ({ field, required }: Member, which: SchemaName): z.ZodType => {
  const value = zodKinds[field.kind][isReply(which) ? 'reply' : 'body'](field)
  const orNull = field.nullable ? value.nullable() : value
  return required ? orNull : orNull.optional()
}
