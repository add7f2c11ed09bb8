import type { Commits } from '../../controller/commits.ts'
import type { Controller } from '../../controller/controller.ts'
import { type Permitting, permissionsOf, undecidedLog } from '../../controller/permissions.ts'
import type { ScopeContext } from '../../controller/scope.ts'
import type { ProblemCode } from '../../error/codes.ts'
import type { OwnCodes } from '../../error/own-codes.ts'
import type { Audited, AuditTrail } from '../../model/audit.ts'
import { hidesRecords, type Model, type Relation } from '../../model/model.ts'
import { onceFor, type Values } from '../../model/objects.ts'
import { openRelations, usableRelations } from '../../model/usable-relations.ts'
import type { Call, Caller } from '../../operation/call.ts'
import type { MemoryBudget } from '../../operation/memory-budget.ts'
import type { BodyBounds } from '../../operation/operation.ts'
import type { RefusalContext } from '../../operation/refusals.ts'
import type { Steps } from '../../operation/steps.ts'
import { type AggregationRequest, parseAggregateRequest } from '../../query/aggregate.ts'
import type { ListRules } from '../../query/settings.ts'
import { type ColumnSchemas, columnSchemasOf } from '../../schema/columns.ts'
import { type BodyReaders, bodyReadersOf, shownSchemasOf } from '../../schema/custom/body-readers.ts'
import type { CustomBodies } from '../../schema/custom/standard-schema.ts'
import type { ModelJsonSchemas, NamedSchema } from '../../schema/json-schema.ts'
import { withRelated } from '../../schema/related.ts'
import { type Serialiser, serialiserOf } from '../../schema/serialiser.ts'
import { paceByRoundTrip, type ShareRead, sharing } from '../../source/sharing.ts'
import type { ModelSource, Row } from '../../source/source.ts'
import type { Media } from '../../upload/media.ts'
import { type ModelComputed, namesOf, withComputedFields } from './computed.ts'
import type { ModelAction } from './model-action.ts'
import {
  type FileSetup,
  type ModelFiles,
  type ModelMedia,
  modelFilesOf,
  modelMediaOf,
} from './model-files.ts'
import { closedIn, lackingIn, type Narrowing } from './narrowing.ts'
import { detailParser, type ListParsers, type ParseDetail, type ParseList } from './parsers.ts'
import { type Records, recordsOf } from './records.ts'

export interface Shared {
  readonly source: ModelSource
  readonly commits: Commits
  /** What requests take before they read large records, by their call. */
  readonly memory: MemoryBudget
  /** Authenticates a request. Absent without authentication. */
  readonly authenticate?: (call: Call) => Steps<Caller | undefined>
  /** Whether a function of the application authenticates callers. */
  readonly ownAuthentication?: boolean
  /** The codes of the application. */
  readonly codes?: OwnCodes | undefined
  /** @default writes are not recorded */
  readonly audit?: AuditTrail | undefined
  /** The additional problems of authentication for writes. @default none */
  readonly writeProblems?: readonly ProblemCode[]
}

export interface ResourceParts extends Shared {
  readonly controllers: ReadonlyMap<string, Controller>
  /** By model name. */
  readonly computed: ReadonlyMap<string, readonly ModelComputed[]>
  /** Custom schemas by model name. */
  readonly bodies: ReadonlyMap<string, CustomBodies>
  /** Actions by model name. */
  readonly actions: ReadonlyMap<string, readonly ModelAction[]>
  readonly files: FileSetup
  /** How responses show the URLs of files. */
  readonly media: Media
  readonly parsers: ListParsers
  /** For callers whose `access` narrows the models. @default the models are those of all callers */
  readonly narrowing?: Narrowing
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
  /** The maximum number of records that one bulk request writes. */
  readonly bulkMax: number
}

type OfModel = 'model' | 'modelOf' | 'relationsOf' | 'computedOf' | 'relatedSort' | 'dateParts'

export interface Limits extends Omit<ListRules, OfModel>, Bounds {}

export interface Resource extends Shared, Bounds, RefusalContext, Permitting {
  readonly records: Records
  /** Concurrent requests for the same page of the same scope share it. Absent if they do not share reads. */
  readonly sharePage: ShareRead<ShownPage> | undefined
  readonly scopes: ScopeContext
  readonly narrowing: Narrowing | undefined
  /** Fields that a new record needs, and that this caller may not write although others may. @default none */
  readonly lacking: ReadonlySet<string> | undefined
  /** Another served model. */
  readonly related: (model: string) => Resource | undefined
  /** Absent: its writes are not recorded. */
  readonly audited: Audited | undefined
  readonly computed: readonly ModelComputed[]
  /** The relations that clients can use. */
  readonly relations: readonly Relation[]
  /** The same, and those to models whose list clients do not have. */
  readonly openRelations: readonly Relation[]
  /** Another model, which may be a join table that is not served. Then callers need no permission of its own. */
  readonly joined: (model: string) => Resource
  /** To-one relations to models whose scope binds foreign keys, or that hide records. */
  readonly scopedReferences: readonly Relation[]
  readonly actions: readonly ModelAction[]
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
  readonly parseList: ParseList
  /** @throws HttpError 400 for an invalid query string of an aggregation */
  readonly parseAggregation: (raw: string) => AggregationRequest
  readonly parseDetail: ParseDetail
}

export const resourcesOf = (
  models: readonly Model[],
  parts: ResourceParts,
  limits: Limits,
): readonly Resource[] => {
  const related = resourcesIn(models, parts, limits)
  return models.flatMap(({ name }) => related(name) ?? [])
}

/** Each is created when it is first asked for. */
export const resourcesIn = (
  models: readonly Model[],
  {
    controllers,
    computed: computedFields,
    actions,
    bodies,
    files,
    media,
    parsers,
    narrowing,
    ...shared
  }: ResourceParts,
  { bodyBounds, pageBytes, transactionTimeout, databaseRetries, maxChildren, bulkMax, ...limits }: Limits,
): ((model: string) => Resource | undefined) => {
  const { source } = shared
  const named = new Map(models.map((model) => [model.name, model]))
  const served = new Set(named.keys())
  const scopes = { source, controllers, modelOf: modelIn(source) }
  const relationsOf = relationsIn(models, source)
  const canRelate = source.capabilities.relations === true
  const sorts = {
    relatedSort: canRelate && source.capabilities.relatedSort === true,
    dateParts: source.capabilities.dateParts === true,
  }
  const servedOf = (name: string): Model | undefined => models.find((model) => model.name === name)
  const open = (model: Model): readonly Relation[] => (canRelate ? openRelations(model, servedOf) : [])
  const { sharedReads: isShared, synchronous } = source.capabilities
  const pace = isShared === true && synchronous !== true ? paceByRoundTrip() : undefined
  const bindsReferences = (name: string): boolean => {
    const controller = controllers.get(name)
    return controller?.hooks.scope !== undefined && controller.bindsReferences !== false
  }
  const isChecked = (name: string): boolean => bindsReferences(name) || hidesRecords(scopes.modelOf(name))
  const computedOf = ({ name }: Model): readonly string[] => namesOf(computedFields.get(name))
  const byName = new Map<string, Resource>()
  const related = (name: string): Resource | undefined => {
    const [known, model] = [byName.get(name), named.get(name)]
    if (known !== undefined || model === undefined) return known
    const made = resourceOf(model)
    byName.set(name, made)
    return made
  }
  const joined = (name: string): Resource =>
    related(name) ?? {
      ...resourceOf(scopes.modelOf(name)),
      permissions: permissionsOf(scopes.modelOf(name), undefined, false),
    }
  const resourceOf = (model: Model): Resource => {
    const computed = computedFields.get(model.name) ?? []
    const rules = { ...{ model, modelOf: scopes.modelOf, relationsOf, computedOf }, ...limits, ...sorts }
    const whole = narrowing?.whole.get(model.name) ?? model
    const closed = narrowing?.closed(model.name)
    const custom = closed === undefined ? bodies.get(model.name) : closedIn(bodies.get(model.name), closed)
    const lacking = closed && lackingIn(model, whole)
    const schemas = withComputedFields(shownSchemasOf(model, custom), computed)
    const relations = [...relationsOf(model).values()].map(({ relation }) => relation)
    const relatedSchemas = relations.map((relation) => ({
      relation,
      record: () => related(relation.model)?.jsonSchemas.list ?? schemas.list,
    }))
    const controller = controllers.get(model.name)
    const permissions = permissionsOf(model, controller, shared.authenticate !== undefined)
    const records = recordsOf(source, { model, whole }, pace)
    const sharePage = pace && sharing<ShownPage>(pace)
    return {
      ...shared,
      ...{ model, served, records, sharePage, controller },
      ...{ permissions, scopes, related, joined, relations, computed },
      ...{ openRelations: open(model), audited: shared.audit?.get(model.name) },
      ...{ custom, rules, narrowing, lacking, actions: actions.get(model.name) ?? [] },
      undecided: undecidedLog(),
      ...{ bodyBounds, pageBytes, transactionTimeout, databaseRetries, maxChildren, bulkMax },
      refusalOf: (error) => source.refusalOf?.(error),
      scopedReferences: model.relations.filter(
        ({ kind, model: target, inherited }) =>
          kind === 'to-one' && inherited === undefined && isChecked(target),
      ),
      bodies: bodyReadersOf(model, custom),
      columns: columnSchemasOf(model, custom?.create?.declared, lacking),
      jsonSchemas: { ...schemas, detail: withRelated(schemas.detail, schemas.detail.name, relatedSchemas) },
      pageItem: withRelated(schemas.list, `${model.name}ListItem`, relatedSchemas),
      serialiser: serialiserOf(model),
      files: modelFilesOf(model, files),
      media: modelMediaOf(model, files, media, {
        isOpen: permissions.read === 'public' && !isScoped({ controller }) && !isNarrowed({ controller }),
        whole,
      }),
      parseList: parsers(rules, narrowing?.id),
      parseDetail: detailParser(rules),
      parseAggregation: (raw) => parseAggregateRequest(raw, rules),
    }
  }
  return related
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

/** Whether callers may read and write different fields of the model. */
export const isNarrowed = ({ controller }: Pick<Resource, 'controller'>): boolean =>
  controller?.hooks.access !== undefined

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
