import type { Model } from '../model/model.ts'
import type { ListQuery } from '../query/list-query.ts'
import type { ListRules } from '../query/rules.ts'
import { jsonSchemasOf, type ModelJsonSchemas } from '../schema/json-schemas.ts'
import { type ModelSchemas, schemasOf } from '../schema/model-schemas.ts'
import { type Serialiser, serialiserOf } from '../schema/serialiser.ts'
import type { RecordStore } from '../source/source.ts'
import { keptQueries } from './kept-queries.ts'

/** What all resources of an application have in common. */
export interface Limits extends Omit<ListRules, 'model'> {
  /** The most bytes of a JSON body. */
  readonly bodyLimit: number
}

/** A model with all that its operations need. */
export interface Resource {
  readonly model: Model
  readonly store: RecordStore
  readonly schemas: ModelSchemas
  readonly jsonSchemas: ModelJsonSchemas
  readonly serialiser: Serialiser
  readonly rules: ListRules
  /** Reads the query string of a list. @throws HttpError 400 */
  readonly readQuery: (raw: string) => ListQuery
  /** The most bytes of a JSON body. */
  readonly bodyLimit: number
  /** Names of all models that are served: a refusal names no other. */
  readonly served: ReadonlySet<string>
}

/** The resources of these models, by name. */
export const resourcesOf = (
  models: readonly Model[],
  storeOf: (model: Model) => RecordStore,
  { bodyLimit, ...rules }: Limits,
): ReadonlyMap<string, Resource> => {
  const served = new Set(models.map(({ name }) => name))
  const readerOf = keptQueries()
  const resourceOf = (model: Model): Resource => {
    const ownRules = { model, ...rules }
    return {
      model,
      store: storeOf(model),
      schemas: schemasOf(model),
      jsonSchemas: jsonSchemasOf(model),
      serialiser: serialiserOf(model),
      rules: ownRules,
      readQuery: readerOf(ownRules),
      bodyLimit,
      served,
    }
  }
  return new Map(models.map((model) => [model.name, resourceOf(model)]))
}
