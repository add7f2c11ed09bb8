import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { ModelRest } from '../app/model-rest.ts'
import type { ModelRestOptions } from '../app/options.ts'
import { loggedNodeApp } from '../host/node/index.ts'
import type { Model } from '../model/model.ts'
import type { ModelConfig } from '../model/setup/configure.ts'
import { inOneLine, type Log, stderrLog } from '../observe/log.ts'
import { type CatalogSource, catalogSource } from '../source/catalog/index.ts'
import type { SqlConnection, SqlDatabase } from '../source/sql/port.ts'
import type { DatabaseAddress } from './address.ts'
import { hasToken } from './front.ts'
import type { OpeningOptions } from './opened.ts'
import { isOfMigration } from './refusals.ts'

/** How a database is served. */
export interface ServeOptions extends Pick<OpeningOptions, 'writes' | 'timeout' | 'load'> {
  /** A file of SQLite, or a URL. */
  readonly database: string
  /** The folder that a path is relative to. */
  readonly folder: string
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** The token that requests need, all of them or only writes. Absent: they need none. */
  readonly token?: { readonly value: string; readonly for: 'everything' | 'writes' }
  readonly only?: readonly string[]
  readonly exclude?: readonly string[]
  readonly schemas?: readonly string[]
  readonly comments: boolean
  /** Whether the routes of writes exist although the database refuses them, for a test. @default as `writes` */
  readonly writeRoutes?: boolean
}

/** What a service says of itself. */
export interface ServedAbout {
  /** `shop.db` */
  readonly database: string
  readonly noun: string
  readonly tables: number
  readonly url: string
  readonly models: number
  readonly routes: number
  /** Fields that clients do not get, because their names suggest secrets. */
  readonly hidden: readonly string[]
  /** Models without a primary key. */
  readonly listsOnly: readonly string[]
  /** One line for each reason. */
  readonly notes: readonly string[]
  /** A request to try. */
  readonly example?: string
}

type AboutTables = Omit<ServedAbout, 'url'>

/** The tables of a database as an application. */
interface Service {
  readonly listener: RequestListener
  readonly about: AboutTables
}

/** The service, which reads the catalog again if the database lost a table or column that it knows. */
export const rereadService = async (
  address: DatabaseAddress,
  database: SqlDatabase,
  options: ServeOptions,
): Promise<Service> => {
  // Reading a catalog finds views of tables that are not there.
  let isReading = true
  const notice = (): void => {
    if (isReading) return
    isReading = true
    void serviceOf(address, watched, options)
      .then((service) => {
        current = service
      })
      .catch(() => stderrLog.warn('The tables of the database have changed, and cannot be read again.'))
      .finally(() => {
        // A trigger may name a table that is not there at each write.
        setTimeout(() => {
          isReading = false
        }, PAUSE).unref()
      })
  }
  const watched = noticing(database, notice)
  let current = await serviceOf(address, watched, options)
  isReading = false
  return { about: current.about, listener: (...given) => current.listener(...given) }
}

/** The least time between two readings of the catalog, in milliseconds. */
const PAUSE = 1000

/** The database, which tells if a statement names what it does not have. */
const noticing = (database: SqlDatabase, notice: () => void): SqlDatabase => {
  const { transaction } = database
  const over = <Of extends SqlConnection>(connection: Of): Of => ({
    ...connection,
    run: async (...about) => {
      try {
        return await connection.run(...about)
      } catch (error) {
        if (isOfMigration(error)) notice()
        throw error
      }
    },
  })
  return {
    ...over(database),
    ...(transaction && { transaction: (work) => transaction((inside) => work(over(inside))) }),
  }
}

/** Lines at the start are for an application. The service has its own. */
const quiet: Log = { ...stderrLog, info: () => undefined, warn: () => undefined }

const serviceOf = async (
  address: DatabaseAddress,
  database: SqlDatabase,
  options: ServeOptions,
): Promise<Service> => {
  const { writes, writeRoutes = writes, comments, only, exclude, schemas } = options
  const catalog = await catalogSource(database, {
    comments,
    ...(only && { only }),
    ...(exclude && { exclude }),
    ...(schemas && { schemas }),
  })
  const listener = loggedNodeApp({}, quiet)
  const rest = new ModelRest(listener, restOptions(catalog, address, options, writeRoutes))
  await rest.init()
  return { listener, about: aboutOf(catalog, address, rest) }
}

const restOptions = (
  { source, uncreatable }: CatalogSource,
  { name }: DatabaseAddress,
  { token }: ServeOptions,
  writeRoutes: boolean,
): ModelRestOptions<unknown> => {
  const isForAll = token?.for === 'everything'
  const configOf = (model: Model): ModelConfig => {
    const canWrite = writeRoutes && !model.readOnly
    const cannotCreate = canWrite && uncreatable.includes(model.name)
    return {
      count: { default: 'estimated' },
      ...(!canWrite && { operations: model.primaryKey.length > 0 ? ['list', 'read'] : ['list'] }),
      ...(cannotCreate && { operations: ['list', 'read', 'update', 'replace', 'delete'] }),
      ...(token?.for === 'writes' && { public: 'read' }),
    }
  }
  return {
    models: source,
    controllers: [],
    modelConfig: Object.fromEntries(source.models.map((model) => [model.name, configOf(model)])),
    openapi: { title: inOneLine(name) || 'API', ...(isForAll && { public: 'page' }) },
    // Cursors are valid as long as the service runs.
    settings: { secretKey: randomBytes(32).toString('hex') },
    ...(token !== undefined && { auth: bearer(token.value) }),
  }
}

const bearer = (token: string): NonNullable<Exclude<ModelRestOptions['auth'], boolean>> => {
  const isRight = hasToken(token)
  return {
    authenticate: (request) =>
      isRight(request as Parameters<typeof isRight>[0]) ? { id: 1, claims: {} } : null,
  }
}

const aboutOf = (
  { source }: CatalogSource,
  { name, noun }: DatabaseAddress,
  { models, operations }: ModelRest<unknown>,
): AboutTables => {
  const served = new Set(models.map((model) => model.name))
  const internal = source.models.filter((model) => !served.has(model.name))
  const example = models.find(({ relations }) => relations.some(({ kind }) => kind === 'to-one')) ?? models[0]
  const relation = example?.relations.find(({ kind }) => kind === 'to-one')?.name
  return {
    ...{
      database: name,
      noun,
      tables: source.models.length,
      models: models.length,
      routes: operations.length,
    },
    listsOnly: models.filter(({ primaryKey }) => primaryKey.length === 0).map((model) => model.name),
    hidden: models.flatMap((model) =>
      model.fields
        .filter(({ access }) => access === 'write-only')
        .map((field) => `${model.name}.${field.name}`),
    ),
    notes: [
      ...(source.notes ?? []),
      ...internal.map(
        (model) =>
          `${model.name} is left out: its name or its key suggests a secret, or it belongs to a tool.`,
      ),
    ],
    ...(example && {
      example: `${example.path}/?${relation === undefined ? '' : `include=${relation}&`}limit=2`,
    }),
  }
}
