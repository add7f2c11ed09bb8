import { LRUCache } from 'lru-cache'
import type { Commits } from '../controller/commits.ts'
import type { Controller } from '../controller/hooks.ts'
import {
  type Access,
  accessOf,
  assertCaller,
  authorise,
  identify,
  needsCaller,
  type Verb,
  verbs,
} from '../controller/permissions.ts'
import { guardOf, type ScopeContext, type ScopedCall, unscoped } from '../controller/scope.ts'
import type { ProblemCode } from '../error/codes.ts'
import { fileFieldsOf } from '../model/kinds/index.ts'
import { type Field, isReadable, type Model, type Relation } from '../model/model.ts'
import { type Awaitable, isPromise, onceFor, ownValue } from '../model/objects.ts'
import type { Call, Caller } from '../operation/call.ts'
import type { BodyBounds } from '../operation/operation.ts'
import type { RefusalContext } from '../operation/refusals.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { type ListQuery, type ListRequest, listQueryOf, parseListRequest } from '../query/list-query.ts'
import type { ListRules } from '../query/settings.ts'
import { type BodyReaders, bodyReadersOf, shownSchemasOf } from '../schema/body-readers.ts'
import { type ColumnSchemas, columnSchemasOf } from '../schema/columns.ts'
import type { CustomBodies } from '../schema/custom/standard-schema.ts'
import type { ModelJsonSchemas } from '../schema/json-schema.ts'
import { type Serialiser, serialiserOf } from '../schema/serialiser.ts'
import type { ModelSource, RecordStore, Row } from '../source/source.ts'
import {
  addressPath,
  type FileAddress,
  type GivenSignature,
  lastName,
  type Media,
  signedQuery,
  signedUntil,
  validityAt,
} from '../upload/media.ts'
import type { MultipartModel } from '../upload/multipart-models.ts'
import type { MultipartLimits } from '../upload/multipart-settings.ts'
import { type FileStorage, StorageError } from '../upload/storage.ts'
import { writeKey } from './key.ts'

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
export interface Resource extends RefusalContext {
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

/** What the resources of an application have around them. */
interface Surroundings {
  readonly source: ModelSource
  readonly controllers: ReadonlyMap<string, Controller>
  readonly commits: Commits
  /** Finds out who sent a request. Absent: nobody asks. */
  readonly authenticate?: (call: Call) => Steps<Caller | undefined>
  /** How that may refuse a request that writes, beside what every operation may answer. @default none */
  readonly writeProblems?: readonly ProblemCode[]
  /** Schemas of the application's own, by the names of their models. */
  readonly bodies: ReadonlyMap<string, CustomBodies>
  /** Absent: no model has files or takes forms. */
  readonly files?: FileSetup
  /** How replies say where files are. Absent: no model has files. */
  readonly media?: Media
}

/** What a transaction may take. */
interface TransactionBounds {
  /** Seconds that it may last. */
  readonly transactionTimeout: number
  /** How often it is done again where others undid it. */
  readonly databaseRetries: number
}

/** What stands around the acts on one model: its controller, and what limits whom it may reach. */
export interface Around extends Surroundings, TransactionBounds {
  readonly controller: Controller | undefined
  /** To-one relations to models whose scope binds foreign keys. */
  readonly scopedReferences: readonly Relation[]
  readonly reaching: ScopeContext
  readonly access: Access
  /** Lets a request pass that may do this, and says what its caller may reach. */
  readonly enter: (verb: Verb) => (call: Call) => Steps<ScopedCall>
}

const aroundOf = (model: Model, surroundings: Surroundings, bounds: TransactionBounds): Around => {
  const { source, controllers, authenticate } = surroundings
  const { db } = source
  const reaching: ScopeContext = { db, controllers, modelOf: modelIn(source) }
  const isScoped = (name: string): boolean => controllers.get(name)?.hooks.scope !== undefined
  const bindsReferences = (name: string): boolean =>
    isScoped(name) && controllers.get(name)?.bindsReferences !== false
  const controller = controllers.get(model.name)
  const access = accessOf(model, controller, authenticate !== undefined)
  return {
    ...surroundings,
    ...bounds,
    controller,
    scopedReferences: model.relations.filter(
      (relation) => relation.kind === 'to-one' && bindsReferences(relation.model),
    ),
    reaching,
    access,
    enter: (verb) => {
      const { act, onRecord } = verbs[verb]
      const permission = access[act]
      const isForKnown = needsCaller({ access, controller }, act)
      const waitsForRecord = onRecord && typeof permission === 'function'
      if (authenticate === undefined && permission === 'public' && !isScoped(model.name))
        return (call) => wait(unscoped(call))
      const isLimited = isScoped(model.name)
      return function* (call) {
        if (authenticate !== undefined) identify(call, yield* authenticate(call))
        if (isForKnown) assertCaller(call)
        else if (typeof permission === 'function' && !waitsForRecord)
          yield* authorise(permission, { call, db })
        const visit = unscoped(call)
        if (isLimited) visit.guard = yield* guardOf(reaching, model, visit)
        return visit
      }
    },
  }
}

const modelIn =
  ({ models }: ModelSource) =>
  (name: string): Model => {
    const model = models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`There is no model ${name}.`)
    return model
  }

/** Query strings that are kept, of all models together. */
const KEPT = 1000

/** Their characters, of all together: what has been read takes many times the space of its text. */
const KEPT_CHARACTERS = 500_000

/** Reads the query strings of a model's lists. */
interface QueryReader {
  /** @throws HttpError 400 */
  readonly ask: (raw: string) => ListRequest
  /** @throws HttpError 400 for a foreign cursor */
  readonly queryOf: (asked: ListRequest) => ListQuery
}

/** Makes the readers of all models. A query string that clients send again and again is read once. */
const keptQueries = (): ((rules: ListRules) => QueryReader) => {
  const kept = new LRUCache<string, ListRequest>({
    max: KEPT,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_asked, key) => key.length,
  })
  return (rules) => ({
    ask: (raw) => {
      const key = `${rules.model.name}?${raw}`
      const known = kept.get(key)
      if (known !== undefined) return known
      const asked = parseListRequest(raw, rules)
      kept.set(key, asked)
      return asked
    },
    queryOf: onceFor((asked) => listQueryOf(asked, rules)),
  })
}

/** What an application does with files and forms. */
export interface FileSetup {
  readonly storage: FileStorage
  /** How much a form may hold, and how long it may take. */
  readonly limits: MultipartLimits
  /** Which models take forms, by their names. */
  readonly multipart: ReadonlyMap<string, Pick<MultipartModel, 'create' | 'update'>>
}

/** What the acts on one model do with files and forms. */
interface ModelFiles extends Omit<FileSetup, 'multipart'> {
  /** The fields that hold files, hidden ones too. */
  readonly fields: readonly Field[]
  /** Whether the act takes a form beside JSON. */
  readonly takesForm: Readonly<Record<'create' | 'update' | 'replace', boolean>>
}

/** `undefined`: the model has no files and takes no forms. */
const modelFilesOf = (model: Model, setup: FileSetup | undefined): ModelFiles | undefined => {
  if (setup === undefined) return undefined
  const { multipart, ...rest } = setup
  const { create = false, update = false } = multipart.get(model.name) ?? {}
  const fields = fileFieldsOf(model)
  if (fields.length === 0 && !create && !update) return undefined
  return { ...rest, fields, takesForm: { create, update, replace: update } }
}

/** How the files of one model are shown and served. */
export interface ModelMedia {
  readonly storage: FileStorage
  /** The fields whose files callers can read. Never empty. */
  readonly fields: readonly Field[]
  /** Everybody may read all of them. */
  readonly isOpen: boolean
  /** Where a reply says that the file is which a record holds: the storage's own URL where it serves files itself. */
  readonly urlOf: (row: Row, field: Field, key: string) => Awaitable<string>
  /** Until when a signature lets anybody read a file. */
  readonly signedUntil: (address: FileAddress, shown: GivenSignature) => Date | undefined
}

/** `undefined`: callers read no files of this model. */
const modelMediaOf = (model: Model, around: Around): ModelMedia | undefined => {
  const { media, files } = around
  const fields = fileFieldsOf(model).filter(isReadable)
  if (media === undefined || files === undefined || fields.length === 0) return undefined
  const { storage } = files
  const { url, secret, seconds } = media
  const isOpen = around.access.read === 'public' && around.controller?.hooks.scope === undefined
  const ownUrl = (row: Row, field: Field, key: string): string => {
    const address = { model: model.path, id: writeKey(model, row), field: field.name, name: lastName(key) }
    const plain = url + addressPath(address)
    if (secret === undefined || isOpen) return plain
    return `${plain}?${signedQuery(address, secret, validityAt(Date.now(), seconds).until)}`
  }
  return {
    storage,
    fields,
    isOpen,
    urlOf: (row, field, key) => {
      if (storage.signedUrl === undefined) return ownUrl(row, field, key)
      return storage.signedUrl(key, validityAt(Date.now(), seconds)).catch((error: unknown) => {
        // What is shown may be committed already: it is served by us then, or refused.
        if (error instanceof StorageError) return ownUrl(row, field, key)
        throw error
      })
    },
    signedUntil: (address, shown) => (secret === undefined ? undefined : signedUntil(address, secret, shown)),
  }
}

/** A record with the URLs of its files in the place of their keys. */
export const withUrls = ({ fields, urlOf }: ModelMedia, row: Row): Awaitable<Row> => {
  const shown = fields.flatMap((field): (readonly [string, Awaitable<string>])[] => {
    const key = ownValue(row, field.name)
    return typeof key === 'string' ? [[field.name, urlOf(row, field, key)]] : []
  })
  if (shown.length === 0) return row
  if (!shown.some(([, url]) => isPromise(url))) return { ...row, ...Object.fromEntries(shown) }
  return Promise.all(shown.map(async ([name, url]) => [name, await url] as const)).then((urls) => ({
    ...row,
    ...Object.fromEntries(urls),
  }))
}
