import type { Missing } from '../source.ts'
import { runOnce } from './database.ts'
import { assertTexts } from './declared-types.ts'
import type { MappedModel } from './mapping.ts'
import { missingIn, pingIn } from './missing-tables.ts'
import type { OrmEngine } from './orm-engine.ts'
import type { Orm } from './orm-source.ts'
import { sql } from './text.ts'

/** What a source of an ORM says in messages about its database. */
interface Said {
  /** The name of the function that makes the source. */
  readonly adapter: string
  /** The command of the ORM that applies migrations. */
  readonly migrate: string
}

/** How a source of an ORM asks its database whether it is there, and has what the models need. */
export const ormChecks = <Handle extends object, Mapped extends MappedModel>(
  { database, databaseOf, tables, refusing }: OrmEngine<Handle, Mapped>,
  { adapter, migrate }: Said,
): Pick<Orm<Handle, Mapped>, 'ping' | 'prove' | 'missing' | 'refusing'> => ({
  refusing,
  ping: async () => await pingIn(database)(),
  ...(database.dialect === 'pg' && {
    prove: async (inside: Handle) => await runOnce(databaseOf(inside), sql`select 1`, () => undefined),
  }),
  missing: async (wanted): Promise<readonly Missing[]> => {
    const models = new Set(wanted.map(({ model }) => model.name))
    const served = tables.filter(({ model }) => models.has(model.name))
    if (served.length === 0) return []
    const assertSafe = async (): Promise<void> => {
      if (database.dialect === 'sqlite') await assertTexts(adapter, database, served)
    }
    return await missingIn(database, served, { adapter, migrate, assertSafe })
  },
})
