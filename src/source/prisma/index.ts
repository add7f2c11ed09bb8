import { StartError } from '../../error/errors.ts'
import { ownValue } from '../../model/objects.ts'
import type { ModelSource } from '../source.ts'
import { capabilitiesOf } from '../sql/capabilities.ts'
import type { Family } from '../sql/codecs.ts'
import { assertSourceOptions, mappedBy } from '../sql/mapping.ts'
import { ormSource } from '../sql/orm-source.ts'
import { isUtc } from '../sql/times.ts'
import type { PrismaHandle, RawClient } from './client.ts'
import { whereOf } from './conditions.ts'
import { delegateNameOf, describeSchema, type PrismaMapped } from './describe.ts'
import { isPassedOn, loggable, readErrorOf, withCode } from './errors.ts'
import type { PrismaMetadata } from './metadata.ts'
import { prismaChecks } from './missing.ts'
import { type StatementSetup, statementsOf } from './records.ts'
import { refusingOf } from './refusing.ts'
import { prismaTransactions } from './transactions.ts'
import type { PrismaTypes } from './types.ts'

export type { PrismaField, PrismaMetadata, PrismaModel, PrismaRelation, PrismaUnique } from './metadata.ts'
export type { PrismaTypedModel, PrismaTypes } from './types.ts'

/** Name in the Prisma schema -> name of the model. */
type Names = Readonly<Record<string, string>>

/** Options of `prismaModels`. */
export interface PrismaModelsOptions<Given extends Names = Names> {
  /** Name in the Prisma schema -> name of the model. @default the same name; the singular in PascalCase of a name such as `order_items` */
  readonly names?: Given
  /** Names in the Prisma schema of models that are not served. @default none */
  readonly exclude?: readonly string[]
  /**
   * Whether concurrent requests share reads: reads of records by id in the same scope become one statement, and so do the records
   * that they include along a to-one relation; equal lists run once. No request gets what was read before it arrived. Set it to
   * `false` if what a statement returns depends on the request, for example on an extension that reads an `AsyncLocalStorage`.
   *
   * @default true
   */
  readonly sharedReads?: boolean
}

/**
 * Creates a model for each model and view of a Prisma schema, and reads and writes their records through `prisma`, so that
 * its extensions hold: on `findMany` for lists, `count`, `findFirst` for single records, `create`, `createManyAndReturn`,
 * `updateManyAndReturn` (on MySQL and MariaDB `createMany` and `updateMany`) and `deleteMany`.
 *
 * Transactions take at most `transactionTimeout`, and wait at most 10 seconds for a connection. The transaction options of the
 * client do not apply.
 *
 * On SQLite, statements of modelrest wait for the end of its transactions. Your own calls of `prisma` do not wait: with
 * better-sqlite3, which has one connection, they can become part of such a transaction.
 *
 * MySQL and MariaDB compare strings by the collation of the column, so clients cannot filter by text exactly, except by keys and
 * unique fields.
 *
 * @param prisma a client of Prisma 7 for PostgreSQL, MySQL, MariaDB or SQLite
 * @param metadata what the generator `modelrest-prisma` wrote
 * @throws StartError if `prisma` is not such a client, `metadata` does not fit, or an option is unknown
 * @example
 * ```ts
 * import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
 * import { prismaModels } from 'modelrest/prisma'
 * import { metadata } from './generated/modelrest/metadata.ts'
 * import { PrismaClient } from './generated/prisma/client.ts'
 *
 * const prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: 'file:./shop.db' }) })
 *
 * export const models = prismaModels(prisma, metadata)
 * ```
 */
export const prismaModels = <
  Db extends object,
  const Metadata extends PrismaMetadata,
  const Given extends Names = Record<never, string>,
>(
  prisma: Db,
  metadata: Metadata,
  options: PrismaModelsOptions<Given> = {},
): ModelSource<PrismaTypes<Db, Metadata, Given>> => {
  assertSourceOptions('prismaModels', options, ['exclude', 'names', 'sharedReads'])
  const family = familyOf(metadata)
  const quoted = quotedIn(family)
  const client = clientOf(prisma, metadata)
  const capabilities: ModelSource['capabilities'] = Object.freeze({
    ...capabilitiesOf(family, options),
    ...{ exactText: family !== 'mysql', exactKeys: true, literalContains: family !== 'sqlite' },
    ...{ databaseDefaults: false, dateParts: false, countDistinct: false, having: false },
    ...{ startsWith: family !== 'mysql', equalsIgnoringCase: family === 'pg', jsonPaths: false },
    arrayElements: false,
  })
  const { models, foreignKeys, notes } = describeSchema(options, { metadata, family, quoted }, capabilities)
  const transaction = prismaTransactions(client, family)
  const place: StatementSetup = { family, quoted, transaction, mappedOf: mappedBy(models) }
  const handle: PrismaHandle = { client, isTransaction: false }
  const checks = prismaChecks<PrismaHandle>({
    ...{ family, quoted, readError: readErrorOf(family), loggable: withCode },
    select: (sql, inside = handle) => inside.client.$queryRawUnsafe(sql),
  })
  const isExtended = client.$on === undefined
  return ormSource<PrismaTypes<Db, Metadata, Given>, PrismaHandle, PrismaMapped>({
    ...checks,
    ...{ capabilities, models, handle, transaction, loggable },
    refusing: (mapped, storeOf) => ({
      ...refusingOf(mapped, foreignKeys, storeOf),
      readError: checks.readError,
    }),
    ...(notes.length > 0 && { notes }),
    advice: {
      declare: () => 'Add it to the Prisma schema',
      columnName: '@map("…")',
      keyDefault: '@default(uuid())',
    },
    fills: () => isExtended,
    handleOf: (inside) => inside.client,
    statementsOf: (inside, mapped) => statementsOf(place, inside, mapped),
    // The adapter of better-sqlite3 has one connection, and transactions of other adapters lock the whole database.
    isGated: family === 'sqlite',
    // An extension may do more.
    isOneStatement: () => !isExtended,
    // An inner transaction is a savepoint, which MySQL does not take as a prepared statement.
    ...(family === 'mysql' && { prove: (inside) => inside.client.$transaction(async () => undefined, {}) }),
    isOwnError: isPassedOn,
    missing: async (wanted) => {
      const missing = await checks.missing(wanted)
      await assertZone(client, models)
      return missing
    },
    conditionOf: (mapped, condition) => whereOf(place, mapped, condition),
  })
}

/**
 * The adapter drops the offset of times that the server writes in the zone of the session.
 *
 * @throws StartError if the zone is not UTC
 */
const assertZone = async (client: RawClient, models: readonly PrismaMapped[]): Promise<void> => {
  const zoned = models.find(({ of }) =>
    Object.values(of.fields).some(({ native }) => native?.[0] === 'Timestamptz'),
  )
  if (zoned === undefined) return
  const [row] = await client.$queryRawUnsafe(`select current_setting('timezone') as zone`)
  const zone = String(row?.['zone'])
  if (isUtc(zone)) return
  throw new StartError(
    `prismaModels: ${zoned.model.name} has a timestamptz, and the time zone of the connection is ${zone}, so Prisma reads other times. Set the zone to UTC: with options: '-c timezone=UTC' in the options of PrismaPg, or with alter database … set timezone to 'UTC'.`,
  )
}

const families: Readonly<Record<string, Family>> = {
  ...{ postgresql: 'pg', postgres: 'pg', mysql: 'mysql', sqlite: 'sqlite' },
}

const familyOf = (metadata: PrismaMetadata): Family => {
  if (metadata?.version !== 1)
    throw new StartError(
      'prismaModels: `metadata` must be what the generator modelrest-prisma of this version wrote. Run `prisma generate`.',
    )
  const family = ownValue(families, metadata.provider)
  if (family === undefined)
    throw new StartError(
      `prismaModels: the provider ${metadata.provider} is not supported. Use postgresql, mysql or sqlite.`,
    )
  return family
}

/** Makes the name of a table or column in SQL. */
const quotedIn = (family: Family): ((name: string) => string) => {
  const quote = family === 'mysql' ? '`' : '"'
  return (name) => `${quote}${name.replaceAll(quote, quote + quote)}${quote}`
}

const clientOf = (prisma: object, { models }: PrismaMetadata): RawClient => {
  const has = (name: string): boolean => Reflect.get(Object(prisma), name) !== undefined
  if (!has('$transaction') || !has('$queryRawUnsafe'))
    throw new StartError(
      'prismaModels: `prisma` must be a client of Prisma 7: new PrismaClient({ adapter }).',
    )
  const absent = Object.keys(models).find((name) => !has(delegateNameOf(name)))
  if (absent !== undefined)
    throw new StartError(
      `prismaModels: the client has no model ${absent}. Run \`prisma generate\` so that client and metadata are of one schema.`,
    )
  return prisma as RawClient
}
