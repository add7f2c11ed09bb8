import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Complaints, complaintsOf } from './complaints.ts'
import { completions } from './completions.ts'
import { type Folder, folderWithPackage } from './folders.ts'
import { prismaGenerateFor } from './prisma.ts'
import { strictConfig } from './strict-config.ts'

const root = 'test/types'
/** Applications, each a program of its own: a program registers its models once. */
const applications = readdirSync(join(root, 'registered'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

const files = Object.fromEntries(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|prisma)$/.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
)

const configOf = (application: string, options: object = {}): object => ({
  compilerOptions: {
    ...strictConfig,
    // The packages beside ours are checked by their own authors.
    skipLibCheck: true,
    types: ['node'],
    allowImportingTsExtensions: true,
    ...options,
  },
  include: [`registered/${application}/*.ts`],
})

const library = { declaration: true, emitDeclarationOnly: true, outDir: 'declarations', rootDir: '.' }

let folder: Folder
let complaints: Complaints

beforeAll(async () => {
  folder = folderWithPackage(inject('unpacked'), files)
  await prismaGenerateFor(folder.path, files)
  complaints = await complaintsOf(folder.path, {
    ...Object.fromEntries(applications.map((name) => [name, configOf(name)])),
    'own-declarations': configOf('fetch', { skipLibCheck: false }),
    library: configOf('single', { ...library, noEmit: false }),
  })
})

afterAll(() => folder?.remove())

describe('a registered application compiles', () => {
  test('there are some', () => {
    expect(applications).toEqual([
      'actions',
      'both',
      'express',
      'fetch',
      'hono',
      'modules',
      'nest',
      'node',
      'plugin',
      'prisma',
      'renamed',
      'single',
    ])
  })

  // An expectation that is not met is an error too: `Unused '@ts-expect-error' directive`.
  test.each(applications)('%s', (name) => {
    const found = [...complaints].filter(([file]) => file.startsWith(`registered/${name}/`))
    expect(found).toEqual([])
  })

  test('our own declarations too, and what the applications share', () => {
    const others = [...complaints.keys()].filter((file) => !file.startsWith('registered/'))
    // That the compiler has looked at libraries is seen by what it finds in drizzle's.
    expect(others.filter((file) => file.includes('drizzle-orm/'))).not.toEqual([])
    expect(others.filter((file) => !file.includes('drizzle-orm/'))).toEqual([])
  })

  test('and can be a library itself, whose declarations name the types of its models', () => {
    const declared = readFileSync(join(folder.path, 'declarations/registered/single/main.d.ts'), 'utf8')
    expect(declared).toMatch(
      /const models: import\("modelrest\/drizzle"\)\.ModelSource<import\("modelrest\/drizzle"\)\.DrizzleTypes</,
    )
  })
})

test('an editor completes the names of models, apps and fields', () => {
  const models = ['BlogTag', 'CheapProduct', 'Customer', 'OrderItem', 'Photo', 'Post', 'Product', 'User']
  const hooks = ['Commit', 'Create', 'Delete', 'List', 'Read', 'Update'].map((what) => `after${what}`)
  const before = ['Create', 'Delete', 'List', 'Update'].map((what) => `before${what}`)
  const productFields = ['addedAt', 'id', 'inStock', 'name', 'price', 'size', 'tags']
  const user = ['email', 'id', 'password']
  const parts = [
    ...[
      'bulk',
      'count',
      'deprecated',
      'description',
      'detailFields',
      'fieldDescriptions',
      'fields',
      'fileFields',
      'hidden',
      'include',
      'internal',
      'label',
    ],
    ...[
      'operations',
      'optional',
      'paginationType',
      'path',
      'public',
      'readOnly',
      'relations',
      'requireIfMatch',
      'schemas',
      'search',
      'softDelete',
      'stamps',
      'title',
      'useMultipart',
      'version',
      'writable',
    ],
    ...['write', 'writeOnly'],
  ]
  const itemRelations = ['buyer', 'customer', 'product']
  const asked: readonly (readonly [text: string, offered: readonly string[]])[] = [
    [`controllerFor('¦')`, models],
    [`export type Hook = BeforeCreate<'¦'>`, models],
    [
      `controllerFor('User', { ¦ })`,
      [
        'access',
        'actions',
        ...hooks,
        ...before,
        ...parts,
        'computed',
        'permissions',
        'present',
        'scope',
      ].sort(),
    ],
    [`controllerFor('User', { hidden: ['¦'] })`, user],
    [`controllerFor('User', { beforeCreate(_request, payload) { payload.¦ } })`, user],
    [
      `export const scope: ScopeOf<'OrderItem'> = { product¦ }`,
      ['buyer', 'customer', 'customer_id', 'id', 'product', 'productId'],
    ],
    [`export const within: ScopeOf<'OrderItem'> = { buyer: { ¦ } }`, ['id', 'name', 'tenant', 'tenantId']],
    [`controllerFor('Photo', { scope: () => ({ product: { inSt¦ } }) })`, productFields],
    [
      `controllerFor('Photo', { beforeCreate(_request, { sheet }) { sheet.¦ } })`,
      ['key', 'name', 'size', 'type'],
    ],
    [`export const rest = new ModelRest({}, { models, exclude: { ¦ } })`, ['blog', 'shop']],
    [`new ModelRest({}, { models, exclude: { blog: ['¦'] } })`, ['BlogTag', 'Post', 'User']],
    [`new ModelRest({}, { models, modelConfig: { ¦ } })`, models],
    [`new ModelRest({}, { models, modelConfig: { User: { hidden: ['¦'] } } })`, user],
    [`new ModelRest({}, { models, modelConfig: { User: { readOnly: { ¦ } } } })`, user],
    [`new ModelRest({}, { models, modelConfig: { OrderItem: { relations: { ¦ } } } })`, itemRelations],
    [`new ModelRest({}, { models, modelConfig: { OrderItem: { include: ['¦'] } } })`, itemRelations],
    [`new ModelRest({}, { models, customSchemas: { ¦ } })`, models],
    [`rest.schemas('¦')`, models],
  ]
  const imports = `import { type BeforeCreate, controllerFor, ModelRest, type ScopeOf } from 'modelrest'\nimport { models } from './models.ts'\n`
  const text = imports + asked.map(([line]) => line).join('\n')
  const offered = completions(
    join(folder.path, 'modules.json'),
    join(folder.path, 'registered/modules'),
    text,
  )
  expect(offered).toEqual(asked.map(([, names]) => names))
})
