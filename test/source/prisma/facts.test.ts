import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { prismaModels } from '../../../src/entry/prisma.ts'
import type { PrismaMetadata } from '../../../src/source/prisma/metadata.ts'
import {
  counted,
  type Kind,
  onEachKind,
  openPlace,
  prismaAdapter,
  prismaProviders,
} from '../../http/orm-places.ts'
import { naming } from '../../naming.ts'
import { type DeclaredModel, expectAllOf, MANY_RELATIONS, requestsTo } from '../facts.ts'
import { expectKept } from '../kept.ts'
import { generate } from './generated.ts'

const notes = Array.from({ length: MANY_RELATIONS }, (_, at) => `Note${at}`)

// Tags have no model for their join table, topics have one beside their relation.
const schema = `
model Post {
  id     Int         @id @default(autoincrement())
  title  String      @db.VarChar(30)
  state  State       @default(open)
  topics Topic[]
  tags   Tag[]
  links  PostTopic[]
  room   String?
  place  Int?
  slot   Slot?       @relation(fields: [room, place], references: [room, place])
  owner  Owner?      @relation(fields: [ownerSlug], references: [slug])
  ownerSlug String?
}
model Topic {
  id    Int         @id @default(autoincrement())
  name  String      @unique
  posts Post[]
  links PostTopic[]
}
model Tag {
  id    Int    @id @default(autoincrement())
  posts Post[]
}
model PostTopic {
  postId  Int   @map("A")
  topicId Int   @map("B")
  post    Post  @relation(fields: [postId], references: [id])
  topic   Topic @relation(fields: [topicId], references: [id])
  @@id([postId, topicId])
  @@map("_PostToTopic")
}
model Slot {
  room  String
  place Int
  posts Post[]
  @@id([room, place])
}
model Owner {
  id    Int    @id @default(autoincrement())
  slug  String @unique
  posts Post[]
${notes.map((note) => `  ${note.toLowerCase()} ${note}[]`).join('\n')}
}
${notes
  .map(
    (note) => `model ${note} {
  id      Int     @id @default(autoincrement())
  text    String?
  ownerId Int?
  owner   Owner?  @relation(fields: [ownerId], references: [id])
}`,
  )
  .join('\n')}
enum State {
  open
  closed
}
`

const text = 'varchar(191)'
const state = {
  ...{ sqlite: text, postgres: '"State"' },
  ...{ mariadb: "enum ('open', 'closed')", mysql: "enum ('open', 'closed')" },
} as const

/** The tables of the schema. */
const tablesOn = (kind: Kind): readonly string[] =>
  [
    ...(kind === 'postgres' ? [`create type "State" as enum ('open', 'closed')`] : []),
    `create table "Topic" (id ${counted[kind]}, name ${text} not null unique)`,
    `create table "Tag" (id ${counted[kind]})`,
    `create table "Slot" (room ${text} not null, place int not null, primary key (room, place))`,
    `create table "Owner" (id ${counted[kind]}, slug ${text} not null unique)`,
    `create table "Post" (id ${counted[kind]}, title varchar(30) not null, state ${state[kind]} not null default 'open',
      room ${text}, place int, "ownerSlug" ${text}, foreign key (room, place) references "Slot" (room, place),
      foreign key ("ownerSlug") references "Owner" (slug))`,
    `create table "_PostToTopic" ("A" int not null, "B" int not null, primary key ("A", "B"),
      foreign key ("A") references "Post" (id), foreign key ("B") references "Topic" (id))`,
    ...notes.map(
      (note) =>
        `create table "${note}" (id ${counted[kind]}, text ${text}, "ownerId" int, foreign key ("ownerId") references "Owner" (id))`,
    ),
  ].map((statement) => (kind === 'mariadb' || kind === 'mysql' ? statement.replaceAll('"', '`') : statement))

/** The models in a new database. Closed when the test ends. */
const opened = async (kind: Kind) => {
  const models = kind === 'sqlite' ? schema.replaceAll(/ @db\.\S+/g, '') : schema
  const { metadata, connect } = await generate(prismaProviders[kind], models)
  const place = await openPlace(kind, tablesOn(kind))
  const client = connect(prismaAdapter(place))
  onTestFinished(async () => {
    await client.$disconnect()
    await place.drop()
  })
  return { metadata, client, place, source: prismaModels(client, metadata) }
}

const declaredBy = ({ models, enums }: PrismaMetadata): readonly DeclaredModel[] =>
  Object.entries(models).map(([model, { primaryKey, fields, uniques, relations }]) => ({
    ...{ model, primaryKey, uniques: uniques.map((unique) => unique.fields) },
    fields: Object.entries(fields).map(([name, { type, native, isNullable = false }]) => ({
      ...{ name, nullable: isNullable },
      ...(native?.[0] === 'VarChar' && { maxLength: Number(native[1]) }),
      ...(enums[type] && { values: enums[type] }),
    })),
    relations: Object.entries(relations).map(([name, { model: other, isList }]) => ({
      ...{ name, model: other, kind: isList ? ('to-many' as const) : ('to-one' as const) },
    })),
  }))

it('an implicit many-to-many relation has its name if its join table has a model', async () => {
  const { client, place, source } = await opened('sqlite')
  await place.rows("insert into Topic (name) values ('news')")
  const post = client['post']
  await post?.['create']?.({ data: { title: 'a', topics: { connect: [{ id: 1 }] } } })
  const send = await requestsTo(source, { modelConfig: { Post: { write: ['topics'] } } })
  expect((await send('GET', '/posts/1?include=topics')).json).toMatchObject({ topics: [{ name: 'news' }] })
  expect((await send('GET', '/topics/?q=posts.title==a')).json).toMatchObject({ count: 1 })
  expect((await send('POST', '/posts/', { title: 'b', topics: [1] })).status).toBe(201)
  expect((await send('GET', '/topics/1/posts/')).json).toMatchObject({ count: 2 })
})

it('deleting a record that others refer to is a conflict, also if only Prisma knows the foreign key', async () => {
  const schema = `
model Team {
  id      Int      @id @default(autoincrement())
  code    String?  @unique
  players Player[]
  captain Captain?
}
model Player {
  id     Int   @id @default(autoincrement())
  teamId Int?
  team   Team? @relation(fields: [teamId], references: [id], onDelete: Restrict)
  @@index([teamId])
}
model Captain {
  id   Int    @id @default(autoincrement())
  code String @unique
  team Team   @relation(fields: [code], references: [code])
}`
  const { connect, metadata } = await generate('sqlite', schema, { relationMode: 'prisma' })
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-'))
  const client = connect(new PrismaBetterSqlite3({ url: `file:${join(folder, 'teams.db')}` }))
  onTestFinished(async () => {
    await client.$disconnect()
    rmSync(folder, { recursive: true })
  })
  for (const statement of [
    'create table Team (id integer primary key autoincrement, code text unique)',
    'create table Player (id integer primary key autoincrement, teamId integer)',
    'create table Captain (id integer primary key autoincrement, code text not null unique)',
  ])
    await client.$executeRawUnsafe(statement)
  const send = await requestsTo(prismaModels(client, metadata), {
    modelConfig: { Team: { bulk: true } },
  })
  for (const code of ['a', 'b', 'c']) await send('POST', '/teams/', { code })
  expect((await send('POST', '/players/', { teamId: 1 })).status).toBe(201)
  expect((await send('POST', '/captains/', { code: 'b' })).status).toBe(201)
  for (const [path, models] of [
    ['/teams/1', ['Player']],
    ['/teams/2', ['Captain']],
  ] as const) {
    const { status, json } = await send('DELETE', path)
    expect([status, json['code']], models.join()).toEqual([409, 'still_referenced'])
  }
  expect((await send('DELETE', '/teams/?id<=2')).status).toBe(409)
  expect((await send('DELETE', '/teams/3')).status).toBe(204)
  expect((await send('GET', '/teams/')).json).toMatchObject({ count: 2 })
})

onEachKind('models', (kind) => {
  it('have all that a Prisma schema says of them, or a line of the log; records keep what a GET shows', async () => {
    const { metadata, source } = await opened(kind)
    expectAllOf(source, declaredBy(metadata))
    expect(source.notes).toEqual([expect.stringMatching(naming('Post.tags', 'Tag.posts', '@@map'))])
    await expectKept(source, { runs: 5 })
  })
})
