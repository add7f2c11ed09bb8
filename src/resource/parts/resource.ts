import type { Commits } from '../../controller/commits.ts'
import type { Controller } from '../../controller/controller.ts'
import type { Permitting } from '../../controller/permissions.ts'
import type { ScopeContext } from '../../controller/scope.ts'
import type { ProblemCode } from '../../error/codes.ts'
import type { OwnCodes } from '../../error/own-codes.ts'
import type { Audited, AuditTrail } from '../../model/audit.ts'
import type { Model, Relation } from '../../model/model.ts'
import type { Values } from '../../model/objects.ts'
import type { Call, Caller } from '../../operation/call.ts'
import type { MemoryBudget } from '../../operation/memory-budget.ts'
import type { BodyBounds } from '../../operation/operation.ts'
import type { RefusalContext } from '../../operation/refusals.ts'
import type { Steps } from '../../operation/steps.ts'
import type { Transactional } from '../../operation/transaction.ts'
import type { AggregationRequest } from '../../query/aggregate.ts'
import type { ListRules } from '../../query/settings.ts'
import type { ColumnSchemas } from '../../schema/columns.ts'
import type { BodyReaders } from '../../schema/custom/body-readers.ts'
import type { CustomBodies } from '../../schema/custom/standard-schema.ts'
import type { ModelJsonSchemas, NamedSchema } from '../../schema/json-schema.ts'
import type { Serialiser } from '../../schema/serialiser.ts'
import type { ShareRead } from '../../source/sharing.ts'
import type { ModelSource, Row } from '../../source/source.ts'
import type { Media } from '../../upload/media.ts'
import type { ModelComputed } from './computed.ts'
import type { ModelAction } from './model-action.ts'
import type { FileSetup, ModelFiles, ModelMedia } from './model-files.ts'
import type { Narrowing } from './narrowing.ts'
import type { ListParsers, ParseDetail, ParseList } from './parsers.ts'
import type { Records } from './records.ts'

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

interface PageBounds {
  readonly bodyBounds: BodyBounds
  /** The maximum size of a page in bytes. */
  readonly pageBytes: number
  /** The maximum number of related records that one body writes. */
  readonly maxChildren: number
  /** The maximum number of records that one bulk request writes. */
  readonly bulkMax: number
}

type OfModel = 'model' | 'modelOf' | 'relationsOf' | 'computedOf' | 'relatedSort' | 'dateParts'

export interface Limits extends Omit<ListRules, OfModel>, PageBounds, Omit<Transactional, 'source'> {}

/** Who may do what to the records of a model. */
export interface CallerAccess
  extends Permitting,
    Pick<Shared, 'authenticate' | 'ownAuthentication' | 'writeProblems'> {
  readonly scopes: ScopeContext
  /** Absent: every caller has the same fields. */
  readonly narrowing: Narrowing | undefined
  /** Fields that a new record needs, and that this caller may not write although others may. @default none */
  readonly lacking: ReadonlySet<string> | undefined
  /** To-one relations to models whose scope binds foreign keys, or that hide records. */
  readonly scopedReferences: readonly Relation[]
}

/** The way to its records, and what happens around their statements. */
export interface ModelRecords extends Records, Transactional, Pick<Shared, 'commits' | 'memory' | 'audit'> {
  /** Concurrent requests for the same page of the same scope share it. Absent if they do not share reads. */
  readonly sharePage: ShareRead<ShownPage> | undefined
  /** Absent: its writes are not recorded. */
  readonly audited: Audited | undefined
}

/** What goes over the wire. */
export interface Bodies extends BodyReaders {
  readonly custom: CustomBodies | undefined
  /** Checks the results of hooks and custom schemas. */
  readonly columns: ColumnSchemas
  readonly jsonSchemas: ModelJsonSchemas
  /** The schema of a record on a page. */
  readonly pageItem: NamedSchema
  readonly serialiser: Serialiser
  readonly computed: readonly ModelComputed[]
  readonly actions: readonly ModelAction[]
  /** Absent for a model without files and forms. */
  readonly files: ModelFiles | undefined
  /** Absent if callers cannot read files of the model. */
  readonly media: ModelMedia | undefined
}

/** What may be asked for, how much of it, and what errors may name. */
export interface Rules extends ListRules, RefusalContext, PageBounds, Pick<Shared, 'codes'> {
  /** The relations that clients can use. */
  readonly relations: readonly Relation[]
  /** The same, and those to models whose list clients do not have. */
  readonly openRelations: readonly Relation[]
  readonly parseList: ParseList
  /** @throws HttpError 400 for an invalid query string of an aggregation */
  readonly parseAggregation: (raw: string) => AggregationRequest
  readonly parseDetail: ParseDetail
}

/** What the operations of a model are made of. */
export interface Resource {
  readonly model: Model
  readonly access: CallerAccess
  readonly records: ModelRecords
  readonly bodies: Bodies
  readonly rules: Rules
  /** Another served model. */
  readonly related: (model: string) => Resource | undefined
  /** Another model, which may be a join table that is not served. Then callers need no permission of its own. */
  readonly joined: (model: string) => Resource
}

interface HasController {
  readonly access: Pick<CallerAccess, 'controller'>
}

/** Whether a scope limits the records of the model. */
export const isScoped = ({ access }: HasController): boolean => access.controller?.hooks.scope !== undefined

/** Whether callers may read and write different fields of the model. */
export const isNarrowed = ({ access }: HasController): boolean =>
  access.controller?.hooks.access !== undefined

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
