import type { ModelSource, Row, SourceErrorKind } from '../../../src/entry/source.ts'
import { sourceContract } from '../../../src/testing/index.ts'
import { runner } from '../../runner.ts'
import type { MysqlKind } from '../../servers/test-mysql.ts'
import { settingsOf } from '../settings.ts'
import { bySql, type Spoil } from '../spoiled.ts'
import type { AnyClient } from './generated.ts'
import { relatedSorts } from './related-sort.ts'

/** A source on the tables of the library, and means to reach its database. */
export interface Connected {
  readonly client: AnyClient
  readonly source: ModelSource
  execute(statement: string): unknown
  kill?(): unknown
  close(): Promise<unknown>
  /** @default those of checks, which Prisma does not know */
  readonly unenforced?: readonly SourceErrorKind[]
  /** Values that a column cannot hold, besides those that Prisma cannot. */
  holds?(field: string, value: unknown): boolean
  readonly spoil?: Spoil
  /** The server with its settings. Absent: SQLite. */
  readonly server?: MysqlKind | 'pg'
}

/** Prisma has no finer times than milliseconds, and no lists that are null. */
const holds = (field: string, value: unknown): boolean => {
  if (field === 'tags') return value !== null
  const text = value instanceof Date ? value.toISOString() : value
  return typeof text !== 'string' || !/At$/.test(field) || !/\.\d{3}0*[1-9]/.test(text)
}

/** The published suite of sources, and the sorts that Prisma itself does not have. */
export const prismaContract = (
  name: string,
  connect: () => Promise<Connected>,
  extent: 'complete' | 'short' = 'short',
): void => {
  relatedSorts(name, connect, extent === 'complete' ? 1 : 9)
  sourceContract(runner, {
    ...{ name, extent },
    open: async () => {
      const {
        client,
        source,
        execute,
        kill,
        close,
        spoil,
        server,
        unenforced = ['check'],
        ...connected
      } = await connect()
      const sql = bySql(execute)
      return {
        ...{ source, close },
        // Prisma escapes what `contains` searches by backslashes, and refuses to start without them.
        ...(server &&
          settingsOf(
            server,
            source,
            (db, statement) => (db as AnyClient)['$executeRawUnsafe'](statement),
            (statement) => !statement.includes('NO_BACKSLASH_ESCAPES'),
          )),
        ...(kill && { kill }),
        ...(spoil && { breakValue: sql.breakValue(spoil) }),
        drop: sql.drop,
        find: async (model, condition) =>
          (await client[model.slice(0, 1).toLowerCase() + model.slice(1)]?.['findMany']?.({
            where: condition,
          })) as readonly Row[],
        useHandle: (db) => (db as AnyClient)['author']?.['count']?.(),
        holds: (field, value) => holds(field, value) && (connected.holds?.(field, value) ?? true),
        unenforced,
      }
    },
    notTested: () => undefined,
  })
}
