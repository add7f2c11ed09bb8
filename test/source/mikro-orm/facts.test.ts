import { defineEntity, type EntityMetadata, type EntityProperty, type MikroORM, p } from '@mikro-orm/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mikroOrmModels } from '../../../src/entry/mikro-orm.ts'
import { controllerFor } from '../../../src/index.ts'
import { type DeclaredModel, expectAllOf, MANY_RELATIONS, requestsTo } from '../facts.ts'
import { expectKept } from '../kept.ts'
import { type OpenOrm, onEachDatabase, openSqlite } from './databases.ts'

const id = p.integer().primary()

const Tag = defineEntity({
  name: 'Tag',
  properties: { id, name: p.string().length(20).unique(), posts: () => p.manyToMany(Post).mappedBy('tags') },
})
const Author = defineEntity({
  name: 'Author',
  properties: {
    ...{ id, tenant: p.integer().default(1), slug: p.string().length(20).unique().nullable() },
    posts: () => p.oneToMany(Post).mappedBy('author'),
    boss: () => p.manyToOne(Author).nullable().persist(false).joinColumn('boss_id'),
    bossId: () => p.manyToOne(Author).nullable().mapToPk().joinColumn('boss_id'),
    team: () => p.oneToMany(Author).mappedBy('boss'),
    ...Object.fromEntries(
      Array.from({ length: MANY_RELATIONS }, (_, at) => [
        `notes${at}`,
        () => p.oneToMany(notes[at] as never).mappedBy('author' as never),
      ]),
    ),
  },
})
// The discriminator is no property.
const Content = defineEntity({
  ...{ name: 'Content', discriminatorColumn: 'kind', discriminatorValue: 'content' },
  properties: { id, title: p.string().length(30), remarks: () => p.oneToMany(Remark).mappedBy('content') },
})
const Post = defineEntity({
  ...{ name: 'Post', extends: Content, discriminatorValue: 'post' },
  properties: {
    state: p.enum(['new', 'old']).nullable(),
    tags: () => p.manyToMany(Tag),
    author: () => p.manyToOne(Author).nullable(),
  },
})
const Photo = defineEntity({
  ...{ name: 'Photo', extends: Content, discriminatorValue: 'photo' },
  properties: { size: p.integer().nullable(), likes: () => p.manyToMany(Author).fixedOrder() },
})
const Remark = defineEntity({
  name: 'Remark',
  properties: {
    id,
    content: () => p.manyToOne(Content).nullable(),
    photo: () => p.manyToOne(Photo).nullable(),
    author: () => p.manyToOne(Author).nullable().targetKey('slug'),
  },
})
const Part = defineEntity({
  name: 'Part',
  properties: {
    id,
    disc: () => p.manyToOne(Disc),
    piece: () => p.manyToOne(Piece),
    weight: p.integer().default(1),
  },
})
const Disc = defineEntity({ name: 'Disc', properties: { id } })
const Piece = defineEntity({
  name: 'Piece',
  properties: { id, discs: () => p.manyToMany(Disc).pivotEntity(() => Part) },
})
const Folder = defineEntity({
  name: 'Folder',
  properties: { id, tenant: p.integer() },
  filters: { tenant: { name: 'tenant', cond: { tenant: 1 }, default: true } },
})
const Paper = defineEntity({
  name: 'Paper',
  properties: { id, folder: () => p.manyToOne(Folder).nullable(), all: () => p.manyToMany(Folder) },
})

const Slot = defineEntity({
  name: 'Slot',
  properties: {
    ...{ room: p.string().length(10).primary(), place: p.integer().primary() },
    tickets: () => p.oneToMany(Ticket).mappedBy('slot'),
  },
})
const Ticket = defineEntity({
  name: 'Ticket',
  properties: { id, slot: () => p.manyToOne(Slot).nullable().joinColumns('room', 'place') },
})
const notes = Array.from({ length: MANY_RELATIONS }, (_, at) =>
  defineEntity({
    name: `Note${at}`,
    properties: { id, text: p.string().length(20).nullable(), author: () => p.manyToOne(Author).nullable() },
  }),
)

const opened = async (open: OpenOrm = openSqlite) => {
  const classes = [Content, Post, Photo, Remark]
  const entities = [Tag, Author, ...classes, Part, Disc, Piece, Folder, Paper, Slot, Ticket, ...notes]
  const orm = await open({ entities: entities as never })
  return { orm, source: mikroOrmModels(orm) }
}

const camel = (name: string): string => name.replace(/_(.)/g, (_, first: string) => first.toUpperCase())

const declaredBy = ({ className, props, primaryKeys }: EntityMetadata): DeclaredModel => {
  const isKey = ({ kind, persist }: EntityProperty): boolean =>
    persist !== false && ['m:1', '1:1'].includes(kind)
  const columns = props.filter((prop) => isKey(prop) || prop.kind === 'scalar')
  return {
    model: className,
    primaryKey: primaryKeys,
    fields: columns.flatMap((prop) =>
      (isKey(prop) ? prop.fieldNames.map(camel) : [prop.name]).map((name) => ({
        ...{ name, nullable: prop.nullable === true },
        ...(prop.length !== undefined && prop.kind === 'scalar' && { maxLength: prop.length }),
        ...(prop.enum && prop.userDefined !== false && { values: (prop.items ?? []).map(String) }),
      })),
    ),
    uniques: props.filter(({ unique }) => unique).map(({ name }) => [name]),
    relations: props
      .filter(({ targetMeta, name }) => targetMeta !== undefined && !name.includes('__'))
      // A key that is mapped is a field, and its relation is the other property of the column.
      .filter(({ mapToPk }) => mapToPk !== true)
      .map(({ name, kind, targetMeta }) => ({
        ...{ name, model: targetMeta?.className ?? '' },
        kind: ['m:1', '1:1'].includes(kind) ? ('to-one' as const) : ('to-many' as const),
      })),
  }
}

const metadataOf = (orm: MikroORM): readonly EntityMetadata[] => [...orm.getMetadata().getAll().values()]

it('classes of one table whose discriminator is no property are written, and lead across join tables', async () => {
  const { orm, source } = await opened()
  const send = await requestsTo(source, {
    controllers: [controllerFor('Author', { scope: () => ({ tenant: 1 }) })],
    modelConfig: { Post: { write: ['tags'] } },
  })
  await orm.em.getConnection().execute('insert into author (id, tenant) values (1, 1), (2, 2)')
  await orm.em.getConnection().execute("insert into tag (id, name) values (1, 'red')")
  expect((await send('POST', '/posts/', { title: 'a', authorId: 2 })).status).toBe(422)
  const { status, json } = await send('POST', '/posts/', { title: 'a', authorId: 1, tags: [1] })
  expect([status, json]).toMatchObject([201, { kind: 'post' }])
  const photo = (await send('POST', '/photos/', { title: 'b' })).json['id']
  expect((await send('GET', `/posts/${json['id']}?include=tags`)).json).toMatchObject({
    tags: [{ name: 'red' }],
  })
  expect((await send('GET', '/tags/1?include=posts')).json).toMatchObject({ posts: [{ title: 'a' }] })
  // Links to records of another class are refused, and so are references.
  expect((await send('POST', '/content-tags/', { contentId: photo, tagId: 1 })).status).toBe(422)
  expect((await send('POST', '/remarks/', { photoId: json['id'] })).status).toBe(422)
  expect((await send('POST', '/remarks/', { photoId: photo, contentId: photo })).status).toBe(201)
  expect((await send('GET', `/photos/${photo}/remarks/`)).json).toMatchObject({ count: 1 })
})

it('records that are joined twice are listed and counted once', async () => {
  const { orm, source } = await opened()
  const send = await requestsTo(source)
  for (const sql of [
    ...['insert into disc (id) values (1), (2)', 'insert into piece (id) values (1)'],
    'insert into part (disc_id, piece_id) values (1, 1), (1, 1), (2, 1)',
  ])
    await orm.em.getConnection().execute(sql)
  expect((await send('GET', '/pieces/1?include=discs(count=exact;limit=1)')).json).toMatchObject({
    ...{ discs: [{ id: 1 }], _related: { discs: { count: 2, has_more: true } } },
  })
  await expect(requestsTo(source, { modelConfig: { Piece: { write: ['discs'] } } })).rejects.toThrow('unique')
})

it('a body cannot refer to a record that a filter hides, also across a join table', async () => {
  const { orm, source } = await opened()
  const send = await requestsTo(source, { modelConfig: { Paper: { write: ['all'] } } })
  await orm.em.getConnection().execute('insert into folder (id, tenant) values (1, 1), (2, 2)')
  for (const folderId of [2, 99])
    expect((await send('POST', '/papers/', { folderId })).json).toMatchObject({
      errors: [{ pointer: '/folderId', code: 'missing_reference' }],
    })
  for (const folder of [2, 99]) expect((await send('POST', '/papers/', { all: [folder] })).status).toBe(422)
  expect((await send('POST', '/papers/', { folderId: 1, all: [1] })).status).toBe(201)
})

onEachDatabase('entities', (open) => {
  it('become models with all that MikroORM knows of them, whose records keep what a GET shows', async () => {
    const { orm, source } = await opened(open)
    expectAllOf(
      source,
      metadataOf(orm)
        .filter(({ pivotTable }) => pivotTable !== true)
        .map(declaredBy),
    )
    expect(source.notes).toEqual([])
    await expectKept(source, { runs: 5, values: { 'Folder.tenant': fc.constant(1) } })
  })
})
