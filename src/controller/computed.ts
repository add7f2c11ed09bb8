import { assertKnown, StartError } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import { type Awaitable, isPlainObject } from '../model/objects.ts'
import type { ModelName, RecordOf } from '../model/types.ts'
import {
  type InputOf,
  isStandardSchema,
  type OutputOf,
  type StandardSchema,
} from '../schema/custom/standard-schema.ts'
import { isInherited } from '../schema/issues.ts'
import type { DeclaredComputed, HookContext } from './controller.ts'

/** A field of responses that the application computes from the stored records. */
export interface ComputedField<
  Name extends ModelName = ModelName,
  Schema extends StandardSchema = StandardSchema,
> {
  /**
   * The schema of a value, of any library that implements [Standard Schema](https://standardschema.dev). Responses have its
   * output, which must be JSON.
   */
  readonly schema: Schema
  /**
   * Computes the values of all records of one model that a response shows, which are at most as many as a page or the limits of
   * `include` allow. Returns one value for each record, in their order.
   */
  load(records: readonly RecordOf<Name>[], context: HookContext): Awaitable<readonly InputOf<Schema>[]>
}

/** The schemas of computed fields, by their names. */
export type ComputedSchemas = Readonly<Record<string, StandardSchema>>

/**
 * `computed` of a controller.
 *
 * @example
 * ```ts
 * import { BaseModelController, type ComputedFields, controllerFor } from 'modelrest'
 * import { z } from 'zod'
 *
 * export const ProductController = controllerFor(
 *   'Product',
 *   class extends BaseModelController {
 *     static computed = {
 *       label: { schema: z.string(), load: (records) => records.map(({ name }) => `Product ${name}`) },
 *     } satisfies ComputedFields<'Product'>
 *   },
 * )
 * ```
 */
export type ComputedFields<
  Name extends ModelName = ModelName,
  Schemas extends ComputedSchemas = ComputedSchemas,
> = { readonly [Key in keyof Schemas]: ComputedField<Name, Schemas[Key]> }

/** The values of computed fields in responses. */
export type ComputedValues<Schemas extends ComputedSchemas> = {
  [Key in keyof Schemas]: OutputOf<Schemas[Key]>
}

const keys = ['schema', 'load'] as const satisfies readonly (keyof ComputedField)[]

/** The computed fields of a class, each bound to the class. @throws StartError for one that could not work */
export const computedOf = (
  controller: object,
  place: string,
  model: Model,
  { isAsync }: { readonly isAsync: boolean },
): readonly DeclaredComputed[] => {
  const given: unknown = Reflect.get(controller, 'computed')
  if (!isPlainObject(given))
    throw new StartError(
      `${place}: computed must be an object, such as { total: { schema: z.number(), load: (records) => [] } }.`,
    )
  return Object.entries(given).map(([name, field]) => {
    const own = `${place}: computed.${name}`
    assertFree(name, own, model)
    const { schema, load } = fieldIn(field, own)
    if (!isAsync && Object.prototype.toString.call(load) === '[object AsyncFunction]')
      throw new StartError(
        `${own}.load is an async function, but isAsync is false. Write it without async, or remove isAsync.`,
      )
    const title = `the computed field ${name} of ${model.name} (${place})`
    return Object.freeze({ name, title, place: own, schema, load: load.bind(controller) })
  })
}

const fieldIn = (field: unknown, place: string): Pick<DeclaredComputed, 'schema' | 'load'> => {
  if (!isPlainObject(field)) throw new StartError(`${place} must be an object with schema and load.`)
  for (const key of Object.keys(field)) assertKnown(`${place}: unknown key`, key, keys)
  const { schema, load } = field
  if (!isStandardSchema(schema))
    throw new StartError(
      `${place}.schema must be a schema of a library that implements Standard Schema, such as Zod, Valibot or ArkType.`,
    )
  if (typeof load !== 'function')
    throw new StartError(
      `${place}.load must be a function that returns an array with one value for each record.`,
    )
  return { schema, load: load as DeclaredComputed['load'] }
}

/** A name must not mean anything else in a response, or in `fields`, which separates names by commas. */
const assertFree = (name: string, place: string, { fields, relations, name: model }: Model): void => {
  if (!/^[a-z]\w*$/i.test(name) || isInherited(name))
    throw new StartError(
      `${place}: the name of a computed field must consist of ASCII letters, digits and _, start with a letter, and not be a property of every object.`,
    )
  const kind = fields.some((field) => field.name === name)
    ? 'field'
    : relations.some((relation) => relation.name === name) && 'relation'
  if (kind)
    throw new StartError(`${place}: ${model} has a ${kind} with this name. Rename the computed field.`)
}
