import Database from 'better-sqlite3'
import { relations } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import * as mysql from 'drizzle-orm/mysql-core'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { drizzleModels } from '../../../src/entry/drizzle.ts'
import type { Model } from '../../../src/model/model.ts'
import { describeTables } from '../../../src/source/drizzle/describe.ts'
import { naming } from '../../naming.ts'

const linesOf = (models: readonly Model[]): readonly string[] =>
  models.flatMap(({ name: model, relations }) =>
    relations.map(
      ({ name, kind, model: other, inverse, fields, references, through, unchecked }) =>
        `${model}.${name} ${kind} ${other}.${inverse}: ${fields} -> ${through?.model ?? ''}${references}${unchecked ? '?' : ''}`,
    ),
  )

const described = (tables: object) => {
  const { tables: found, notes } = describeTables({ shop: tables })
  return { lines: linesOf(found.map(({ model }) => model)), notes, models: found.map(({ model }) => model) }
}

/** The same tables in each dialect: users write posts, which have groups through a table between them. */
const dialects = {
  sqlite: (checked: boolean) => {
    const users = sqlite.sqliteTable('users', { id: sqlite.integer().primaryKey() })
    const to = () => (checked ? sqlite.integer().references(() => users.id) : sqlite.integer())
    const posts = sqlite.sqliteTable('posts', {
      id: sqlite.integer().primaryKey(),
      authorId: to(),
      editorId: to(),
    })
    return { users, posts }
  },
  pg: (checked: boolean) => {
    const users = pg.pgTable('users', { id: pg.integer().primaryKey() })
    const to = () => (checked ? pg.integer().references(() => users.id) : pg.bigint({ mode: 'number' }))
    const posts = pg.pgTable('posts', { id: pg.integer().primaryKey(), authorId: to(), editorId: to() })
    return { users, posts }
  },
  mysql: (checked: boolean) => {
    const users = mysql.mysqlTable('users', { id: mysql.int().primaryKey() })
    const to = () => (checked ? mysql.int().references(() => users.id) : mysql.bigint({ mode: 'number' }))
    const posts = mysql.mysqlTable('posts', { id: mysql.int().primaryKey(), authorId: to(), editorId: to() })
    return { users, posts }
  },
}

type Tables = ReturnType<(typeof dialects)[keyof typeof dialects]>

const declaredFor = ({ users, posts }: Tables) => ({
  usersRelations: relations(users as never, ({ many }) => ({
    written: many(posts as never, { relationName: 'author' }),
    edited: many(posts as never, { relationName: 'editor' }),
  })),
  postsRelations: relations(posts as never, ({ one }) => ({
    writer: one(users as never, {
      fields: [posts.authorId] as never,
      references: [users.id] as never,
      relationName: 'author',
    }),
    editor: one(users as never, {
      fields: [posts.editorId] as never,
      references: [users.id] as never,
      relationName: 'editor',
    }),
  })),
})

describe.each(Object.entries(dialects))('relations() on %s', (_dialect, tablesOf) => {
  it('name the relations of foreign keys', () => {
    const tables = tablesOf(true)
    const { lines, notes, models } = described({ ...tables, ...declaredFor(tables) })
    expect(lines).toEqual([
      'User.written to-many Post.writer: id -> authorId',
      'User.edited to-many Post.editor: id -> editorId',
      'Post.writer to-one User.written: authorId -> id',
      'Post.editor to-one User.edited: editorId -> id',
    ])
    expect(notes).toEqual([])
    expect(models[1]?.fields[1]).toMatchObject({ name: 'authorId', foreign: true })
  })

  it('are relations without a foreign key too, of which fields do not become a part', () => {
    const tables = tablesOf(false)
    const { lines, notes, models } = described({ ...tables, ...declaredFor(tables) })
    expect(lines).toEqual([
      'User.written to-many Post.writer: id -> authorId?',
      'User.edited to-many Post.editor: id -> editorId?',
      'Post.writer to-one User.written: authorId -> id?',
      'Post.editor to-one User.edited: editorId -> id?',
    ])
    expect(notes).toEqual([])
    expect(models[1]?.fields[1]).not.toHaveProperty('foreign')
    expect(described(tables).lines).toEqual([])
  })
})

const { integer, primaryKey, sqliteTable, text } = sqlite
const id = () => integer().primaryKey()

it('relations() may be in the schema of the database instead', () => {
  const users = sqliteTable('users', { id: id() })
  const posts = sqliteTable('posts', { id: id(), userId: integer().references(() => users.id) })
  const postsRelations = relations(posts, ({ one }) => ({
    poster: one(users, { fields: [posts.userId], references: [users.id] }),
  }))
  const schema = { users, posts, postsRelations }
  const client = new Database(':memory:')
  for (const [db, tables] of [
    [drizzle(client, { schema }), { users, posts }],
    [drizzle(client), schema],
    [drizzle(client, { schema }), { shop: schema }],
    [sqlite.withReplicas(drizzle(client, { schema }), [drizzle(client, { schema })]), { users, posts }],
  ] as const) {
    const { models } = drizzleModels(db, tables)
    expect(models.find(({ name }) => name === 'Post')?.relations).toMatchObject([{ name: 'poster' }])
  }
})

it('relations() may declare a record of the other side, with the fields on either side', () => {
  const users = sqliteTable('users', { id: id() })
  const profiles = sqliteTable('profiles', { id: id(), userId: integer().unique() })
  const expected = [
    'User.profile to-many Profile.owner: id -> userId?',
    'Profile.owner to-one User.profile: userId -> id?',
  ]
  expect(
    described({
      ...{ users, profiles },
      a: relations(users, ({ one }) => ({ profile: one(profiles) })),
      b: relations(profiles, ({ one }) => ({
        owner: one(users, { fields: [profiles.userId], references: [users.id] }),
      })),
    }).lines,
  ).toEqual(expected)
  expect(
    described({
      ...{ users, profiles },
      a: relations(users, ({ one }) => ({
        profile: one(profiles, { fields: [users.id], references: [profiles.userId] }),
      })),
      b: relations(profiles, ({ one }) => ({ owner: one(users) })),
    }).lines,
  ).toEqual(expected)
})

it('relations() of a join table without foreign keys give relations through it', () => {
  const users = sqliteTable('users', { id: id() })
  const groups = sqliteTable('groups', { id: id() })
  const members = sqliteTable('usersToGroups', { userId: integer(), groupId: integer() }, (table) => [
    primaryKey({ columns: [table.userId, table.groupId] }),
  ])
  const { lines, notes } = described({
    ...{ users, groups, usersToGroups: members },
    a: relations(users, ({ many }) => ({ memberships: many(members) })),
    b: relations(members, ({ one }) => ({
      user: one(users, { fields: [members.userId], references: [users.id] }),
      group: one(groups, { fields: [members.groupId], references: [groups.id] }),
    })),
  })
  expect(notes).toEqual([])
  expect(lines).toEqual([
    'User.memberships to-many UsersToGroup.user: id -> userId?',
    'User.groups to-many Group.users: id -> UsersToGroupid',
    'Group.usersToGroups to-many UsersToGroup.group: id -> groupId?',
    'Group.users to-many User.groups: id -> UsersToGroupid',
    'UsersToGroup.user to-one User.memberships: userId -> id?',
    'UsersToGroup.group to-one Group.usersToGroups: groupId -> id?',
  ])
})

it('relations() that drizzle cannot complete are named with the way out, in one line for the same reason', () => {
  const users = sqliteTable('users', { id: id() })
  const projects = sqliteTable('projects', { id: id(), ownerId: integer(), editorId: integer() })
  const tasks = sqliteTable('tasks', { id: id(), userId: integer() })
  const { lines, notes } = described({
    ...{ users, projects, tasks },
    a: relations(users, ({ many }) => ({ projects: many(projects), tasks: many(tasks) })),
  })
  expect(lines).toEqual([])
  expect(notes).toEqual([
    expect.stringMatching(naming('users.projects', 'users.tasks', 'fields', 'references')),
  ])
  const twice = described({
    ...{ users, projects },
    a: relations(users, ({ many }) => ({ projects: many(projects) })),
    b: relations(projects, ({ one }) => ({
      owner: one(users, { fields: [projects.ownerId], references: [users.id] }),
      editor: one(users, { fields: [projects.editorId], references: [users.id] }),
    })),
  })
  expect(twice.notes).toEqual([expect.stringMatching(naming('users.projects', 'relationName'))])
  // The keys of a schema that only modelrest has.
  expect([...notes, ...twice.notes].join()).not.toMatch(/\d/)
})

it('relations() of a tree have both names', () => {
  const nodes = sqliteTable('nodes', { id: id(), parentId: integer() })
  const nodesRelations = relations(nodes, ({ one, many }) => ({
    children: many(nodes, { relationName: 'tree' }),
    above: one(nodes, { fields: [nodes.parentId], references: [nodes.id], relationName: 'tree' }),
  }))
  expect(described({ nodes, nodesRelations }).lines).toEqual([
    'Node.above to-one Node.children: parentId -> id?',
    'Node.children to-many Node.above: id -> parentId?',
  ])
})

it('relations() with the name of a field leave the derived one', () => {
  const users = sqliteTable('users', { id: id() })
  const posts = sqliteTable('posts', {
    id: id(),
    author: integer(),
    userId: integer().references(() => users.id),
  })
  const postsRelations = relations(posts, ({ one }) => ({
    author: one(users, { fields: [posts.userId], references: [users.id] }),
  }))
  expect(described({ users, posts, postsRelations }).lines).toEqual([
    'User.posts to-many Post.user: id -> userId',
    'Post.user to-one User.posts: userId -> id',
  ])
})

describe('relations() are skipped with a note', () => {
  const users = sqliteTable('users', { id: id(), name: text(), code: text().unique() })
  const posts = sqliteTable('posts', { id: id(), userId: integer(), userName: text(), other: text() })
  const others = sqliteTable('others', { id: id(), wrong: integer(), code: text() })

  it.each([
    [
      'if their types cannot be compared',
      posts.userId,
      users.code,
      ['posts.user', 'Post.userId', 'User.code'],
    ],
    ['if no side is unique', posts.userName, users.name, ['posts.user', 'userName', 'name']],
    ['if a column is of another table', others.wrong, users.id, ['posts.user']],
    ['if a column of that name is of another table', others.code, users.code, ['posts.user']],
  ])('%s', (_why, field, reference, names) => {
    const postsRelations = relations(posts, ({ one }) => ({
      user: one(users, { fields: [field] as never, references: [reference] as never }),
    }))
    const { lines, notes } = described({ users, posts, postsRelations })
    expect(lines).toEqual([])
    expect(notes).toEqual([expect.stringMatching(naming(...names))])
  })

  it('if drizzle cannot use them either', () => {
    const usersRelations = relations(users, ({ many }) => ({ posts: many(posts) }))
    const { lines, notes } = described({ users, posts, usersRelations })
    expect(lines).toEqual([])
    expect(notes).toEqual([expect.stringMatching(naming('users.posts'))])
  })

  it('but not if their tables are not given', () => {
    const usersRelations = relations(users, ({ many }) => ({ posts: many(posts) }))
    expect(described({ users, usersRelations })).toMatchObject({ lines: [], notes: [] })
  })
})
