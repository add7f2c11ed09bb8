import { customType, integer, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { drizzle as overPostgresJs } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drizzleModels } from '../../src/entry/drizzle.ts'
import { controllerFor } from '../../src/index.ts'
import { createDatabase, onPostgres } from '../servers/test-database.ts'
import { type App, onFetch } from '../stage/apps.ts'
import { openPglite, type TestDatabase } from '../stage/databases.ts'
import { openPostgres } from '../stage/postgres.ts'
import { senderTo } from '../stage/requests.ts'

const typed = (sqlType: string) => customType<{ data: string }>({ dataType: () => sqlType })()

const columns = {
  id: serial().primaryKey(),
  // The database knows more than drizzle: a domain, a shorter text, a rule, an index.
  percent: integer(),
  size: text(),
  short: text(),
  level: integer(),
  top: integer(),
  code: text(),
  // Types that drizzle has no column for, and one that is wider here than in the database.
  relation: typed('regclass'),
  kind: typed('regtype'),
  words: typed('tsvector'),
  query: typed('tsquery'),
  price: typed('money'),
  span: typed('int4range'),
  ratio: typed('numeric(12, 2)'),
}
const things = pgTable('things', columns)
const pieces = pgTable('pieces', columns)
const failures = pgTable('failures', { id: serial().primaryKey(), name: text() })

const table = (name: string): string => `create table ${name} (
  id serial primary key, percent percent, size size, short varchar(5), level integer constraint ${name}_level check (level < 10),
  top integer, code text, relation regclass, kind regtype, words tsvector, query tsquery, price money, span int4range,
  ratio numeric(5, 2), constraint ${name}_top check (top > level));
create index ${name}_code on ${name} (code)`

const ddl = `
create domain percent as integer check (value between 0 and 100);
create domain size as text check (value in ('S', 'L'));
${table('things')}; ${table('pieces')};
create table failures (id serial primary key, name text);
create function fails() returns trigger language plpgsql as $$ begin perform 1 from nowhere; return new; end $$;
create trigger fails before insert on failures for each row execute function fails()`

const tables = { things, pieces, failures }

type Stage = Pick<TestDatabase, 'models' | 'close'>

const pglite = (): Promise<Stage> => openPglite(tables, ddl)

const nodePostgres = (): Promise<Stage> => openPostgres(tables, ddl)

const postgresJs = async (): Promise<Stage> => {
  const database = await createDatabase('refused_values_js')
  const client = postgres(database.url, { max: 2, onnotice: () => undefined })
  await client.unsafe(ddl)
  const close = async () => {
    await client.end()
    await database.drop()
  }
  return { models: drizzleModels(overPostgresJs(client), tables), close }
}

/** Of no use to compression: more than an index holds. */
const long = Array.from({ length: 9000 }, (_, at) =>
  String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000)),
).join('')

const refused: readonly (readonly [field: string, value: unknown, code: string])[] = [
  ['percent', 101, 'constraint'],
  ['size', 'M', 'constraint'],
  ['short', 'sixsix', 'invalid'],
  ['level', 10, 'constraint'],
  ['relation', 'nowhere', 'invalid'],
  ['relation', 'a.b.c.d.e', 'invalid'],
  ['kind', 'no such type', 'invalid'],
  ['query', 'a b', 'invalid'],
  ['price', 'much', 'invalid'],
  ['span', '[5,1]', 'invalid'],
  ['span', 'wide', 'invalid'],
  ['ratio', '12345.6', 'invalid'],
  ['words', 'x'.repeat(3000), 'invalid'],
  ['code', long, 'invalid'],
  ['code', long.slice(0, 1200), 'invalid'],
]

const names = (database: string, open: () => Promise<Stage>): void => {
  describe(`values that ${database} refuses`, () => {
    let stage: Stage
    let app: App
    beforeAll(async () => {
      stage = await open()
      const controllers = [
        controllerFor('Piece', { afterCreate: () => undefined, afterUpdate: () => undefined }),
      ]
      app = await onFetch({ models: stage.models, controllers }, { base: '' })
    })
    afterAll(() => stage.close())

    const send = async (method: string, path: string, body: object) => {
      const { status, json } = await senderTo(app)(method, path, { body })
      const { id, errors } = json as { id?: number; errors?: readonly { pointer: string; code: string }[] }
      return { status, errors: errors?.map(({ pointer, code }) => ({ pointer, code })), id }
    }

    const good = { percent: 5, size: 'S', short: 'five ', level: 1, top: 2, price: '1.50', span: '[1,5)' }

    it.each(
      refused.map(([field, value, code]) => ({ field, value, code, name: String(value).slice(0, 20) })),
    )('$field: $name', async ({ field, value, code }) => {
      for (const path of ['/things/', '/pieces/']) {
        const created = await send('POST', path, good)
        expect(created.status).toBe(201)
        const expected = { status: 422, errors: [{ pointer: `/${field}`, code }], id: undefined }
        expect(await send('POST', path, { ...good, [field]: value })).toEqual(expected)
        expect(await send('PATCH', `${path}${created.id}`, { [field]: value })).toEqual(expected)
      }
    })

    it('a rule on several columns names those that were sent', async () => {
      const { errors } = await send('POST', '/things/', { level: 5, top: 4 })
      expect(errors).toEqual([
        { pointer: '/level', code: 'constraint' },
        { pointer: '/top', code: 'constraint' },
      ])
    })

    it('what is wrong with the database itself stays a 500', async () => {
      expect((await send('POST', '/failures/', { name: 'x' })).status).toBe(500)
    })
  })
}

names('PGlite', pglite)
onPostgres('the values that a database refuses', () => {
  names('PostgreSQL over node-postgres', nodePostgres)
  names('PostgreSQL over postgres.js', postgresJs)
})
