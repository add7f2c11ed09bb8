import { LRUCache } from 'lru-cache'
import type { Commits } from '../controller/commits.ts'
import type { Controller } from '../controller/hooks.ts'
import { accessOf, type Permitting, undecidedLog } from '../controller/permissions.ts'
import type { ScopeContext } from '../controller/scope.ts'
import type { ProblemCode } from '../error/codes.ts'
import { StartError } from '../error/errors.ts'
import type { OwnCodes } from '../error/own-codes.ts'
import type { Model, Relation } from '../model/model.ts'
import { onceFor, type Values } from '../model/objects.ts'
import { openRelations, usableRelations } from '../model/usable-relations.ts'
import type { Call, Caller } from '../operation/call.ts'
import type { BodyBounds } from '../operation/operation.ts'
import type { RefusalContext } from '../operation/refusals.ts'
import type { Steps } from '../operation/steps.ts'
import { type AggregationRequest, parseAggregateRequest } from '../query/aggregate.ts'
import {
  type IncludeRequest,
  type ListQuery,
  type ListRequest,
  parseDetailRequest,
  parseListRequest,
} from '../query/list-query.ts'
import type { ListRules } from '../query/settings.ts'
import type { RelatedModel } from '../query/tally.ts'
import { type BodyReaders, bodyReadersOf, shownSchemasOf } from '../schema/body-readers.ts'
import { type ColumnSchemas, columnSchemasOf } from '../schema/columns.ts'
import type { CustomBodies } from '../schema/custom/standard-schema.ts'
import type { ModelJsonSchemas, NamedSchema } from '../schema/json-schema.ts'
import { withRelated } from '../schema/related.ts'
import { type Serialiser, serialiserOf } from '../schema/serialiser.ts'
import { type Reader, sharedReads } from '../source/shared-reads.ts'
import { paceByRoundTrip, type Share, sharing } from '../source/sharing.ts'
import type { ModelSource, RecordStore, Row } from '../source/source.ts'
import type { Media } from '../upload/media.ts'
import {
  type FileSetup,
  type ModelFiles,
  type ModelMedia,
  modelFilesOf,
  modelMediaOf,
} from './model-files.ts'

export interface Shared {
  readonly source: ModelSource
  readonly commits: Commits
  /** Authenticates a request. Absent without authentication. */
  readonly authenticate?: (call: Call) => Steps<Caller | undefined>
  /** Whether a function of the application authenticates callers. */
  readonly ownAuthentication?: boolean
  /** The codes of the application. */
  readonly codes?: OwnCodes | undefined
  /** The additional problems of authentication for writes. @default none */
  readonly writeProblems?: readonly ProblemCode[]
}

export interface ResourceParts extends Shared {
  readonly controllers: ReadonlyMap<string, Controller>
  /** Custom schemas by model name. */
  readonly bodies: ReadonlyMap<string, CustomBodies>
  readonly files: FileSetup
  /** How responses show the URLs of files. */
  readonly media: Media
}

interface Bounds {
  readonly bodyBounds: BodyBounds
  /** The maximum size of a page in bytes. */
  readonly pageBytes: number
  /** The maximum duration of a transaction in seconds. */
  readonly transactionTimeout: number
  /** How often a transaction is retried after a conflict. */
  readonly databaseRetries: number
  /** The maximum number of related records that one body writes. */
  readonly maxChildren: number
}

export interface Limits extends Omit<ListRules, 'model' | 'modelOf' | 'relationsOf'>, Bounds {}

export interface Resource extends Shared, Bounds, RefusalContext, Permitting {
  readonly store: RecordStore
  /** Its reads may return the same row to several requests, so hooks and permissions must not get them. */
  readonly sharedStore: Reader
  /** The store for pages and counts: a replica, which may lag behind. */
  readonly pageStore: () => RecordStore
  /** Concurrent requests for the same page of the same scope share it. Absent if they do not share reads. */
  readonly sharePage: Share<ShownPage> | undefined
  readonly scopes: ScopeContext
  /** Another served model. */
  readonly related: (model: string) => Resource | undefined
  /** The relations that clients can use. */
  readonly relations: readonly Relation[]
  /** The same, and those to models whose list clients do not have. */
  readonly openRelations: readonly Relation[]
  /** Another model, which may be a join table that is not served. Then callers need no permission of its own. */
  readonly joined: (model: string) => Resource
  /** To-one relations to models whose scope binds foreign keys. */
  readonly scopedReferences: readonly Relation[]
  readonly bodies: BodyReaders
  readonly custom: CustomBodies | undefined
  /** Checks the results of hooks and custom schemas. */
  readonly columns: ColumnSchemas
  readonly jsonSchemas: ModelJsonSchemas
  /** The schema of a record on a page. */
  readonly pageItem: NamedSchema
  readonly serialiser: Serialiser
  /** Absent for a model without files and forms. */
  readonly files: ModelFiles | undefined
  /** Absent if callers cannot read files of the model. */
  readonly media: ModelMedia | undefined
  readonly rules: ListRules
  /** @throws HttpError 400 for an invalid query string */
  readonly parseList: (raw: string) => ParsedList
  /** @throws HttpError 400 for an invalid query string of an aggregation */
  readonly parseAggregation: (raw: string) => AggregationRequest
  /** @throws HttpError 400 for an invalid query string of a single record */
  readonly parseDetail: (raw: string) => IncludeRequest
}

export const resourcesOf = (
  models: readonly Model[],
  { controllers, bodies, files, media, ...shared }: ResourceParts,
  { bodyBounds, pageBytes, transactionTimeout, databaseRetries, maxChildren, ...limits }: Limits,
): readonly Resource[] => {
  const { source } = shared
  const served = new Set(models.map(({ name }) => name))
  const scopes = { db: source.db, controllers, modelOf: modelIn(source) }
  const relationsOf = relationsIn(models, source)
  const canRelate = source.capabilities.relations === true
  const servedOf = (name: string): Model | undefined => models.find((model) => model.name === name)
  const open = (model: Model): readonly Relation[] => (canRelate ? openRelations(model, servedOf) : [])
  const parserOf = listParsers()
  const { sharedReads: isShared, synchronous } = source.capabilities
  const pace = isShared === true && synchronous !== true ? paceByRoundTrip() : undefined
  const bindsReferences = (name: string): boolean => {
    const controller = controllers.get(name)
    return controller?.hooks.scope !== undefined && controller.bindsReferences !== false
  }
  const byName = new Map<string, Resource>()
  const related = (name: string): Resource | undefined => byName.get(name)
  const joined = (name: string): Resource =>
    byName.get(name) ?? {
      ...resourceOf(scopes.modelOf(name)),
      access: accessOf(scopes.modelOf(name), undefined, false),
    }
  const resourceOf = (model: Model): Resource => {
    const rules = { ...{ model, modelOf: scopes.modelOf, relationsOf }, ...limits }
    const custom = bodies.get(model.name)
    const schemas = shownSchemasOf(model, custom)
    const relations = [...relationsOf(model).values()].map(({ relation }) => relation)
    const relatedSchemas = relations.map((relation) => ({
      relation,
      record: () => related(relation.model)?.jsonSchemas.list ?? schemas.list,
    }))
    const controller = controllers.get(model.name)
    const access = accessOf(model, controller, shared.authenticate !== undefined)
    const store = source.store(model)
    const sharedStore = pace === undefined ? store : sharedReads(store, model, pace)
    const sharePage = pace && sharing<ShownPage>(pace)
    return {
      ...shared,
      ...{
        model,
        served,
        store,
        sharedStore,
        sharePage,
        controller,
        access,
        scopes,
        related,
        joined,
        relations,
        openRelations: open(model),
      },
      ...{ custom, rules },
      undecided: undecidedLog(),
      ...{ bodyBounds, pageBytes, transactionTimeout, databaseRetries, maxChildren },
      refusalOf: (error) => source.refusalOf?.(error),
      pageStore: () => source.store(model, 'page'),
      scopedReferences: model.relations.filter(
        (relation) => relation.kind === 'to-one' && bindsReferences(relation.model),
      ),
      bodies: bodyReadersOf(model, custom),
      columns: columnSchemasOf(model, custom?.create?.declared),
      jsonSchemas: { ...schemas, detail: withRelated(schemas.detail, schemas.detail.name, relatedSchemas) },
      pageItem: withRelated(schemas.list, `${model.name}ListItem`, relatedSchemas),
      serialiser: serialiserOf(model),
      files: modelFilesOf(model, files),
      media: modelMediaOf(model, files, media, access.read === 'public' && !isScoped({ controller })),
      parseList: parserOf(rules),
      parseDetail: detailParser(rules),
      parseAggregation: (raw) => parseAggregateRequest(raw, rules),
    }
  }
  for (const model of models) byName.set(model.name, resourceOf(model))
  return [...byName.values()]
}

/** The relations of each served model that clients can use. */
const relationsIn = (models: readonly Model[], { capabilities }: ModelSource): ListRules['relationsOf'] => {
  const byName = new Map(models.map((model) => [model.name, model]))
  const servedOf = (name: string): Model | undefined => byName.get(name)
  return onceFor((model) => {
    const usable = capabilities.relations === true ? usableRelations(model, servedOf) : []
    return new Map(
      usable.flatMap((relation) => {
        const target = servedOf(relation.model)
        return target === undefined ? [] : [[relation.name, { relation, target }] as const]
      }),
    )
  })
}

const modelIn =
  ({ models }: ModelSource) =>
  (name: string): Model => {
    const model = models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`Unknown model ${name}.`)
    return model
  }

/** Whether a scope limits the records of the model. */
export const isScoped = ({ controller }: Pick<Resource, 'controller'>): boolean =>
  controller?.hooks.scope !== undefined

export interface Page {
  readonly rows: readonly Row[]
  /** The number of matching records. Null if they were not counted. */
  readonly count: number | null
  readonly exact: boolean
  /** With cursor paging, the cursor of the next page. Null on the last page. */
  readonly next?: string | null
}

export interface ShownPage {
  readonly page: Page
  readonly fields: readonly string[] | undefined
  /** The records that a hook returned instead. */
  readonly shown?: readonly object[]
  /** What includes add to the JSON of each record. */
  readonly members?: readonly Values[]
  /** Its JSON, once it is written: concurrent requests may share a page. */
  text?: string
}

/** A parsed query string of a list, cached for repeated requests. */
export interface ParsedList {
  readonly request: ListRequest
  /** The query to run, once the cursor has been verified. */
  query?: ListQuery
  /** The models that the query leads to. */
  related?: readonly RelatedModel[]
  /** The previous page did not reveal the total, so the next request counts in parallel. */
  countsAhead: boolean
  /** Identifies the query string among those of its model. Absent: a hook made the request. */
  readonly id?: string
}

/** The maximum number of cached query strings of all models. */
const MOST_PARSED = 1000

/**
 * The maximum total length of cached query strings in characters. Parsed queries take many times the space of their text.
 */
const MOST_CHARACTERS = 500_000

const listParsers = (): ((rules: ListRules) => Resource['parseList']) => {
  const parsed = new LRUCache<string, ParsedList>({
    max: MOST_PARSED,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (_list, key) => key.length,
  })
  let ids = 0
  return (rules) => (raw) => {
    const key = `${rules.model.name}?${raw}`
    const known = parsed.get(key)
    if (known !== undefined) return known
    const list: ParsedList = { request: parseListRequest(raw, rules), countsAhead: false, id: String(ids++) }
    parsed.set(key, list)
    return list
  }
}

/** @throws StartError for a default `include` beyond the limits of requests */
const startRequest = (rules: ListRules): IncludeRequest => {
  try {
    return parseDetailRequest('', rules)
  } catch (error) {
    const detail = error instanceof Error ? error.message : ''
    throw new StartError(`modelConfig.${rules.model.name}.include: ${detail}`, { cause: error })
  }
}

/** Most requests for a single record have no query string. */
const detailParser = (rules: ListRules): Resource['parseDetail'] => {
  const plain = startRequest(rules)
  return (raw) => (raw === '' ? plain : parseDetailRequest(raw, rules))
}
