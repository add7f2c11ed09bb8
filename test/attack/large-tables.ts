import Database from 'better-sqlite3'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import * as postgres from 'drizzle-orm/pg-core'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import pg from 'pg'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { auditTable as postgresAuditTable } from '../../src/entry/drizzle-pg.ts'
import { auditTable } from '../../src/entry/drizzle-sqlite.ts'
import { prismaModels } from '../../src/entry/prisma.ts'
import type { ModelSource } from '../../src/index.ts'
import { generate } from '../source/prisma/generated.ts'

/** How many items, parents, texts and notes there are. An item has a little JSON, and a page of texts or notes is as large as may be. */
const RECORDS = 1000
/** Of a text, and of the JSON of a note, so that a thousand fit into a response. */
const BYTES = 16_000
/** Records with a megabyte of text, and of JSON. */
const LARGE = 40
/** For each parent, with forty columns. */
const CELLS = 10
const columns = Array.from({ length: 37 }, (_, at) => `c${at}`)

type Column = object
type Table = Readonly<Record<string, Column>>

/** What drizzle calls the same in its dialects. */
interface Dialect {
  table(name: string, columns: object): Table
  id(): Column
  int(): Column
  text(): Column
  json(): Column
  sums(): Column
  to(table: () => Table): Column
}

const sqlite = {
  table: sqliteTable,
  id: () => integer().primaryKey(),
  int: () => integer(),
  text: () => text(),
  json: () => text({ mode: 'json' }),
  sums: () => text({ mode: 'json' }),
  to: (table: () => Table) => integer().references(() => table()['id'] as never),
} as unknown as Dialect

const onPg = {
  table: postgres.pgTable,
  id: () => postgres.serial().primaryKey(),
  int: () => postgres.integer(),
  text: () => postgres.text(),
  json: () => postgres.jsonb(),
  sums: () => postgres.numeric().array(),
  to: (table: () => Table) => postgres.integer().references(() => table()['id'] as never),
} as unknown as Dialect

const tablesIn = (dialect: Dialect) => {
  const { table, id, int } = dialect
  const areas = table('areas', { id: id() })
  const parents = table('parents', { id: id(), name: dialect.text(), area_id: dialect.to(() => areas) })
  const parent_id = () => dialect.to(() => parents)
  return {
    ...{ areas, parents },
    items: table('items', { id: id(), data: dialect.json(), sums: dialect.sums(), parent_id: parent_id() }),
    texts: table('texts', { id: id(), body: dialect.text(), parent_id: parent_id() }),
    notes: table('notes', { id: id(), data: dialect.json(), parent_id: parent_id() }),
    larges: table('larges', { id: id(), body: dialect.text(), data: dialect.json() }),
    cells: table('cells', {
      ...{ id: id(), parent_id: parent_id(), n: int() },
      ...Object.fromEntries(columns.map((name) => [name, dialect.text()])),
    }),
  }
}

const schemaOf = (provider: 'postgresql' | 'sqlite'): string => `
model Area {
  id      Int      @id @default(autoincrement())
  parents Parent[]
  @@map("areas")
}
model Parent {
  id      Int     @id @default(autoincrement())
  name    String?
  area_id Int?
  area    Area?   @relation(fields: [area_id], references: [id])
  ${['item', 'text', 'note', 'cell'].map((name) => `${name}s ${name.slice(0, 1).toUpperCase()}${name.slice(1)}[]`).join('\n  ')}
  @@map("parents")
}
${[
  ['Item', `data Json?\n  sums ${provider === 'sqlite' ? 'Json?' : 'Decimal[]'}`],
  ['Text', 'body String?'],
  ['Note', 'data Json?'],
  ['Cell', ['n Int?', ...columns.map((name) => `${name} String?`)].join('\n  ')],
]
  .map(
    ([name = '', fields]) => `model ${name} {
  id        Int     @id @default(autoincrement())
  ${fields}
  parent_id Int?
  parent    Parent? @relation(fields: [parent_id], references: [id])
  @@map("${name.toLowerCase()}s")
}`,
  )
  .join('\n')}
model Large {
  id   Int     @id @default(autoincrement())
  body String?
  data Json?
  @@map("larges")
}
model AuditEntry {
  id      ${provider === 'sqlite' ? 'Int' : 'BigInt'} @id @default(autoincrement())
  at      DateTime
  caller  String?
  act     String
  model   String
  record  String
  changes Json
  @@map("audit_entries")
}
`

/** @param key the type of a key, @param many a statement's rows 1 to `n` */
const statementsOf = (
  key: string,
  types: { readonly json: string; readonly sums: string; readonly time: string },
  many: (n: number) => string,
  repeated: (text: string, times: number) => string,
): readonly string[] => {
  const list = (bytes: number): string => `'[' || ${repeated('[],', bytes / 3)} || '[]]'`
  const data = (bytes: number): string => (types.json === 'jsonb' ? `(${list(bytes)})` : list(bytes))
  const cast = key.startsWith('serial') ? '::jsonb' : ''
  const parent = 'parent_id integer references parents'
  return [
    ...['items', 'texts', 'notes', 'cells', 'larges', 'parents', 'areas', 'audit_entries'].map(
      (name) => `drop table if exists ${name}`,
    ),
    `create table areas (id ${key})`,
    `create table parents (id ${key}, name text, area_id integer references areas)`,
    `create table items (id ${key}, data ${types.json} not null, sums ${types.sums}, ${parent})`,
    `create table texts (id ${key}, body text, ${parent})`,
    `create table notes (id ${key}, data ${types.json}, ${parent})`,
    `create table larges (id ${key}, body text, data ${types.json})`,
    `create table cells (id ${key}, n integer, ${columns.map((name) => `${name} text`).join()}, ${parent})`,
    `create table audit_entries (id ${key}, at ${types.time} not null, caller varchar(255), act varchar(10) not null,
      model varchar(100) not null, record varchar(500) not null, changes ${types.json} not null)`,
    ...['texts', 'notes', 'cells'].map((name) => `create index ${name}_parent on ${name} (parent_id)`),
    `insert into areas (id) ${many(10)}`,
    `insert into parents (name, area_id) select 'p', 1 + id % 10 from (${many(RECORDS)}) n`,
    `insert into items (data) select '{"a":1}' from (${many(RECORDS)}) n`,
    `insert into texts (body, parent_id) select ${repeated('x', BYTES - 10)} || id, id from (${many(RECORDS)}) n`,
    `insert into notes (data, parent_id) select ${data(BYTES * (cast === '' ? 1 : 0.75))}${cast}, id from (${many(RECORDS)}) n`,
    `insert into larges (body, data) select ${repeated('x', 1_000_000)}, ${data(1_000_000)}${cast} from (${many(LARGE)}) n`,
    `insert into cells (parent_id, n, ${columns.join()}) select 1 + id % ${RECORDS}, id, ${columns
      .map((name) => `'${name} ' || id`)
      .join()} from (${many(RECORDS * CELLS)}) n`,
  ]
}

const sqliteStatements = statementsOf(
  'integer primary key autoincrement',
  { json: 'jsonb', sums: 'jsonb', time: 'datetime' },
  (n) => `with recursive n(id) as (select 1 union all select id + 1 from n where id < ${n}) select id from n`,
  (text, times) => `replace(printf('%.*c', ${Math.floor(times)}, 'x'), 'x', '${text}')`,
)

const pgStatements = statementsOf(
  'serial primary key',
  { json: 'jsonb', sums: 'numeric[]', time: 'timestamptz(3)' },
  (n) => `select generate_series(1, ${n}) as id`,
  (text, times) => `repeat('${text}', ${Math.floor(times)})`,
)

/** How the records are served. */
export type LargeSource = 'drizzle' | 'prisma'

/** @param url of PostgreSQL. Empty: SQLite, in memory */
export const openLarge = async (orm: LargeSource, url: string): Promise<ModelSource> =>
  url === '' ? onSqlite(orm) : onPostgres(orm, url)

const onSqlite = async (orm: LargeSource): Promise<ModelSource> => {
  if (orm === 'prisma') {
    const { PrismaBetterSqlite3 } = await import('@prisma/adapter-better-sqlite3')
    const { metadata, connect } = await generate('sqlite', schemaOf('sqlite'))
    const client = connect(new PrismaBetterSqlite3({ url: ':memory:' }))
    for (const statement of sqliteStatements) await client.$executeRawUnsafe(statement)
    return prismaModels(client, metadata)
  }
  const client = new Database(':memory:')
  for (const statement of sqliteStatements) client.exec(statement)
  return drizzleModels(drizzle({ client }), { ...tablesIn(sqlite), auditEntries: auditTable } as never)
}

const onPostgres = async (orm: LargeSource, url: string): Promise<ModelSource> => {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  await pool.query(pgStatements.join(';'))
  if (orm === 'prisma') {
    const { PrismaPg } = await import('@prisma/adapter-pg')
    const { metadata, connect } = await generate('postgresql', schemaOf('postgresql'))
    return prismaModels(connect(new PrismaPg(pool)), metadata)
  }
  return drizzleModels(drizzlePostgres(pool), {
    ...tablesIn(onPg),
    auditEntries: postgresAuditTable,
  } as never)
}
