import fc from 'fast-check'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { createMysql, createPg } from '../contract/library.ts'
import { runs } from '../runs.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { createMysqlDatabase, onEachMysql } from '../servers/test-mysql.ts'
import type { DatabaseKind } from '../source/catalog/databases.ts'
import { ddlOf, randomSchema } from '../source/catalog/random-schemas.ts'
import { createSqlite } from '../source/sql/library-tables.ts'
import { type Document, requestsTo } from './random-requests.ts'
import { json, type Serving, serving, sqliteFile, TOKEN } from './stage.ts'

/** Requests to each schema. `PROPERTY_RUNS=10` sends 5,000. */
const { numRuns } = runs(500)
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_101)
const TIMEOUT = 600_000

const headers = { ...json, authorization: `Bearer ${TOKEN}` }

const fuzz = async ({ get, send }: Serving): Promise<void> => {
  const document = (await get('/openapi.json')).json as Document
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(requestsTo(document), async ({ method, target, body }) => {
      const { status, text } = await send(target, { method, headers, ...(body !== undefined && { body }) })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      expect(status, `${method} ${target} ${body}: ${text.slice(0, 500)}`).toBeLessThan(500)
    }),
    { numRuns, seed, endOnFailure: true },
  )
  const succeeded = [200, 201, 204].reduce((sum, status) => sum + (statuses.get(status) ?? 0), 0)
  expect(succeeded).toBeGreaterThan(0.15 * numRuns)
}

const writing = { writes: true, token: { value: TOKEN, for: 'writes' } } as const

/** A library, a shop with rules for deleted records, and tables with random names and types. */
const schemasOf = (
  kind: DatabaseKind,
  library: readonly string[],
): Readonly<Record<string, readonly string[]>> => ({
  library,
  shop: [
    `create table regions (country varchar(2) not null, code varchar(3) not null, name varchar(50) unique, primary key (country, code))`,
    `create table customers (id integer primary key, country varchar(2), region varchar(3), manager integer, email varchar(90) not null unique,
      state varchar(9) default 'new' check (state in ('new', 'old')), score decimal(20, 4), since date,
      foreign key (country, region) references regions (country, code) on delete cascade, foreign key (manager) references customers (id))`,
    `insert into regions values ('DE', 'BE', 'Berlin')`,
    `insert into customers (id, country, region, email) values (1, 'DE', 'BE', 'ann@example.com')`,
  ],
  random:
    fc
      .sample(randomSchema(kind), { numRuns: 20, seed })
      .map((tables) => ddlOf(tables, kind))
      .toSorted((one, other) => other.join().length - one.join().length)[0] ?? [],
})

describe(`random requests, seed ${seed}`, () => {
  const onEach = (
    kind: DatabaseKind,
    library: readonly string[],
    make: (statements: readonly string[]) => Promise<string>,
  ): void => {
    test.each(Object.entries(schemasOf(kind, library)))(
      'to the %s never fail',
      async (_name, statements) => fuzz(await serving({ database: await make(statements), ...writing })),
      TIMEOUT,
    )
  }

  describe('on SQLite', () => onEach('sqlite', createSqlite, async (statements) => sqliteFile(...statements)))

  onPostgres('random requests to PostgreSQL', () =>
    describe('on PostgreSQL', () =>
      onEach('pg', createPg, async (statements) => {
        const { url } = await createDatabase('fuzz')
        const client = new pg.Client(url)
        await client.connect()
        for (const statement of statements) await client.query(statement)
        await client.end()
        return url
      })),
  )

  onEachMysql('random requests', (kind) =>
    onEach(kind, createMysql, async (statements) => {
      const { url } = await createMysqlDatabase('fuzz', { kind })
      const connection = await createConnection(url)
      for (const statement of statements) await connection.query(statement)
      await connection.end()
      return url
    }),
  )
})
