import type { Model } from '../model/model.ts'
import type { BodyBounds } from '../operation/operation.ts'
import type { Refused } from '../operation/refusals.ts'
import type { ListRules } from '../query/rules.ts'
import { type BodyReaders, bodyReadersOf, shownSchemasOf } from '../schema/body-readers.ts'
import { type ColumnSchemas, columnSchemasOf } from '../schema/column-schema.ts'
import type { ModelJsonSchemas } from '../schema/json-schemas.ts'
import { type Serialiser, serialiserOf } from '../schema/serialiser.ts'
import type { RecordStore } from '../source/source.ts'
import { type Around, aroundOf, type Surroundings, type TransactionBounds } from './around.ts'
import { type ModelFiles, modelFilesOf } from './files.ts'
import { keptQueries, type QueryReader } from './kept-queries.ts'
import { type ModelMedia, modelMediaOf } from './media.ts'

/** What all resources of an application have in common. */
export interface Limits extends Omit<ListRules, 'model'>, TransactionBounds {
  /** What JSON bodies are held to. */
  readonly bodyBounds: BodyBounds
  /** The most bytes of a page of a list. */
  readonly pageBytes: number
}

/** What a list is read from, and its rules. */
export type Listing = Pick<Resource, 'store' | 'rules'>

/** What lists are read from: each page with its count from a store of its own. */
export interface Pages extends Pick<Resource, 'rules' | 'pageBytes'> {
  readonly storeOfPage: () => RecordStore
}

/** A model with all that its operations need. */
export interface Resource extends Refused {
  readonly model: Model
  readonly store: RecordStore
  /** Where lists are read, which may lag behind what was written where the application says so. */
  readonly pages: Pages
  readonly around: Around
  readonly bodies: BodyReaders
  /** What hooks and schemas of the application's own give is checked against the columns. */
  readonly columns: ColumnSchemas
  readonly jsonSchemas: ModelJsonSchemas
  readonly serialiser: Serialiser
  /** Absent: it has no files and takes no forms. */
  readonly files: ModelFiles | undefined
  /** Absent: callers read no files of it. */
  readonly media: ModelMedia | undefined
  readonly rules: ListRules
  readonly queries: QueryReader
  /** What its JSON bodies are held to. */
  readonly bodyBounds: BodyBounds
  /** The most bytes of a page of its list. */
  readonly pageBytes: number
}

/** The resources of these models. */
export const resourcesOf = (
  models: readonly Model[],
  surroundings: Surroundings,
  { bodyBounds, pageBytes, transactionTimeout, databaseRetries, ...rules }: Limits,
): readonly Resource[] => {
  const { source } = surroundings
  const served = new Set(models.map(({ name }) => name))
  const readerOf = keptQueries()
  return models.map((model) => {
    const ownRules = { model, ...rules }
    const custom = surroundings.bodies.get(model.name)
    const around = aroundOf(model, surroundings, { transactionTimeout, databaseRetries })
    const store = source.store(model)
    return {
      model,
      store,
      pages: { storeOfPage: source.lagging?.(model) ?? (() => store), rules: ownRules, pageBytes },
      around,
      bodies: bodyReadersOf(model, custom),
      columns: columnSchemasOf(model),
      jsonSchemas: shownSchemasOf(model, custom),
      serialiser: serialiserOf(model),
      files: modelFilesOf(model, surroundings.files),
      media: modelMediaOf(model, around),
      rules: ownRules,
      queries: readerOf(ownRules),
      bodyBounds,
      pageBytes,
      served,
      refusalOf: (error) => source.refusalOf(error),
    }
  })
}
