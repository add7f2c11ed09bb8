import type { ModelSource } from '../source.ts'
import { type Database, type RawRow, runOnce } from './database.ts'
import { assertDeclared, declaredTypes, type StoredAs } from './declared-types.ts'
import type { MappedModel } from './mapping.ts'
import { missingIn, pingIn } from './missing-tables.ts'
import type { OrmEngine } from './orm-engine.ts'
import type { Orm } from './orm-source.ts'
import type { Table } from './table.ts'
import { sql } from './text.ts'

/** What a source of an ORM says in messages about its database. */
interface Said {
  /** The name of the function that makes the source. */
  readonly adapter: string
  /** The command of the ORM that applies migrations. */
  readonly migrate: string
}

/** How a source of an ORM asks its database whether it is there, and has what the models need. */
export const checksOf = <Handle extends object, Mapped extends MappedModel>(
  { database, databaseOf, tables, refusing }: OrmEngine<Handle, Mapped>,
  { adapter, migrate }: Said,
): Pick<Orm<Handle, Mapped>, 'ping' | 'prove' | 'missing' | 'refusing'> => ({
  refusing,
  ping: async () => await pingIn(database)(),
  ...(database.dialect === 'pg' && {
    prove: async (inside: Handle) => await runOnce(databaseOf(inside), sql`select 1`, () => undefined),
  }),
  missing: async (wanted): Promise<Awaited<ReturnType<NonNullable<ModelSource['missing']>>>> => {
    const models = new Set(wanted.map(({ model }) => model.name))
    const asked = tables.filter(({ model }) => models.has(model.name))
    if (asked.length === 0) return []
    const assertSafe = async (): Promise<void> => {
      if (database.dialect !== 'sqlite') return
      assertDeclared(adapter, await rowsOf(database), asked.flatMap(textsOf))
    }
    return await missingIn(database, asked, { adapter, migrate, assertSafe })
  },
})

const rowsOf = async (database: Database): Promise<readonly (readonly unknown[])[]> => {
  const read = (rows: readonly RawRow[]) => rows.map((row) => Array.from(row))
  return (await runOnce(database, sql.raw(declaredTypes), read)) ?? []
}

/** Statements read numbers from columns of any type. */
const textsOf = ({ model, name, columns }: Table): readonly StoredAs[] =>
  columns
    .filter(({ field }) => field.kind === 'text')
    .map(({ name: column }) => ({ model: model.name, table: name, as: 'text', column }))
