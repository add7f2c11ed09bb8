import { describe, expect, it } from 'vitest'
import { prismaModels } from '../../../src/entry/prisma.ts'
import type { Condition, Field, Model } from '../../../src/entry/source.ts'
import type { PrismaMetadata, PrismaModel } from '../../../src/source/prisma/metadata.ts'
import { naming } from '../../naming.ts'
import { clientOf, generate } from './generated.ts'

const modelsOf = (metadata: PrismaMetadata, options?: Parameters<typeof prismaModels>[2]): readonly Model[] =>
  prismaModels(clientOf(metadata), metadata, options).models

const fieldOf = (models: readonly Model[], model: string, name: string): Field | undefined =>
  models.find((known) => known.name === model)?.fields.find((field) => field.name === name)

const plain: Omit<PrismaModel, 'fields' | 'relations'> = { table: 't', primaryKey: ['id'], uniques: [] }
const id = { type: 'Int', default: { name: 'autoincrement', args: [] } } as const

const schemaOf = (models: PrismaMetadata['models'], provider = 'postgresql'): PrismaMetadata => ({
  ...{ version: 1, provider, models },
  enums: {},
})

describe('the library in Prisma', () => {
  it('has the relations by the names of the schema', async () => {
    const { metadata } = await generate('postgresql')
    const names = (model: string) =>
      modelsOf(metadata)
        .find(({ name }) => name === model)
        ?.relations.filter(({ through }) => through === undefined)
        .map(({ name }) => name)
        .sort()
    expect(names('Author')).toEqual(['books', 'translations'])
    expect(names('Category')).toEqual(['books', 'children', 'parent'])
    expect(names('Book')).toEqual(['author', 'category', 'placements', 'reviews', 'translator'])
  })
})

describe('a Prisma schema', () => {
  it('has constant defaults as JSON', () => {
    const field = (type: string, given: unknown) => ({ type, default: given as never })
    const fields = {
      id,
      big: field('BigInt', '9007199254740993'),
      json: field('Json', '{"a":1}'),
      at: field('DateTime', '2026-01-31T23:59:59.123Z'),
      now: field('DateTime', { name: 'now', args: [] }),
      price: { ...field('Decimal', 0.5), native: ['Decimal', '10', '2'] as const },
    }
    const models = modelsOf(schemaOf({ Thing: { ...plain, fields, relations: {} } }))
    const found = (name: string) => fieldOf(models, 'Thing', name)
    expect(['big', 'json', 'at', 'price'].map((name) => found(name)?.default)).toEqual([
      ...['9007199254740993', { a: 1 }, '2026-01-31T23:59:59.123Z', '0.50'],
    ])
    expect(found('now')).toMatchObject({ hasDefault: true, neededOnReplace: true })
    expect(found('now')?.default).toBeUndefined()
  })

  it('names models in PascalCase, or as told', () => {
    const thing = { ...plain, fields: { id }, relations: {} }
    const schema = schemaOf({ order_items: thing, Sales: thing, other: thing })
    const names = (options?: Parameters<typeof prismaModels>[2]) =>
      modelsOf(schema, options).map(({ name }) => name)
    expect(names()).toEqual(['OrderItem', 'Sales', 'Other'])
    expect(names({ names: { other: 'Extra' }, exclude: ['Sales'] })).toEqual(['OrderItem', 'Extra'])
  })

  it.each<readonly [documentation: string, description: string | undefined]>([
    ['The name on the invoice.', 'The name on the invoice.'],
    [
      'Ask ada@example.com, or @ada. [See](https://x.test) [1]',
      'Ask ada@example.com, or @ada. [See](https://x.test) [1]',
    ],
    ['@deprecated Use `title`.\n![logo](logo.png)', '@deprecated Use `title`.\n![logo](logo.png)'],
    ['@zod.string.min(3, { message: "At least (3" }).max(5)', undefined],
    ['The name. @zod.string.min(3) At least three.\n\nMore.', 'The name. At least three.\n\nMore.'],
    ['@zod.string\n  .min(3)\n  .max(5)\nThe name.', 'The name.'],
    ['@zod.custom.use(z.object({\n  a: z.string(),\n}))', undefined],
    ['@zod.import(["import { x } from \'y\'"])\nWhat is sold.', 'What is sold.'],
    ['@HideField({ output: true }) @Validator.MinLength(3)\nKept.', 'Kept.'],
    ['@DtoReadOnly @DtoEntityHidden', undefined],
    ['@@TypeGraphQL.type(name: "Thing")\n@@Gql', undefined],
    ['@encryption:hash(email)\n@encrypted?mode=strict\n@omit', undefined],
    ['@namespace Shopping\nWhat is sold.', 'What is sold.'],
    ['[Address]\nWhere to send it.', 'Where to send it.'],
    ['[PrismaJson.List<Address>]', undefined],
    ['![{ city: string }]', undefined],
  ])(
    'has the prose of its comments, not the annotations of other generators: %j',
    (documentation, description) => {
      const fields = { id, name: { type: 'String', documentation } }
      const [model] = modelsOf(schemaOf({ Thing: { ...plain, documentation, fields, relations: {} } }))
      expect(model?.description).toBe(description)
      expect(model?.fields.find(({ name }) => name === 'name')?.description).toBe(description)
    },
  )

  it('leaves out implicit many-to-many relations, and says so', () => {
    const tags = { model: 'Tag', isList: true, name: 'PostToTag' } as const
    const posts = { model: 'Post', isList: true, name: 'PostToTag' } as const
    const schema = schemaOf({
      Post: { ...plain, fields: { id }, relations: { tags } },
      Tag: { ...plain, fields: { id }, relations: { posts } },
    })
    const source = prismaModels(clientOf(schema), schema)
    expect(source.models.flatMap(({ relations }) => relations)).toEqual([])
    expect(source.notes).toEqual([expect.stringMatching(naming('Post.tags', 'Tag.posts', '@@map'))])
  })

  it('keeps foreign keys to models that are not served', () => {
    const owner = { model: 'User', name: 'PostToUser', fields: ['ownerId'], references: ['id'] }
    const posts = { model: 'Post', isList: true, name: 'PostToUser' } as const
    const schema = schemaOf({
      Post: { ...plain, fields: { id, ownerId: { type: 'Int' } }, relations: { owner } },
      User: { ...plain, fields: { id }, relations: { posts } },
    })
    const models = modelsOf(schema, { exclude: ['User'] })
    expect(models.map(({ name, relations }) => [name, relations])).toEqual([['Post', []]])
    expect(fieldOf(models, 'Post', 'ownerId')).toMatchObject({ foreign: true })
  })

  it('has conditions along relation fields whose names a field has in another style', () => {
    const keyTo = { model: 'Customer', name: 'r', fields: ['customer'], references: ['id'] }
    const schema = schemaOf({
      Customer: {
        ...plain,
        fields: { id },
        relations: { orders: { model: 'Order', isList: true, name: 'r' } },
      },
      Order: { ...plain, fields: { id, customer: { type: 'Int' } }, relations: { Customer: keyTo } },
    })
    const source = prismaModels(clientOf(schema), schema)
    const order = source.models.find(({ name }) => name === 'Order') as Model
    const [relation] = order.relations.map(({ name }) => name)
    expect(relation).not.toBe('Customer')
    const condition: Condition = { op: 'eq', field: 'id', value: 1 }
    expect(source.conditionOf?.(order, { op: 'related', relation: relation as string, condition })).toEqual({
      Customer: { is: { id: 1 } },
    })
  })

  it('leads through a join table that is declared as a model', () => {
    const keyTo = (model: string, name: string) => ({
      ...{ model, name: `${model}ToTaskTag`, fields: [name], references: ['id'] },
    })
    const joins = (model: string) => ({
      taskTags: { model: 'TaskTag', isList: true, name: `${model}ToTaskTag` } as const,
    })
    const ends = { taskId: { type: 'Int' }, tagId: { type: 'Int' } }
    const models = modelsOf(
      schemaOf({
        Task: { ...plain, table: 'tasks', fields: { id }, relations: joins('Task') },
        Tag: { ...plain, table: 'tags', fields: { id }, relations: joins('Tag') },
        TaskTag: {
          ...{ ...plain, table: 'task_tags', primaryKey: ['taskId', 'tagId'], fields: ends },
          relations: { task: keyTo('Task', 'taskId'), tag: keyTo('Tag', 'tagId') },
        },
      }),
    )
    const { relations } = models.find(({ name }) => name === 'Task') ?? { relations: [] }
    expect(relations.map(({ name, model, through }) => [name, model, through?.model])).toEqual([
      ['taskTags', 'TaskTag', undefined],
      ['tags', 'Tag', 'TaskTag'],
    ])
  })

  it('makes UUIDs of MySQL, and what refers to them, comparable', () => {
    const owner = { model: 'User', name: 'PostToUser', fields: ['ownerId'], references: ['id'] }
    const posts = { model: 'Post', isList: true, name: 'PostToUser' } as const
    const uuid = { type: 'String', default: { name: 'uuid', args: [] } }
    const schema = schemaOf(
      {
        Post: { ...plain, fields: { id, ownerId: { type: 'String' } }, relations: { owner } },
        User: { ...plain, fields: { id: uuid }, relations: { posts } },
      },
      'mysql',
    )
    const models = modelsOf(schema)
    expect(fieldOf(models, 'Post', 'ownerId')).toMatchObject({ kind: 'uuid' })
    expect(fieldOf(models, 'User', 'id')).toMatchObject({ kind: 'uuid' })
  })

  it.each([
    ['another provider', schemaOf({}, 'mongodb'), {}, 'mongodb'],
    ['another version', { ...schemaOf({}), version: 2 }, {}, 'prisma generate'],
    ['an unknown option', schemaOf({}), { share: true }, 'share'],
    ['an unknown model to exclude', schemaOf({}), { exclude: ['Nobody'] }, 'Nobody'],
    ['an unknown model to name', schemaOf({}), { names: { Nobody: 'X' } }, 'Nobody'],
    [
      'a field with the name of an operator',
      schemaOf({ Tag: { ...plain, fields: { id, AND: { type: 'String' } }, relations: {} } }),
      {},
      'Tag.AND',
    ],
    [
      'a key that is citext',
      schemaOf({
        Tag: { ...plain, fields: { id: { type: 'String', native: ['Citext'] } }, relations: {} },
      }),
      {},
      'Tag.id',
    ],
  ])('is refused at start with %s', (_what, metadata, options, named) => {
    const start = () =>
      prismaModels(clientOf(metadata as PrismaMetadata), metadata as PrismaMetadata, options as object)
    expect(start).toThrow(
      expect.objectContaining({ name: 'StartError', message: expect.stringContaining(named) }),
    )
  })

  it('is refused with a client that does not have its models', () => {
    const schema = schemaOf({ Thing: { ...plain, fields: { id }, relations: {} } })
    expect(() => prismaModels(clientOf(schemaOf({})), schema)).toThrow('Thing')
    expect(() => prismaModels({}, schema)).toThrow('PrismaClient')
  })
})

it('a view without a key is left out with a note', () => {
  const fields = { n: { type: 'Int' } } as const
  const view = { ...plain, primaryKey: [], isReadOnly: true, fields, relations: {} }
  const thing = { ...plain, fields: { id }, relations: {} }
  const metadata = schemaOf({ Thing: thing, Total: view } as never)
  const { models, notes } = prismaModels(clientOf(metadata), metadata)
  expect(models.map(({ name }) => name)).toEqual(['Thing'])
  expect(notes).toEqual([expect.stringMatching(naming('Total', '@unique'))])
  expect(prismaModels(clientOf(metadata), metadata, { exclude: ['Total'] }).notes).toBeUndefined()
})
