import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ModelRest } from '../app/model-rest.ts'
import type { ModelRestOptions } from '../app/options.ts'
import { StartError } from '../error/errors.ts'
import { loggedNodeApp } from '../host/node/index.ts'
import type { Model } from '../model/model.ts'
import type { ModelConfig } from '../model/setup/configure.ts'
import { inOneLine, type Log, stderrLog } from '../observe/log.ts'
import { type CatalogSource, catalogSource } from '../source/catalog/index.ts'
import type { SqlConnection, SqlDatabase } from '../source/sql/port.ts'
import { type DatabaseAddress, databaseAddress } from './address.ts'
import { behindGate, hasToken } from './front.ts'
import { openMysql } from './mysql.ts'
import type { OpenDatabase, OpeningOptions } from './opened.ts'
import { openPostgres } from './postgres.ts'
import { isOfMigration, startErrorOf } from './refusals.ts'
import { openSqlite } from './sqlite.ts'

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
  /** Models without a primary key. */
  readonly listsOnly: readonly string[]
  /** Fields that clients do not get, because their names suggest secrets. */
  readonly hidden: readonly string[]
  /** One line for each reason. */
  readonly notes: readonly string[]
  /** A request to try. */
  readonly example?: string
}

/** A running service. */
export interface RunningService {
  readonly about: ServedAbout
  close(): Promise<void>
}

const opening: Readonly<Record<DatabaseAddress['kind'], OpenDatabase>> = {
  ...{ sqlite: openSqlite, pg: openPostgres, mysql: openMysql },
}

/** Hosts that only programs of the same machine reach. */
export const isLoopback = (host: string): boolean => ['127.0.0.1', '::1', 'localhost'].includes(host)

/**
 * Serves the tables of a database over HTTP, by what its catalog says.
 *
 * @throws StartError if the database or the port cannot be used
 */
export const serveDatabase = async (options: ServeOptions): Promise<RunningService> => {
  const address = databaseAddress(options.database, options.folder)
  if (
    options.token === undefined
      ? options.writes || !isLoopback(options.host)
      : !isLoopback(options.host) && options.token.for !== 'everything'
  )
    throw new StartError('Writes, and hosts other than the loopback address, need a token.')
  const opened = await startOn(address, () => opening[address.kind](address.place, options))
  try {
    const service = await startOn(address, () => replaceable(address, opened.database, options))
    const server = createServer(behindGate(isLoopback(options.host), service.listener))
    server.listen(options.port, options.host)
    await listening(server, options)
    const { port } = server.address() as AddressInfo
    const host = options.host.includes(':') ? `[${options.host}]` : options.host
    return {
      about: { ...service.about, url: `http://${host}:${port}/` },
      close: async () => {
        server.closeAllConnections()
        server.close()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

const startOn = async <Of>(address: DatabaseAddress, start: () => Promise<Of>): Promise<Of> => {
  try {
    return await start()
  } catch (error) {
    throw startErrorOf(error, address)
  }
}

const listening = async (
  server: ReturnType<typeof createServer>,
  { host, port }: ServeOptions,
): Promise<void> => {
  try {
    await once(server, 'listening')
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), 'code')
    if (code === 'EADDRINUSE')
      throw new StartError(
        `Port ${port} of ${host} is in use. Choose another one with --port, or a free one with --port 0.`,
      )
    throw new StartError(
      `Cannot listen on port ${port} of ${host} (${code}). Choose another --host or --port.`,
    )
  }
}

type AboutTables = Omit<ServedAbout, 'url'>

interface Service {
  readonly listener: RequestListener
  readonly about: AboutTables
}

/** The service, which reads the catalog again if the database lost a table or column that it knows. */
const replaceable = async (
  address: DatabaseAddress,
  database: SqlDatabase,
  options: ServeOptions,
): Promise<Service> => {
  let isReading = false
  const notice = (): void => {
    if (isReading) return
    isReading = true
    void serviceOf(address, watched, options)
      .then((service) => {
        current = service
      })
      .catch(() => stderrLog.warn('The tables of the database have changed, and cannot be read again.'))
      .finally(() => {
        isReading = false
      })
  }
  const watched = noticing(database, notice)
  let current = await serviceOf(address, watched, options)
  return { about: current.about, listener: (...given) => current.listener(...given) }
}

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
    openapi: { title: inOneLine(name) || 'API', ...(isForAll && { public: false }) },
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
  { source, notes, renamed }: CatalogSource,
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
      ...(source.notes ?? []).slice(0, notes.length + renamed.length),
      ...internal.map(
        (model) =>
          `${model.name} is left out: its name or its key suggests a secret, or it belongs to a tool`,
      ),
    ],
    ...(example && {
      example: `${example.path}/?${relation === undefined ? '' : `include=${relation}&`}limit=2`,
    }),
  }
}
