import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe } from 'vitest'
import { modelNameOf, type Row } from '../../src/entry/source.ts'
import { type OpenedSource, sourceContract } from '../../src/testing/index.ts'
import { runner } from '../runner.ts'
import { settingsOf } from '../source/settings.ts'
import { causes, missing } from './drizzle-source/database.ts'
import { type Connect, type Connected, stageOf } from './drizzle-source/stage.ts'
import { statements } from './drizzle-source/statements.ts'

export type { Connect, Connected } from './drizzle-source/stage.ts'

/** A cold database in this process may take its time. */
const START = 60_000

interface Executing {
  execute(statement: SQL): unknown
}

const opened = (connected: Connected): OpenedSource => {
  const { source, execute, spoil, server, holds, kill, close } = connected
  const tables: Readonly<Record<string, string>> = { Reply: 'replies', Author: 'authors' }
  return {
    source,
    kill,
    close,
    ...(server &&
      settingsOf(server, source, (db, statement) => (db as Executing).execute(sql.raw(statement)))),
    breakValue: async () => {
      await execute(spoil.statement)
      return spoil.field
    },
    drop: (model, field) =>
      execute(
        field === undefined
          ? `drop table ${tables[model]}`
          : `alter table ${tables[model]} drop column ${field}`,
      ),
    find: (model, condition) => {
      const table = Object.entries(connected.tables).find(([key]) => modelNameOf(key) === model)?.[1]
      const db = source.db as {
        select(): { from(of: unknown): { where(by: unknown): Promise<readonly Row[]> } }
      }
      return db.select().from(table).where(condition)
    },
    useHandle: (db) => Reflect.get(Object(db), 'insert'),
    ...(holds && { holds }),
  }
}

/** The published suite of sources, complete for one driver of each dialect, and what drizzle adds to it. */
export const drizzleContract = (
  name: string,
  connect: Connect,
  extent: 'complete' | 'short' = 'short',
): void => {
  const open = async () => opened(await connect())
  sourceContract(runner, { ...{ name, extent, open }, notTested: () => undefined })

  describe(`${name} beyond the suite`, { timeout: START }, () => {
    describe('with its database', () => {
      let connected: Connected
      beforeAll(async () => {
        connected = await connect()
      }, START)
      afterAll(() => connected.close())
      const stage = stageOf(() => connected)
      for (const part of [statements, causes]) part(stage)
    })
    missing(connect)
  })
}
