import { readFileSync } from 'node:fs'

type Changes = readonly (readonly [RegExp, string])[]

/** What the schema for PostgreSQL has otherwise in MySQL. */
const inMysql: Changes = [
  [/\n\n {2}@@map\("genre"\)/, ''],
  [/(bio .*\?)/, '$1 @db.MediumText'],
  [/dbgenerated\("gen_random_uuid\(\)"\)/, 'uuid()'],
  [/@db\.Uuid/g, '@db.Char(36)'],
  [/@db\.Real/, '@db.Float'],
  [/@db\.Timestamp\(3\)/, '@db.DateTime(3)'],
  [/@db\.Timestamptz/g, '@db.Timestamp'],
  [/Bytes\?/, 'Bytes? @db.MediumBlob'],
  [/String\[\]/, 'Json?'],
  [/, map: "\w+_pk"/g, ''],
]

/** What the schema for MySQL has otherwise in SQLite, whose columns have no types for the others. */
const inSqlite: Changes = [
  [/\n.*@db\.(DateTime|Time)\(3\)/g, ''],
  [/DateTime\? {2}( .*) @db\.Date\b/, 'String?    $1'],
  [/ @db\.\w+(\([\d, ]+\))?/g, ''],
  [/\(map: "\w+"\)/g, ''],
]

const changes: Readonly<Record<string, Changes>> = {
  ...{ postgresql: [], mysql: inMysql, sqlite: [...inMysql, ...inSqlite] },
}

/** The canonical library as models of Prisma. */
export const prismaLibrary = (provider: 'postgresql' | 'mysql' | 'sqlite'): string =>
  (changes[provider] ?? []).reduce(
    (text, [from, to]) => text.replace(from, to),
    readFileSync(new URL('library.prisma', import.meta.url), 'utf8'),
  )
