import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PrismaMetadata } from '../../src/source/prisma/metadata.ts'
import { writeAll } from '../package/folders.ts'
import { prismaConfig, prismaGenerate } from '../package/prisma.ts'

let folder: string
const newFolder = (): void => {
  mkdirSync(resolve('test/.tmp'), { recursive: true })
  folder = mkdtempSync(resolve('test/.tmp/prisma-generator-'))
}
const removeFolder = (): void => rmSync(folder, { recursive: true })
beforeEach(newFolder)
afterEach(removeFolder)

const client = (features = ''): string =>
  `generator client {\n  provider = "prisma-client"\n  output = "../generated/prisma"\n  ${features}\n}\n`
const ours = (options = 'output = "../generated/modelrest"'): string =>
  `generator modelrest {\n  provider = "modelrest-prisma"\n  ${options}\n}\n`
const database = (provider = 'postgresql', more = ''): string =>
  `datasource db {\n  provider = "${provider}"\n  ${more}\n}\n`

const project = (files: Readonly<Record<string, string>>): void => {
  // Prisma wants what is in braces in lines of its own.
  const paths = Object.entries(files).map(([name, text]) => [
    `prisma/${name}`,
    text.replaceAll(/\{ (?=\w)/g, '{\n').replaceAll(/ \}$/gm, '\n}'),
  ])
  writeAll(folder, {
    'package.json': '{ "private": true, "type": "module" }',
    'prisma.config.ts': prismaConfig,
    ...Object.fromEntries(paths),
  })
}

const written = (path = 'generated/modelrest/metadata.ts'): string => readFileSync(join(folder, path), 'utf8')

/** What an application imports: Node removes the types, and the file imports nothing. */
const generated = async (schema: string): Promise<PrismaMetadata> => {
  project({ 'schema.prisma': schema })
  const { code, output } = await prismaGenerate(folder)
  if (code !== 0) throw new Error(output)
  const loaded = (await import(pathToFileURL(join(folder, 'generated/modelrest/metadata.ts')).href)) as {
    readonly metadata: PrismaMetadata
  }
  return loaded.metadata
}

/** The models of the tests that need no schema of their own. */
const shared = `
    /// Things of the shop.
    model Thing {
      id     BigInt   @id(map: "thing_key") @default(autoincrement())
      /// What it costs.
      price  Decimal  @map("amount") @db.Decimal(10, 2)
      code   String   @db.Char
      name   String?  @unique(map: "one_name")
      labels String[] @default(["a", "b"])
      big    BigInt   @default(9007199254740993)
      at     DateTime @default(now())
      seen   DateTime @updatedAt
      place  String   @default(dbgenerated("gen_random_uuid()")) @db.Uuid
      words  Unsupported("tsvector")?
      secret String?  @ignore
      @@unique([code, at])
      @@map("things")
    }
    model Pair { b Int
      a Int
      c Int @unique
      @@id([a, b], map: "pair", name: "both")
      @@unique([b, c], name: "others") }
    model Place { id Int @id
      shape Unsupported("geometry")? }
    model Shape { id Int @id
      shape Unsupported("geometry") }
    view CheapThing { id Int @unique }
    view Total { sum Int }`

let models: PrismaMetadata['models']
beforeAll(async () => {
  newFolder()
  const head = `${client('previewFeatures = ["views"]')}${ours()}${database()}`
  models = (await generated(head + shared)).models
  removeFolder()
})

test('describes tables and columns by their names in the schema and in the database', () => {
  expect(models['Thing']).toEqual({
    table: 'things',
    documentation: 'Things of the shop.',
    primaryKey: ['id'],
    primaryKeyName: 'thing_key',
    uniques: [{ fields: ['name'], name: 'one_name' }, { fields: ['code', 'at'] }],
    fields: {
      id: { type: 'BigInt', default: { name: 'autoincrement', args: [] } },
      price: {
        ...{ type: 'Decimal', column: 'amount', native: ['Decimal', '10', '2'] },
        documentation: 'What it costs.',
      },
      code: { type: 'String', native: ['Char'] },
      name: { type: 'String', isNullable: true },
      labels: { type: 'String', isList: true, default: ['a', 'b'] },
      big: { type: 'BigInt', default: '9007199254740993' },
      at: { type: 'DateTime', default: { name: 'now', args: [] } },
      seen: { type: 'DateTime', isUpdatedAt: true },
      place: {
        ...{ type: 'String', native: ['Uuid'] },
        default: { name: 'dbgenerated', args: ['gen_random_uuid()'] },
      },
    },
    relations: {},
  })
})

test('names both sides of a relation, and the foreign key on one', async () => {
  const schema = `${client()}${ours()}${database('sqlite')}
    model Owner { id Int @id
      things Thing[] @relation("owned")
      tags   Tag[] }
    model Thing { id Int @id
      ownerId Int?
      owner   Owner? @relation("owned", fields: [ownerId], references: [id], onDelete: SetNull) }
    model Tag { id Int @id
      owners Owner[] }`
  const { provider, models } = await generated(schema)
  expect(provider).toBe('sqlite')
  expect(models['Owner']?.relations).toEqual({
    things: { model: 'Thing', isList: true, name: 'owned' },
    tags: { model: 'Tag', isList: true, name: 'OwnerToTag' },
  })
  expect(models['Thing']?.relations).toEqual({
    owner: {
      ...{ model: 'Owner', name: 'owned', fields: ['ownerId'], references: ['id'] },
      ...{ onDelete: 'SetNull', isNullable: true },
    },
  })
})

test('a composite key is in the order of the key', () => {
  const { Pair: model } = models
  expect([model?.primaryKey, model?.primaryKeyName]).toEqual([['a', 'b'], 'pair'])
  expect(model?.uniques).toEqual([{ fields: ['c'] }, { fields: ['b', 'c'] }])
})

test('what the client cannot create is marked, also a view without a key', () => {
  const facts = Object.entries(models).map(([name, { isReadOnly, primaryKey }]) => [
    name,
    isReadOnly,
    primaryKey,
  ])
  expect(facts).toEqual([
    ['CheapThing', true, []],
    ['Pair', undefined, ['a', 'b']],
    ['Place', undefined, ['id']],
    ['Shape', true, ['id']],
    ['Thing', undefined, ['id']],
    ['Total', true, []],
  ])
})

test('enums have the names of the schema, and schemas of the database are named', async () => {
  const { models, enums } =
    await generated(`${client()}${ours()}${database('postgresql', 'schemas = ["shop"]')}
    enum State { open
      paid @map("PAID")
      @@schema("shop") }
    model Thing { id Int @id
      state State @default(open)
      @@schema("shop") }`)
  expect(enums).toEqual({ State: ['open', 'paid'] })
  expect([models['Thing']?.schema, models['Thing']?.fields['state']]).toEqual([
    'shop',
    { type: 'State', default: 'open' },
  ])
})

const thing = 'model Thing {\n  id Int @id\n}\n'
const other = 'model Other {\n  id Int @id\n}\n'

test('writes the same file for the same models, wherever they stand, and next to the schema by default', async () => {
  const head = `${client()}${ours('')}${database()}`
  const path = 'prisma/generated/modelrest/metadata.ts'
  project({ 'schema.prisma': head + thing + other })
  expect((await prismaGenerate(folder)).code).toBe(0)
  const first = written(path)
  project({ 'schema.prisma': head + other + thing })
  expect((await prismaGenerate(folder)).code).toBe(0)
  expect(written(path)).toBe(first)
  expect(first).toMatch(/^\/\/.*\bmodelrest-prisma\b/)
})

test('an unknown option is refused by its name, and nothing is written', async () => {
  project({ 'schema.prisma': `${client()}${ours('file = "models.ts"')}${database()}${thing}` })
  const { code, output } = await prismaGenerate(folder)
  expect(code).toBe(1)
  expect(output).toMatch(/generator modelrest.*\bfile\b/)
  expect(existsSync(join(folder, 'generated/modelrest'))).toBe(false)
})
