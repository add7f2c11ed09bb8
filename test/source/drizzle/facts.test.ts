import {
  createTableRelationsHelpers,
  extractTablesRelationalConfig,
  One,
  relations,
  type TableRelationalConfig,
} from 'drizzle-orm'
import {
  foreignKey,
  getTableConfig,
  integer,
  primaryKey,
  sqliteTable,
  text,
  unique,
} from 'drizzle-orm/sqlite-core'
import { expect, it, onTestFinished } from 'vitest'
import { openSqlite } from '../../stage/databases.ts'
import { type DeclaredModel, expectAllOf, MANY_RELATIONS } from '../facts.ts'
import { expectKept } from '../kept.ts'

const id = () => integer().primaryKey()

const owners = sqliteTable('owners', { id: id(), slug: text({ length: 20 }).unique() })
const slots = sqliteTable(
  'slots',
  { room: text({ length: 10 }).notNull(), place: integer().notNull() },
  (table) => [primaryKey({ columns: [table.room, table.place] })],
)
const posts = sqliteTable(
  'posts',
  {
    ...{ id: id(), title: text({ length: 30 }).notNull(), state: text({ enum: ['new', 'old'] }) },
    ...{ room: text({ length: 10 }), place: integer() },
    ownerSlug: text('owner_slug', { length: 20 }).references(() => owners.slug),
  },
  (table) => [foreignKey({ columns: [table.room, table.place], foreignColumns: [slots.room, slots.place] })],
)
const topics = sqliteTable('topics', { id: id(), name: text({ length: 20 }).notNull() })
const links = sqliteTable(
  'links',
  {
    id: id(),
    postId: integer('post_id')
      .notNull()
      .references(() => posts.id),
    topicId: integer('topic_id')
      .notNull()
      .references(() => topics.id),
    weight: integer().notNull().default(1),
  },
  (table) => [unique().on(table.postId, table.topicId)],
)
const notes = Object.fromEntries(
  Array.from({ length: MANY_RELATIONS }, (_, at) => [
    `notes${at}`,
    sqliteTable(`notes${at}`, { id: id(), ownerId: integer('owner_id').references(() => owners.id) }),
  ]),
)

const tables = { owners, slots, posts, topics, links, ...notes }

const named = {
  ownersRelations: relations(owners, ({ many }) => ({
    written: many(posts),
    ...Object.fromEntries(Object.entries(notes).map(([name, table]) => [`of${name}`, many(table)])),
  })),
  postsRelations: relations(posts, ({ one, many }) => ({
    writer: one(owners, { fields: [posts.ownerSlug], references: [owners.slug] }),
    seat: one(slots, { fields: [posts.room, posts.place], references: [slots.room, slots.place] }),
    topicLinks: many(links),
  })),
  slotsRelations: relations(slots, ({ many }) => ({ seated: many(posts) })),
  topicsRelations: relations(topics, ({ many }) => ({ postLinks: many(links) })),
  linksRelations: relations(links, ({ one }) => ({
    linked: one(posts, { fields: [links.postId], references: [posts.id] }),
    about: one(topics, { fields: [links.topicId], references: [topics.id] }),
  })),
  ...Object.fromEntries(
    Object.entries(notes).map(([name, table]) => [
      `${name}Relations`,
      relations(table, ({ one }) => ({
        keeper: one(owners, { fields: [table.ownerId], references: [owners.id] }),
      })),
    ]),
  ),
}

const ddl = [
  'create table owners (id integer primary key, slug text unique)',
  'create table slots (room text not null, place integer not null, primary key (room, place))',
  `create table posts (id integer primary key, title text not null, state text, room text, place integer,
    owner_slug text references owners (slug), foreign key (room, place) references slots (room, place))`,
  'create table topics (id integer primary key, name text not null)',
  `create table links (id integer primary key, post_id integer not null references posts (id),
    topic_id integer not null references topics (id), weight integer not null default 1, unique (post_id, topic_id))`,
  ...Object.keys(notes).map(
    (name) => `create table ${name} (id integer primary key, owner_id integer references owners (id))`,
  ),
].join(';')

const modelNames: Readonly<Record<string, string>> = {
  ...{ owners: 'Owner', slots: 'Slot', posts: 'Post', topics: 'Topic', links: 'Link' },
}

const modelOf = (table: string): string => modelNames[table] ?? table.replace('notes', 'Notes')

const declaredBy = ({ tsName, columns, relations: of }: TableRelationalConfig): DeclaredModel => {
  const { uniqueConstraints, primaryKeys } = getTableConfig(tables[tsName as 'owners'])
  const nameOf = (wanted: unknown): string =>
    Object.entries(columns).find(([, column]) => column === wanted)?.[0] ?? expect.unreachable()
  const keys = Object.values(columns).filter(({ primary }) => primary)
  return {
    model: modelOf(tsName),
    primaryKey: (primaryKeys[0]?.columns ?? keys).map(nameOf),
    fields: Object.entries(columns).map(([name, { notNull, enumValues, ...column }]) => ({
      ...{ name, nullable: !notNull },
      ...('length' in column && typeof column.length === 'number' && { maxLength: column.length }),
      ...(enumValues !== undefined && enumValues.length > 0 && { values: enumValues }),
    })),
    uniques: [
      ...Object.values(columns).flatMap((column) => (column.isUnique ? [[nameOf(column)]] : [])),
      ...uniqueConstraints.map((constraint) => constraint.columns.map(nameOf)),
    ],
    relations: Object.entries(of).map(([name, relation]) => ({
      ...{ name, model: modelOf(relation.referencedTableName) },
      kind: relation instanceof One ? ('to-one' as const) : ('to-many' as const),
    })),
  }
}

it('models have all that Drizzle knows of tables and relations(), and their records keep what a GET shows', async () => {
  const schema = { ...tables, ...named }
  const { models, close } = openSqlite(schema as never, ddl)
  onTestFinished(close)
  const { tables: known } = extractTablesRelationalConfig(schema, createTableRelationsHelpers)
  expect(Object.keys(known['owners']?.relations ?? {})).toHaveLength(MANY_RELATIONS + 1)
  expectAllOf(models, Object.values(known).map(declaredBy))
  await expectKept(models, { runs: 5 })
})
