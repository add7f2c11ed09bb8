import { sql } from 'drizzle-orm'
import { check, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { controllerFor } from '../../src/index.ts'
import { runs } from '../runs.ts'
import { onFastify } from '../stage/apps.ts'
import { openSqlite } from '../stage/databases.ts'
import { senderTo } from '../stage/requests.ts'

const owners = sqliteTable('owners', { id: integer().primaryKey({ autoIncrement: true }), name: text() })
/** Each column can be refused in its own way. */
const papers = sqliteTable(
  'papers',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    slugx: text({ length: 6 }).notNull().unique(),
    ownerx: integer().references(() => owners.id),
    rankx: integer(),
    notex: text({ length: 4 }),
    statex: text({ enum: ['draft', 'final'] }),
    tokenx: text().unique(),
  },
  (table) => [check('rank_rule', sql`${table.rankx} < 5`)],
)
const columns = ['slugx', 'ownerx', 'rankx', 'notex', 'statex', 'tokenx'] as const
type Column = (typeof columns)[number]

const ddl = `
  pragma foreign_keys = on;
  create table owners (id integer primary key autoincrement, name text);
  create table papers (id integer primary key autoincrement, slugx text not null unique,
    ownerx integer references owners (id), rankx integer, notex text, statex text, tokenx text unique,
    constraint rank_rule check (rankx < 5), check (notex <> 'bad'));
  insert into owners (name) values ('Ada');
  insert into papers (slugx, tokenx) values ('taken', 'taken')`

/** Mostly what the column takes, and what it is refused for. */
const mostly = (good: readonly unknown[], ...bad: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...bad) },
  )

const values: Readonly<Record<Column, fc.Arbitrary<unknown>>> = {
  slugx: mostly(['free', 'taken'], 'far too long', null, 5),
  ownerx: mostly([1, null], 99, 'x'),
  rankx: mostly([1, null], 9, 1.5),
  notex: mostly(['ok', null], 'bad', 'far too long', {}),
  statex: mostly(['draft', null], 'none', []),
  tokenx: mostly(['free', null], 'taken', 7),
}
const someOf = fc.record(values, { requiredKeys: ['slugx'] })
/** What hooks put in its place. */
const stored = fc.oneof(fc.constant({}), fc.record(values, { requiredKeys: [] }))
const access = fc.constantFrom('open', 'hidden', 'hidden', 'readOnly', 'writeOnly')
const accesses = fc.record(
  Object.fromEntries(columns.map((column) => [column, access])) as Record<Column, typeof access>,
)

const serve = async (chosen: Readonly<Record<Column, string>>, stored: object, byScope: boolean) => {
  const { models, close } = openSqlite({ owners, papers }, ddl)
  const named = (what: string) => {
    const names = columns.filter((column) => chosen[column] === what)
    return names.length === 0 ? {} : { [what]: names }
  }
  const config = { ...named('hidden'), ...named('readOnly'), ...named('writeOnly') }
  const set = (_request: unknown, ...rest: readonly unknown[]) => ({ ...Object(rest.at(-3)), ...stored })
  const app = await onFastify(
    {
      models,
      ...(Object.keys(config).length > 0 && { modelConfig: { Paper: config } }),
      controllers: [
        controllerFor('Paper', {
          ...(byScope ? { scope: () => ({ ownerx: 99 }) } : {}),
          ...(Object.keys(stored).length > 0 && { beforeCreate: set, beforeUpdate: set }),
        } as object),
      ],
      settings: { DEBUG: false } as never,
    },
    { base: '', onlyModels: true },
  )
  return {
    send: senderTo(app),
    stop: async () => {
      await app.stop()
      await close()
    },
  }
}

const open = Object.fromEntries(columns.map((column) => [column, 'open'])) as Record<Column, 'open'>

it('no refusal points at a field that the caller can neither read nor write, or names it', async () => {
  const seen = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(accesses, someOf, stored, fc.boolean(), async (chosen, body, given, byScope) => {
      const hidden = columns.filter((column) => chosen[column] === 'hidden')
      const sent = Object.fromEntries(
        Object.entries(body).filter(([name]) => !hidden.includes(name as Column)),
      )
      const { send, stop } = await serve(chosen, given, byScope)
      try {
        for (const [method, url] of [
          ['POST', '/papers'],
          ['PATCH', '/papers/1'],
          ['PUT', '/papers/1'],
        ] as const) {
          const { status, text } = await send(method, url, { body: sent })
          seen.set(status, (seen.get(status) ?? 0) + 1)
          const named = hidden.filter((column) => text.includes(column))
          expect({ method, status, text, named }).toMatchObject({ named: [] })
        }
      } finally {
        await stop()
      }
    }),
    // Refusals and successes that chance may leave out.
    {
      ...runs(60),
      examples: [
        [open, { slugx: 'free' }, {}, false],
        [open, { slugx: 'taken' }, {}, false],
      ],
    },
  )
  // Both were there, refusals of the body and of the database.
  expect(Math.min(...[422, 409, 201, 200].map((status) => seen.get(status) ?? 0))).toBeGreaterThan(0)
})
