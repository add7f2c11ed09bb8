import { StartError, suggest } from '../../error/start-error.ts'
import type { Model } from '../../model/model.ts'
import type { NameIn } from '../../model/model-types.ts'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'

/**
 * Schemas of the application's own for the bodies of a model, of any library that follows Standard Schema. What they
 * transform to is what is stored.
 */
export interface CustomSchema {
  /** Reads the bodies of POST and PUT, and, with every key optional, of PATCH where there is no `update`. */
  readonly create?: StandardSchema
  /** Reads the bodies of PATCH. */
  readonly update?: StandardSchema
}

/** Model name -> schemas that replace the generated ones (specification, 1.1). */
export type CustomSchemas<Types = unknown> = { readonly [Name in NameIn<Types>]?: CustomSchema }

const keys = ['create', 'update'] as const satisfies readonly (keyof CustomSchema)[]

/**
 * @param described all models of the source
 * @param served those that are served
 * @throws StartError for a model that is not there or takes no bodies, an unknown key, or what is no Standard Schema
 */
export const assertCustomSchemas = (
  custom: CustomSchemas,
  described: readonly Model[],
  served: readonly Model[],
): void => {
  const names = served.filter(({ readOnly }) => !readOnly).map(({ name }) => name)
  for (const [name, schemas] of Object.entries(custom)) {
    const model = described.find((known) => known.name === name)
    if (model === undefined)
      throw new StartError(`customSchemas: there is no model ${name}.${suggest(name, names)}`)
    if (served.every((known) => known.name !== name))
      throw new StartError(`customSchemas.${name}: exclude leaves ${name} out. Remove one of the two.`)
    if (model.readOnly)
      throw new StartError(
        `customSchemas.${name}: ${name} is a view, which takes no bodies. Remove the entry.`,
      )
    assertSchemas(`customSchemas.${name}`, schemas)
  }
}

const assertSchemas = (place: string, schemas: unknown): void => {
  if (isStandardSchema(schemas) || typeof schemas !== 'object' || schemas === null)
    throw new StartError(
      `${place} is no object of schemas. Write ${place.split('.')[1]}: { create: schema }.`,
    )
  for (const [key, schema] of Object.entries(schemas)) {
    if (!keys.some((known) => known === key))
      throw new StartError(`${place} has no key ${key}.${suggest(key, keys)}`)
    if (schema !== undefined && !isStandardSchema(schema))
      throw new StartError(
        `${place}.${key} is no schema that follows Standard Schema, as those of Zod, Valibot and ArkType do.`,
      )
  }
}
