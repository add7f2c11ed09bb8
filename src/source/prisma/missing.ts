import { ownValue } from '../../model/objects.ts'
import { causesOf } from '../../observe/log.ts'
import { type Missing, SourceError } from '../source.ts'
import type { Family } from '../sql/codecs.ts'
import { assertDeclared, declaredTypes, type StoredAs } from '../sql/declared-types.ts'
import { type ReadError, refusalOfState } from '../sql/errors.ts'
import type { Orm } from '../sql/orm-source.ts'
import { assertSession } from '../sql/sessions.ts'
import type { PrismaMapped } from './describe.ts'

/** How the source asks its database whether it is there, and has what the models need. */
interface DatabaseQueries {
  readonly quoted: (name: string) => string
  readonly select: (sql: string) => Promise<unknown>
  readonly readError: ReadError
  /** An error of `select` without values, with the codes of the driver. */
  readonly loggable: (error: unknown) => unknown
}

/** What the source asks of its database. @param select runs it outside of transactions, or in one */
export const prismaChecks = <Handle extends object>({
  family,
  select,
  ...queries
}: Omit<DatabaseQueries, 'select'> & {
  readonly family: Family
  readonly select: (sql: string, inside?: Handle) => Promise<unknown>
}): Pick<Orm<Handle, PrismaMapped>, 'ping' | 'prove' | 'missing' | 'readError'> => ({
  readError: queries.readError,
  ping: () => select('select 1'),
  ...(family === 'pg' && { prove: (inside: Handle) => select('select 1', inside) }),
  missing: async (tables) => {
    const rows = async (sql: string): Promise<readonly unknown[][]> =>
      ((await select(sql)) as readonly object[]).map((row) => Object.values(row))
    if (tables.length > 0)
      await translated(queries, async () => {
        await assertSession(ADAPTER, family, async (sql) => (await rows(sql))[0] ?? [])
        if (family === 'sqlite') assertDeclared(ADAPTER, await rows(declaredTypes), tables.flatMap(textsOf))
      })
    return missingIn({ ...queries, select: (sql) => select(sql) }, tables)
  },
})

const ADAPTER = 'prismaModels'

/** Statements read numbers from columns of any type. */
const textsOf = ({ model, name, columns }: PrismaMapped): readonly StoredAs[] =>
  model.fields
    .filter(({ kind }) => kind === 'text')
    .map(({ name: field }) => ({
      ...{ model: model.name, table: name, as: 'text' },
      column: ownValue(columns, field) ?? field,
    }))

/** @throws SourceError `unavailable` */
const translated = async (
  { readError, loggable }: Pick<DatabaseQueries, 'readError' | 'loggable'>,
  ask: () => Promise<void>,
): Promise<void> => {
  try {
    await ask()
  } catch (error) {
    if (refusalOfState(error, readError) === undefined) throw error
    throw new SourceError('unavailable', { cause: loggable(error) })
  }
}

/**
 * The tables and columns that the database does not have. Columns are tried one by one only if not all can be read.
 *
 * @throws SourceError `unavailable`
 */
const missingIn = async (
  queries: DatabaseQueries,
  tables: readonly PrismaMapped[],
): Promise<readonly Missing[]> => {
  const missing: Missing[] = []
  for (const table of tables) {
    // Several fields may have one column.
    const columns = [...new Set(Object.values(table.columns))]
    if (!(await lacks(queries, table, columns))) continue
    const about = { model: table.model.name, table: table.name, migrate: 'npx prisma migrate deploy' }
    if (await lacks(queries, table, [])) {
      missing.push(about)
      continue
    }
    const lacking: string[] = []
    for (const column of columns) if (await lacks(queries, table, [column])) lacking.push(column)
    missing.push({ ...about, columns: lacking })
  }
  return missing
}

const missingColumn = /no such (table|column)/

const codes: ReadonlySet<unknown> = new Set([
  '42703',
  '42P01',
  '3F000',
  'ER_BAD_FIELD_ERROR',
  'ER_NO_SUCH_TABLE',
  // The same by their numbers.
  '1054',
  '1146',
])

/** Whether the database does not know these columns of a table. Other refusals, such as a missing right, are not for this check. */
const lacks = async (
  { quoted, select, readError, loggable }: DatabaseQueries,
  { table }: PrismaMapped,
  columns: readonly string[],
): Promise<boolean> => {
  const list = columns.map((name) => `t.${quoted(name)}`).join(', ') || '1'
  try {
    await select(`select ${list} from ${table} t where 1 = 0`)
    return false
  } catch (error) {
    if (refusalOfState(error, readError) !== undefined)
      throw new SourceError('unavailable', { cause: loggable(error) })
    return [...causesOf(loggable(error))].some(
      (cause) => codes.has(Reflect.get(cause, 'code')) || missingColumn.test(cause.message),
    )
  }
}
