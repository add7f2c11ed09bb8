import type { ModelSource } from '../../src/entry/source.ts'
import { type OpenedSource, sourceContract } from '../../src/testing/index.ts'
import { createMysql, createPg } from '../contract/library.ts'
import { type Kind, onEachKind, openPlace, type Place } from '../http/orm-places.ts'
import { runner } from '../runner.ts'
import { settingsOf } from './settings.ts'
import { bySql, type Spoil } from './spoiled.ts'

/** The source of an ORM on the tables of the library, and how the ORM reaches them by itself. */
export interface OpenedLibrary extends Required<Pick<OpenedSource, 'find' | 'kill' | 'useHandle'>> {
  readonly source: ModelSource
  /** Runs SQL, in a transaction if there is the handle of one. */
  execute(sql: string, db?: unknown): Promise<unknown>
  end(): Promise<unknown>
}

const spoils: Readonly<Record<'sqlite' | 'postgres' | 'mysql', Spoil>> = {
  sqlite: { statement: 'update books set pages = 9007199254740993', field: 'pages' },
  postgres: { statement: `update books set published_on = 'infinity'`, field: 'publishedOn' },
  mysql: { statement: `update books set opens_at = '25:00:00'`, field: 'opensAt' },
}

/** What a `timestamp` of MySQL holds. */
const isHeld = (value: unknown): boolean =>
  !(value instanceof Date) || (value.getUTCFullYear() >= 1970 && value.getUTCFullYear() <= 2038)

/** The tables of the library, which ORMs create by themselves in SQLite: they store some values there in forms of their own. */
const tables: Readonly<Record<Kind, readonly string[]>> = {
  ...{ sqlite: [], postgres: createPg, mysql: createMysql, mariadb: createMysql },
}

/** Runs the short suite of sources, on each database: what the engine decides is tested completely with Drizzle. */
export const ormContract = (name: string, open: (place: Place) => Promise<OpenedLibrary>): void =>
  onEachKind(`the contract of a source of ${name}`, (kind) =>
    sourceContract(runner, {
      name: `${name} on ${kind}`,
      extent: 'short',
      open: async (): Promise<OpenedSource> => {
        const place = await openPlace(kind, tables[kind])
        const { source, execute, end, ...own } = await open(place)
        // The suite deletes records one by one, each in a transaction of its own.
        if (kind === 'sqlite') await execute('pragma synchronous = off')
        const isMysql = kind === 'mysql' || kind === 'mariadb'
        const sql = bySql(execute)
        return {
          ...{ source, ...own },
          ...(kind !== 'sqlite' &&
            settingsOf(isMysql ? kind : 'pg', source, (db, statement) => execute(statement, db))),
          breakValue: sql.breakValue(spoils[isMysql ? 'mysql' : kind]),
          drop: sql.drop,
          // Columns of SQLite hold any number of digits.
          ...(kind === 'sqlite' && { unenforced: ['value'] }),
          ...(isMysql && { holds: (_field: string, value: unknown) => isHeld(value) }),
          close: async () => {
            await end()
            await place.drop()
          },
        }
      },
    }),
  )
