import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { completions } from './completions.ts'
import { type Folder, folderWithPackage, program } from './folders.ts'
import { prismaGenerateFor } from './prisma.ts'
import { shell } from './shell.ts'
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

const config = (application: string): string =>
  JSON.stringify({
    compilerOptions: {
      ...strictConfig,
      // The packages beside ours are checked by their own authors.
      skipLibCheck: true,
      types: ['node'],
      allowImportingTsExtensions: true,
    },
    include: [`registered/${application}/*.ts`],
  })

let folder: Folder

beforeAll(async () => {
  const configs = applications.map((name) => [`${name}.json`, config(name)])
  folder = folderWithPackage(inject('unpacked'), { ...files, ...Object.fromEntries(configs) })
  await prismaGenerateFor(folder.path, files)
})

afterAll(() => folder?.remove())

const complaints = async (line: string): Promise<readonly string[]> => {
  const { output } = await shell(`${program('tsc')} --pretty false ${line}`, folder.path)
  return output.split('\n').filter((text) => /error TS/.test(text))
}

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
  test.each(applications)('%s', async (name) => {
    expect(await complaints(`-p ${name}.json`)).toEqual([])
  })

  test('our own declarations too', async () => {
    const all = await complaints('-p fetch.json --skipLibCheck false')
    // That the compiler has looked at libraries is seen by what it finds in drizzle's.
    expect(all.filter((text) => text.includes('drizzle-orm/'))).not.toEqual([])
    expect(all.filter((text) => !text.includes('drizzle-orm/'))).toEqual([])
  })

  test('and can be a library itself, whose declarations name the types of its models', async () => {
    const emit = '--noEmit false --declaration --emitDeclarationOnly --outDir declarations'
    expect(await complaints(`-p single.json ${emit} --rootDir .`)).toEqual([])
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
      'fieldDescriptions',
      'fields',
      'fileFields',
      'hidden',
      'include',
      'internal',
    ],
    ...[
      'operations',
      'optional',
      'path',
      'public',
      'readOnly',
      'relations',
      'requireIfMatch',
      'schemas',
      'search',
      'softDelete',
      'stamps',
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
