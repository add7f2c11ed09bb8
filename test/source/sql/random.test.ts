import { drizzle } from 'drizzle-orm/better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import type { ModelSource, TableFacts } from '../../../src/entry/source.ts'
import { memorySource } from '../../../src/testing/index.ts'
import { onPostgres } from '../../servers/test-database.ts'
import { onEachMysql } from '../../servers/test-mysql.ts'
import { openPglite, openSqlite, type TestDatabase } from '../../stage/databases.ts'
import { openPostgres } from '../../stage/postgres.ts'
import { openMysql } from '../drizzle/open-mysql.ts'
import { assertAggregates } from './aggregate-random.ts'
import { createCompany, fillCompany } from './company.ts'
import { companyTables } from './company-tables.ts'
import { assertRelations } from './related-random.ts'
import { createMysql, createPg, createSqlite, mysqlSales, pgSales, sqliteSales } from './sales.ts'

const closing = ({ models, close }: Pick<TestDatabase, 'models' | 'close'>): ModelSource => {
  onTestFinished(close)
  return models
}

describe('random questions about related records', () => {
  const asked = async (source: ModelSource, isCaseIgnored: boolean, runs: number): Promise<void> => {
    await fillCompany(source, isCaseIgnored)
    await assertRelations(source, runs)
  }
  const onServer = { text: 'text', key: 'varchar(20)' }

  it.each([
    ['binary', 400],
    ['nocase', 200],
  ] as const)('on SQLite, texts in %s', async (collation, runs) => {
    const ddl = createCompany({ text: `text collate ${collation}`, decimal: 'integer' }).join(';')
    await asked(closing(openSqlite(companyTables('sqlite'), ddl)), collation === 'nocase', runs)
  })

  it('on PGlite', async () => {
    const ddl = createCompany(onServer).join(';')
    await asked(closing(await openPglite(companyTables('pg'), ddl)), false, 250)
  })

  onPostgres('random questions about related records on PostgreSQL', () =>
    it('on PostgreSQL, with a case-insensitive collation', async () => {
      const ddl = [
        `create collation nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
        ...createCompany({ ...onServer, key: 'varchar(20) collate nocase' }),
      ]
      const tables = companyTables('pg, regardless of case')
      await asked(closing(await openPostgres(tables, ddl.join(';'))), true, 250)
    }),
  )

  onEachMysql('random questions about related records', (kind) =>
    it.each(['by code point', 'as the server does'] as const)('texts compared %s', async (collation) => {
      const isServer = collation === 'as the server does'
      const options = kind === 'mysql' && isServer ? { charset: 'UTF8MB4_0900_AI_CI' } : {}
      const { source, close } = await openMysql(createCompany(onServer), companyTables('mysql'), {
        ...{ kind, collation, options },
      })
      await asked(closing({ models: source, close }), isServer, 200)
    }),
  )

  it('of a memory source', async () => {
    const { models } = drizzleModels(drizzle.mock(), companyTables('sqlite'))
    const facts = models.map(
      ({ name, fields, primaryKey, relations }): TableFacts => ({
        ...{ name, primaryKey },
        fields: fields.map(({ access: _access, optional: _optional, ...field }) => field),
        foreignKeys: relations
          .filter(({ kind }) => kind === 'to-one')
          .map((relation) => ({
            ...{ fields: relation.fields, model: relation.model, references: relation.references },
            ...{ name: relation.name, inverse: relation.inverse },
          })),
      }),
    )
    const source = memorySource(facts)
    expect(source.models.map(({ relations }) => relations)).toEqual(models.map(({ relations }) => relations))
    await asked(source, false, 100)
  })
})

describe('random aggregations', () => {
  it.each([
    ['binary', 400],
    ['nocase', 200],
  ] as const)('on SQLite, texts in %s', async (collation, runs) => {
    const source = closing(openSqlite({ sales: sqliteSales }, createSqlite(collation)))
    await assertAggregates(source, runs, { isSorted: collation === 'binary' })
  })

  it('on PGlite', async () => {
    await assertAggregates(closing(await openPglite({ sales: pgSales }, createPg)), 200)
  })

  onPostgres('random aggregations on PostgreSQL', () =>
    it('on PostgreSQL, with sessions in another zone', async () => {
      // Statements that follow each other have the same session.
      const ddl = `set timezone = 'America/St_Johns'; ${createPg}`
      await assertAggregates(closing(await openPostgres({ sales: pgSales }, ddl)), 200)
    }),
  )

  /** A `timestamp` begins in 1970. */
  const isHeld = (field: string, value: unknown): boolean => field !== 'soldAt' || String(value) > '1970'

  onEachMysql('random aggregations', (kind) =>
    it.each(['by code point', 'as the server does'] as const)('texts compared %s', async (collation) => {
      const { source, close } = await openMysql([createMysql], { sales: mysqlSales }, { kind, collation })
      const isSorted = collation === 'by code point'
      await assertAggregates(closing({ models: source, close }), 200, { isSorted, isHeld })
    }),
  )
})
