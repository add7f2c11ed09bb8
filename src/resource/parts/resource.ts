import type { Commits } from '../../controller/commits.ts'
import type { Controller } from '../../controller/controller.ts'
import type { Permitting } from '../../controller/permissions.ts'
import type { ScopeContext, ScopedCall } from '../../controller/scope.ts'
import type { OwnCodes } from '../../error/own-codes.ts'
import type { Audited, AuditTrail } from '../../model/audit.ts'
import type { Deletion, Field, Model, Relation } from '../../model/model.ts'
import type { Values } from '../../model/objects.ts'
import type { Call, Caller } from '../../operation/call.ts'
import type { MemoryBudget } from '../../operation/memory-budget.ts'
import type { BodyBounds } from '../../operation/operation.ts'
import type { AuthProblems, RefusalContext } from '../../operation/refusals.ts'
import type { Steps } from '../../operation/steps.ts'
import type { Transactional } from '../../operation/transaction.ts'
import type { AggregationRequest } from '../../query/aggregate.ts'
import type { Include } from '../../query/ast.ts'
import type { ListQuery } from '../../query/list-query.ts'
import type { Guards } from '../../query/related.ts'
import type { ListRules } from '../../query/settings.ts'
import type { RelatedModel } from '../../query/tally.ts'
import type { ColumnSchemas } from '../../schema/columns.ts'
import type { BodyReaders } from '../../schema/custom/body-readers.ts'
import type { CustomBodies } from '../../schema/custom/standard-schema.ts'
import type { Envelope } from '../../schema/envelope.ts'
import type { ModelJsonSchemas, NamedSchema } from '../../schema/json-schema.ts'
import type { Serialiser, WrittenMembers } from '../../schema/serialiser.ts'
import type { ShareRead } from '../../source/sharing.ts'
import type { ModelSource, Row } from '../../source/source.ts'
import type { Media } from '../../upload/media.ts'
import type { Declarations, ModelAction, ModelComputed } from './declared.ts'
import type { FileSetup, ModelFiles, ModelMedia } from './files.ts'
import type { ListParsers, ParseDetail, ParseList } from './parsers.ts'
import type { MemoryBounds, Records } from './records.ts'

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
  /** The additional problems of authentication. @default none */
  readonly authProblems?: AuthProblems
}

export interface ResourceParts extends Shared, Declarations {
  readonly controllers: ReadonlyMap<string, Controller>
  /** Custom schemas by model name. */
  readonly bodies: ReadonlyMap<string, CustomBodies>
  readonly files: FileSetup
  /** How responses show the URLs of files. */
  readonly media: Media
  /** The names of members of lists. */
  readonly envelope: Envelope
  /** The names of join tables that callers need no permission for. */
  readonly pureJoins: ReadonlySet<string>
  readonly parsers: ListParsers
  /** For callers whose `access` narrows the models. @default the models are those of all callers */
  readonly narrowing?: Narrowing
}

/** How models are narrowed for some callers. */
export interface Narrowing {
  /** Distinguishes cached queries. */
  readonly id: number
  /** The models as all callers together see them, by name. */
  readonly whole: ReadonlyMap<string, Model>
  /** The fields of a model that the caller may not write. */
  readonly closed: (model: string) => ReadonlySet<string>
  /** @throws HttpError 403 if the access of the caller is another one by now */
  readonly confirm: (call: Call) => Steps<void>
}

interface BodyLimits {
  readonly bodyBounds: BodyBounds
  /** The maximum number of related records that one body writes. */
  readonly maxChildren: number
  /** The maximum number of records that one bulk request writes. */
  readonly bulkMax: number
}

type OfModel =
  | 'model'
  | 'modelOf'
  | 'relationsOf'
  | 'computedOf'
  | 'relatedSort'
  | 'dateParts'
  | 'countsDistinct'
  | 'having'
  | 'secret'

export interface Limits
  extends Omit<ListRules, OfModel>,
    BodyLimits,
    Pick<MemoryBounds, 'pageBytes'>,
    Omit<Transactional, 'source'> {
  /** Called only if a model has cursor pages. @throws StartError in production without `SECRET_KEY` */
  readonly cursorSecret: () => string
}

/** Who may do what to the records of a model. */
export interface CallerAccess
  extends Permitting,
    Pick<Shared, 'authenticate' | 'ownAuthentication' | 'authProblems'> {
  readonly scopes: ScopeContext
  /** Absent: every caller has the same fields. */
  readonly narrowing: Narrowing | undefined
  /** Fields that a new record needs, and that this caller may not write although others may. @default none */
  readonly lacking: ReadonlySet<string> | undefined
  /** To-one relations to models whose scope binds foreign keys, or that hide records. */
  readonly scopedReferences: readonly Relation[]
  /** The model of the audit entries of its writes, if that has a scope. */
  readonly scopedEntries: Model | undefined
  /**
   * The model that the caller must be allowed to list: that of the use, or, if the model is a pure join table, the one at the start of
   * its relation, because the one at the end is a use of its own. `undefined`: the model is not served.
   */
  readonly listedFor: (use: RelatedModel) => Includable | undefined
  /**
   * Checks that the caller may list each related model that a request leads to, as its own list does, and determines the scopes of
   * all. It leaves out optional ones, and does not run their scopes, which may expect a caller who may list the model.
   *
   * @throws HttpError 401, 403 that names the parameter
   */
  readonly reach: (scoped: ScopedCall, models: readonly RelatedModel[]) => Steps<Reach>
}

/** The records of related models that a caller can reach. */
export interface Reach extends Guards {
  /** A related model, whose records the response may include. */
  readonly related: (model: string) => Includable | undefined
  /** Leaves out what the application includes although the caller may not list it. */
  readonly listed: (includes: readonly Include[]) => readonly Include[]
  /** No related model has a scope. */
  readonly isOpen: boolean
  /** A hook of the application gets related records, so concurrent requests cannot share them. */
  readonly runsHooks: boolean
  /** Unique among these scopes and what is left out. `undefined`: concurrent requests cannot share what depends on them. */
  readonly text: string | undefined
}

/** What including the records of a model needs of it. */
export type Includable = Pick<Resource, 'model' | 'access' | 'records' | 'bodies'>

/** The way to its records, and what happens around their statements. */
export interface ModelRecords extends Records, Transactional, MemoryBounds, Pick<Shared, 'commits'> {
  readonly source: ModelSource
  /** Concurrent requests for the same page of the same scope share it. Absent if they do not share reads. */
  readonly sharePage: ShareRead<ShownPage> | undefined
  /** Absent: its writes are not recorded. */
  readonly audited: Audited | undefined
  /** The same, which also show deleted records, or show only those. Requests do not share their reads. */
  readonly seeing: (deleted: Deletion) => ModelRecords
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
  readonly envelope: Envelope
  readonly computed: readonly ModelComputed[]
  readonly actions: readonly ModelAction[]
  /** Absent for a model without files and forms. */
  readonly files: ModelFiles | undefined
  /** Absent if callers cannot read files of the model. */
  readonly media: ModelMedia | undefined
  /** The relations whose records bodies write: those that `modelConfig.X.write` opens. */
  readonly nested: () => readonly NestedTarget[]
}

/** What may be asked for, how much of it, and what errors may name. */
export interface Rules extends ListRules, RefusalContext, BodyLimits, Pick<Shared, 'codes'> {
  /** The relations that clients can use. */
  readonly relations: readonly Relation[]
  /** The same, and those to models without the operation `related`. */
  readonly openRelations: readonly Relation[]
  readonly parseList: ParseList
  /** @throws HttpError 400 for an invalid query string of an aggregation */
  readonly parseAggregation: (raw: string) => AggregationRequest
  readonly parseDetail: ParseDetail
  /** Conditions may lead through relations. */
  readonly hasRelations: boolean
  /** The database tells apart all strings that differ. */
  readonly exactText: boolean
  /** Clients that have the list can aggregate it. */
  readonly aggregates: boolean
}

/** What the operations of a model are made of. */
export interface Resource {
  readonly model: Model
  readonly access: CallerAccess
  readonly records: ModelRecords
  readonly bodies: Bodies
  readonly rules: Rules
  /** Another served model. Requests come to others by `access.reach` and `bodies.nested`. */
  readonly related: (model: string) => Resource | undefined
}

/** The members and places that lead to a part of a body. */
export type Path = readonly PropertyKey[]

/** Records that a body writes: those of a model, or those of a relation. */
export interface WriteTarget extends Omit<Resource, 'related'> {
  /** The same as a body sees it: clients do not send the foreign key to the parent. */
  readonly part: Pick<Resource, 'model' | 'bodies'>
  /** Fields that tell its record from the others, of the same parent if there is one. */
  readonly keys: readonly Field[]
  /** Fields that refer to the parent. Empty: there is none. */
  readonly foreign: readonly string[]
  /** The records are those of a join table, and the body has their keys. */
  readonly isLink: boolean
  /** The error for records that do not exist. @param paths where the body has them */
  readonly missing: (paths: readonly Path[]) => Error
}

/** A relation whose records are written in the bodies of a model: the children, or the records of a join table. */
export interface NestedTarget extends WriteTarget {
  readonly relation: Relation
  /** Fields of the parent, in the order of `foreign`. */
  readonly references: readonly string[]
  /** For a join table: its relation to the records at the other end. */
  readonly far?: Relation
  /** For a pure join table: the access to the records at the other end, which the caller must be allowed to list. */
  readonly otherEnd?: CallerAccess
}

type HasController = Pick<CallerAccess, 'controller'>

/** Whether a scope limits the records of the model. */
export const isScoped = ({ controller }: HasController): boolean => controller?.hooks.scope !== undefined

/** Whether callers may read and write different fields of the model. */
export const isNarrowed = ({ controller }: HasController): boolean => controller?.hooks.access !== undefined

export interface Page {
  readonly rows: readonly Row[]
  /** The number of matching records. Null if they were not counted. */
  readonly count: number | null
  readonly exact: boolean
  /** With cursor paging, the cursor of the next page. Null on the last page. */
  readonly next?: string | null
}

/** Records that a response shows. */
export interface ShownRecords {
  readonly page: Pick<Page, 'rows'>
  /** The records that a hook returned instead. */
  readonly shown?: readonly object[]
  /** Computed fields, which are added to the JSON of each record. */
  readonly members?: readonly Values[]
}

export interface ShownPage extends ShownRecords {
  readonly page: Page
  /** What the client asked for. */
  readonly query: ListQuery
  /** What includes add to the JSON of each record. */
  readonly included?: WrittenMembers
  /** Its JSON, once it is written: concurrent requests may share a page. */
  text?: string
}
