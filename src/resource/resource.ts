import { LRUCache } from 'lru-cache'
import type { Commits } from '../controller/commits.ts'
import type { Controller } from '../controller/hooks.ts'
import { type Access, accessOf } from '../controller/permissions.ts'
import type { ScopeContext } from '../controller/scope.ts'
import type { ProblemCode } from '../error/codes.ts'
import { fileFieldsOf } from '../model/kinds/index.ts'
import { type Field, isReadable, type Model, type Relation } from '../model/model.ts'
import type { Call, Caller } from '../operation/call.ts'
import type { BodyBounds } from '../operation/operation.ts'
import type { RefusalContext } from '../operation/refusals.ts'
import type { Steps } from '../operation/steps.ts'
import { type ListQuery, type ListRequest, parseListRequest } from '../query/list-query.ts'
import type { ListRules } from '../query/settings.ts'
import { type BodyReaders, bodyReadersOf, shownSchemasOf } from '../schema/body-readers.ts'
import { type ColumnSchemas, columnSchemasOf } from '../schema/columns.ts'
import type { CustomBodies } from '../schema/custom/standard-schema.ts'
import type { ModelJsonSchemas } from '../schema/json-schema.ts'
import { type Serialiser, serialiserOf } from '../schema/serialiser.ts'
import type { ModelSource, RecordStore } from '../source/source.ts'
import type { Media } from '../upload/media.ts'
import type { MultipartModel } from '../upload/multipart-models.ts'
import type { MultipartLimits } from '../upload/multipart-settings.ts'
import type { FileStorage } from '../upload/storage.ts'

export interface Shared {
  readonly source: ModelSource
  readonly commits: Commits
  /** Finds out who sent a request. Absent: there is no authentication. */
  readonly authenticate?: (call: Call) => Steps<Caller | undefined>
  /** How that may refuse a request that writes, beside what every operation may answer. @default none */
  readonly writeProblems?: readonly ProblemCode[]
}

export interface ResourceParts extends Shared {
  readonly controllers: ReadonlyMap<string, Controller>
  /** Schemas of the application's own, by the names of their models. */
  readonly bodies: ReadonlyMap<string, CustomBodies>
  readonly files: FileSetup
  /** How replies say where files are. */
  readonly media: Media
}

interface Bounds {
  readonly bodyBounds: BodyBounds
  /** The most bytes of a page of a list. */
  readonly pageBytes: number
  /** Seconds that a transaction may last. */
  readonly transactionTimeout: number
  /** How often a transaction is repeated that others undid. */
  readonly databaseRetries: number
}

export interface Limits extends Omit<ListRules, 'model'>, Bounds {}

export interface Resource extends Shared, Bounds, RefusalContext {
  readonly store: RecordStore
  /** Where a page and its count are read: a replica may lag behind what was written. */
  readonly pageStore: () => RecordStore
  readonly controller: Controller | undefined
  readonly access: Access
  readonly scopes: ScopeContext
  /** To-one relations to models whose scope binds foreign keys. */
  readonly scopedReferences: readonly Relation[]
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
  /** @throws HttpError 400 for a query string that a list cannot have */
  readonly parseList: (raw: string) => ParsedList
}

export const resourcesOf = (
  models: readonly Model[],
  { controllers, bodies, files, media, ...shared }: ResourceParts,
  { bodyBounds, pageBytes, transactionTimeout, databaseRetries, ...limits }: Limits,
): readonly Resource[] => {
  const { source } = shared
  const served = new Set(models.map(({ name }) => name))
  const scopes = { db: source.db, controllers, modelOf: modelIn(source) }
  const parserOf = listParsers()
  const bindsReferences = (name: string): boolean => {
    const controller = controllers.get(name)
    return controller?.hooks.scope !== undefined && controller.bindsReferences !== false
  }
  return models.map((model) => {
    const rules = { model, ...limits }
    const custom = bodies.get(model.name)
    const controller = controllers.get(model.name)
    const access = accessOf(model, controller, shared.authenticate !== undefined)
    const store = source.store(model)
    return {
      ...shared,
      ...{ model, served, store, controller, access, scopes, rules },
      ...{ bodyBounds, pageBytes, transactionTimeout, databaseRetries },
      refusalOf: (error) => source.refusalOf(error),
      pageStore: source.lagging?.(model) ?? (() => store),
      scopedReferences: model.relations.filter(
        (relation) => relation.kind === 'to-one' && bindsReferences(relation.model),
      ),
      bodies: bodyReadersOf(model, custom),
      columns: columnSchemasOf(model),
      jsonSchemas: shownSchemasOf(model, custom),
      serialiser: serialiserOf(model),
      files: modelFilesOf(model, files),
      media: modelMediaOf(model, files, media, access.read === 'public' && !isScoped({ controller })),
      parseList: parserOf(rules),
    }
  })
}

const modelIn =
  ({ models }: ModelSource) =>
  (name: string): Model => {
    const model = models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`There is no model ${name}.`)
    return model
  }

/** Whether a caller may reach a part of the records only. */
export const isScoped = ({ controller }: Pick<Resource, 'controller'>): boolean =>
  controller?.hooks.scope !== undefined

/** The query string of a list as it was parsed, kept for requests that repeat it. */
export interface ParsedList {
  readonly request: ListRequest
  /** What is read for it, once its cursor was found to be good. */
  query?: ListQuery
  /** The last page did not tell the total: the next request counts while it reads. */
  countsAhead: boolean
}

/** Query strings that are kept, of all models together. */
const MOST_PARSED = 1000

/** Their characters, of all together: what was parsed takes many times the space of its text. */
const MOST_CHARACTERS = 500_000

const listParsers = (): ((rules: ListRules) => Resource['parseList']) => {
  const parsed = new LRUCache<string, ParsedList>({
    max: MOST_PARSED,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (_list, key) => key.length,
  })
  return (rules) => (raw) => {
    const key = `${rules.model.name}?${raw}`
    const known = parsed.get(key)
    if (known !== undefined) return known
    const list = { request: parseListRequest(raw, rules), countsAhead: false }
    parsed.set(key, list)
    return list
  }
}

export interface FileSetup {
  readonly storage: FileStorage
  /** How much a form may hold, and how long it may take. */
  readonly limits: MultipartLimits
  /** Which models take forms, by their names. */
  readonly multipart: ReadonlyMap<string, Pick<MultipartModel, 'create' | 'update'>>
}

export interface ModelFiles extends Omit<FileSetup, 'multipart'> {
  /** The fields that hold files, hidden ones too. */
  readonly fields: readonly Field[]
  /** Whether the operation takes a form beside JSON. */
  readonly takesForm: Readonly<Record<'create' | 'update' | 'replace', boolean>>
}

const modelFilesOf = (model: Model, { multipart, ...setup }: FileSetup): ModelFiles | undefined => {
  const { create = false, update = false } = multipart.get(model.name) ?? {}
  const fields = fileFieldsOf(model)
  if (fields.length === 0 && !create && !update) return undefined
  return { ...setup, fields, takesForm: { create, update, replace: update } }
}

export interface ModelMedia extends Media {
  readonly storage: FileStorage
  /** The fields whose files callers can read. Never empty. */
  readonly fields: readonly Field[]
  /** Everybody may read all of them. */
  readonly isOpen: boolean
}

const modelMediaOf = (
  model: Model,
  { storage }: FileSetup,
  media: Media,
  isOpen: boolean,
): ModelMedia | undefined => {
  const fields = fileFieldsOf(model).filter(isReadable)
  return fields.length === 0 ? undefined : { ...media, storage, fields, isOpen }
}
