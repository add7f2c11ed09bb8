import { createSqlite } from '../../contract/library.ts'

/** Columns that Prisma stores in another form than drizzle does. */
const prismaTypes: readonly (readonly [RegExp, string])[] = [
  [/price integer not null/, 'price decimal not null'],
  [/discount text not null default '[0-9]+'/, 'discount decimal not null default 0.05'],
  [/copies blob/, 'copies bigint'],
  [/in_stock integer not null default 1/, 'in_stock boolean not null default true'],
  [/printed_at integer not null/, 'printed_at datetime not null'],
  [/meta text, tags text/, 'meta jsonb, tags jsonb'],
  [/capacity blob not null default '[0-9]+'/, 'capacity bigint not null default 9007199254740993'],
  [
    /built_at integer not null default [0-9]+/,
    `built_at datetime not null default '2026-01-31T23:59:59.123Z'`,
  ],
  [/price < 1000/, 'price < 10'],
]

/** The tables of the library, as Prisma's own migrations would make them. */
export const createTables: readonly string[] = createSqlite.map((statement) =>
  prismaTypes.reduce((text, [type, other]) => text.replace(type, other), statement),
)
