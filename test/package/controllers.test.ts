import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { naming } from '../naming.ts'
import { skipWithout, tag } from '../needed-program.ts'
import type { Files, Folder } from './folders.ts'
import { program } from './folders.ts'
import { application, type ControllerApplication, type Found, type Search } from './found-controllers.ts'
import { node22, version } from './node-22.ts'
import { succeed } from './shell.ts'

const folders: Folder[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove()
})

const app = (files: Files): ControllerApplication => {
  const made = application(files)
  folders.push(made)
  return made
}

const find = (files: Files, search?: Search): Promise<Found> => app(files).find(search)

const of = (model: string): string => `import { controllerFor } from 'modelrest'
export const ${model}Controller = controllerFor('${model}', { beforeCreate: () => ({ model: '${model}' }) })
`

const commonJs = (model: string): string => `const { controllerFor } = require('modelrest')
exports.${model}Controller = controllerFor('${model}', { beforeCreate: () => ({ model: '${model}' }) })
`

const typed = (model: string): string => `import { BaseModelController, controllerFor } from 'modelrest/fetch'

class ${model}Controller extends BaseModelController {
  private static readonly slug: string = 'of ${model}'
  static beforeCreate(_request: Request, payload: Record<string, unknown>): Record<string, unknown> {
    return { ...payload, slug: this.slug }
  }
}
export default controllerFor('${model}', ${model}Controller)
`

describe('controllers are found', () => {
  test('in controllers/, in its folders, and in the folders of apps', async () => {
    const found = await find({
      'controllers/product.ts': of('Product'),
      'controllers/admin/user.mts': of('User'),
      'shop/controllers/order.js': of('Order'),
      'apps/blog/controllers/post.mjs': of('Post'),
      'apps/blog/controllers/tag.cjs': commonJs('Tag'),
      'other/controllers/tag.ts': of('Tag'),
    })
    expect(found.places).toEqual([
      'controllers/admin/user.mts, UserController',
      'controllers/product.ts, ProductController',
      'shop/controllers/order.js, OrderController',
      'apps/blog/controllers/post.mjs, PostController',
      'apps/blog/controllers/tag.cjs, TagController',
    ])
    expect(found.created?.at(-1)).toEqual({ model: 'Tag' })
    expect(found.summary).toMatch(naming(5, 'controllers/', 'shop/controllers/', 'apps/blog/controllers/'))
  })

  test('but not among tests, declarations, hidden files and packages', async () => {
    const found = await find({
      'controllers/product.ts': typed('Product'),
      'controllers/product.test.ts': 'throw new Error()',
      'controllers/product.spec.js': 'throw new Error()',
      'controllers/__tests__/product.ts': 'throw new Error()',
      'controllers/node_modules/x/index.js': 'throw new Error()',
      'controllers/.product.ts': 'throw new Error()',
      'controllers/global.d.ts': 'declare const x: 1',
      'controllers/global.d.mts': 'export declare const x: 1',
      'controllers/README.md': 'Controllers.',
      'controllers/data.json': '{}',
    })
    expect(found).toEqual({
      summary: expect.stringMatching(naming(1, 'controllers/')),
      places: ['controllers/product.ts, ProductController'],
      created: [{ slug: 'of Product' }],
    })
  })

  test('under BASE_DIR, from the working folder on where it is relative', async () => {
    const files = { 'src/controllers/product.ts': of('Product'), 'controllers/order.ts': of('Order') }
    const places = ['controllers/product.ts, ProductController']
    expect(await find(files, { baseDir: 'src' })).toMatchObject({ places })
    expect(await find(files, { baseDir: { ofEntry: true }, entry: 'src/server.ts' })).toMatchObject({
      places,
    })
  })

  test('not where there are none', async () => {
    const none = { summary: expect.not.stringMatching(/\d|\//), places: [], created: [] }
    expect(await find({})).toEqual(none)
    expect(await find({ 'controllers/README.md': '' })).toEqual(none)
  })

  test('several in one file; each once, however often it is exported', async () => {
    const found = await find({
      'controllers/all.ts': `${of('Product')}
class OrderController {}
export { OrderController, ProductController as default }
export * from './more/order.ts'
export { BaseModelController } from 'modelrest'
export const limit = 5`,
      'controllers/more/order.ts': of('Post') + of('Tag').replace(/^import.*\n/, ''),
    })
    expect(found.places?.map((place) => place.split(', ')[1])).toEqual([
      'PostController',
      'ProductController',
      'TagController',
    ])
  })

  test('through links, once each, also where they lead back', async () => {
    const made = app({ 'controllers/product.ts': of('Product'), 'shared/order.ts': of('Order') })
    mkdirSync(join(made.path, 'shop'))
    symlinkSync(join(made.path, 'controllers'), join(made.path, 'shop/controllers'))
    symlinkSync(join(made.path, 'controllers'), join(made.path, 'controllers/again'))
    symlinkSync(join(made.path, 'shared/order.ts'), join(made.path, 'controllers/order.ts'))
    expect((await made.find()).places).toEqual([
      'controllers/order.ts, OrderController',
      'controllers/product.ts, ProductController',
    ])
  })

  test('of two copies of the package', async () => {
    const made = app({
      'controllers/product.js': of('Product').replace(`'modelrest'`, `'../copy/dist/index.js'`),
    })
    cpSync(inject('unpacked'), join(made.path, 'copy'), { recursive: true })
    expect((await made.find()).places).toEqual(['controllers/product.js, ProductController'])
  })

  test(`on Node ${version}`, { tags: [tag] }, async (context) => {
    skipWithout(context, 'registry')
    const made = app({ 'controllers/product.ts': typed('Product'), 'controllers/order.js': of('Order') })
    const found = await made.findInProcess({ node: await node22() })
    expect(found.created).toEqual([{ model: 'Order' }, { slug: 'of Product' }])
  })
})

describe('a file is refused', () => {
  test('that exports no controller', async () => {
    expect(await find({ 'controllers/index.ts': 'export const limit: number = 5' })).toEqual({
      error: expect.stringMatching(
        naming(
          ...['controllers/index.ts', 'controllers: []'],
          "export const ProductController = controllerFor('Product', { … })",
        ),
      ),
    })
  })

  test('that exports a class without a model, beside a controller too', async () => {
    const base = `import { BaseModelController } from 'modelrest'
export class Audited extends BaseModelController {}
`
    const error = expect.stringMatching(
      naming('controllers/base.ts', 'Audited', "controllerFor('Product', Audited)", 'controllers/'),
    )
    expect(await find({ 'controllers/base.ts': base })).toEqual({ error })
    expect(await find({ 'controllers/base.ts': base + of('Product') })).toEqual({ error })
  })

  test('that fails, by its name and with the cause', async () => {
    expect(await find({ 'shop/controllers/a.ts': `throw new Error('no key')` })).toEqual({
      error: expect.stringMatching(naming('shop/controllers/a.ts', 'no key')),
      cause: 'no key',
    })
    const missing = await find({ 'controllers/a.ts': `import '../db.ts'` })
    expect(missing.error).toMatch(/\bcontrollers\/a\.ts\b.*Cannot find module '.*db\.ts'/)
    const broken = await find({ 'controllers/a.ts': 'export const a = = 1' })
    expect(broken).toEqual({
      error: expect.stringMatching(naming('controllers/a.ts', 'Expression expected')),
      cause: 'Expression expected',
    })
  })

  test('in which a controller is written wrongly', async () => {
    const { error } = await find({ 'controllers/a.ts': of('Product').replace('beforeCreate', 'beforCreate') })
    expect(error).toMatch(
      naming('controllers/a.ts', "controllerFor('Product')", 'beforCreate', 'beforeCreate'),
    )
  })

  test.each(['a.tsx', 'a.jsx'])('that Node does not read: %s', async (name) => {
    expect((await find({ [`controllers/${name}`]: '' })).error).toMatch(
      naming(`controllers/${name}`, 'Unknown file extension'),
    )
  })

  test('with a BASE_DIR that is no folder', async () => {
    const { error } = await find({ 'base.txt': '' }, { baseDir: 'base.txt' })
    expect(error).toMatch(naming('BASE_DIR', 'base.txt', 'BASE_DIR: import.meta.dirname'))
  })
})

const decorated = (more = ''): string => `import { BaseModelController, controllerFor } from 'modelrest'

${more}@controllerFor('Product')
export class ProductController extends BaseModelController {
  static readonly slug: string = 'decorated'
  static beforeCreate(_request: unknown, payload: Record<string, unknown>): Record<string, unknown> {
    return { ...payload, slug: this.slug }
  }
}
`

const config = (more: object): string =>
  JSON.stringify({
    compilerOptions: {
      target: 'es2023',
      module: 'nodenext',
      strict: true,
      skipLibCheck: true,
      types: [],
      rootDir: 'src',
      outDir: 'dist',
      noImplicitOverride: true,
      ...more,
    },
    include: ['src'],
  })

describe('a decorator', () => {
  test.each([
    ['as TypeScript', 'ts', ''],
    ['as JavaScript', 'js', ''],
    ['with a comment before it', 'ts', '/**\n * The products.\n */\n'],
  ])('that Node cannot read is explained: %s', async (_, extension, comment) => {
    const text =
      extension === 'ts'
        ? decorated(comment)
        : decorated().replaceAll(/: (string|unknown|Record<string, unknown>)/g, '')
    expect(await find({ [`controllers/product.${extension}`]: text })).toEqual({
      error: expect.stringMatching(
        naming(
          ...[`controllers/product.${extension}`, 'tsc'],
          "export const ProductController = controllerFor('Product', class extends BaseModelController { … })",
        ),
      ),
      cause: 'Invalid or unexpected token',
    })
  })

  test.each([
    ['standard', 'esm', {}],
    ['of the older kind', 'esm', { experimentalDecorators: true }],
    ['standard, compiled to CommonJS', 'commonjs', {}],
  ])('works once compiled: %s', async (_, type, options) => {
    const made = app({
      'src/controllers/product.ts': decorated(),
      'tsconfig.json': config(options),
      ...(type === 'commonjs' && {
        'package.json': '{ "private": true, "type": "commonjs" }',
      }),
    })
    await succeed(`${program('tsc')} -p .`, made.path)
    const entry = type === 'commonjs' ? 'dist/server.mjs' : 'dist/server.js'
    expect(await made.find({ entry, baseDir: { ofEntry: true } })).toEqual({
      summary: expect.stringMatching(naming(1, 'controllers/')),
      places: ['controllers/product.js, ProductController'],
      created: [{ slug: 'decorated' }],
    })
  })

  test('compiled to CommonJS may be the default export', async () => {
    const made = app({
      'src/controllers/product.ts': of('Product'),
      'tsconfig.json': config({}),
      'package.json': '{ "private": true, "type": "commonjs" }',
    })
    await succeed(`${program('tsc')} -p .`, made.path)
    const found = await made.find({ entry: 'dist/server.mjs', baseDir: { ofEntry: true } })
    expect(found.places).toHaveLength(1)
  })

  test('works through a loader that knows it', async () => {
    const made = app({ 'controllers/product.ts': decorated() })
    const found = await made.findInProcess({ node: `${program('node')} --import tsx` })
    expect(found.created).toEqual([{ slug: 'decorated' }])
  })
})

describe('sources and compiled output are not mixed', () => {
  test('where a compiled entry would read the sources', async () => {
    const { error } = await find({ 'controllers/product.ts': of('Product') }, { entry: 'dist/server.js' })
    expect(error).toMatch(
      naming(
        ...['controllers/product.ts', 'dist/server.js', 'TypeScript', 'JavaScript'],
        'settings: defineSettings({ BASE_DIR: import.meta.dirname })',
        'controllers: [ProductController]',
      ),
    )
  })

  test('and a compiled entry reads what was compiled with it', async () => {
    const files = { 'controllers/product.ts': of('Product'), 'dist/controllers/product.js': of('Product') }
    const search = { entry: 'dist/server.js', baseDir: { ofEntry: true } }
    expect(await find(files, search)).toMatchObject({ places: ['controllers/product.js, ProductController'] })
  })
})

describe('controllers beside the entry are not passed over', () => {
  const error = naming(
    '/src/controllers',
    'settings: defineSettings({ BASE_DIR: import.meta.dirname })',
    ...['option controllers', 'controllers: []'],
  )

  test('where the working folder is that of the project', async () => {
    const files = { 'src/controllers/product.ts': of('Product') }
    expect((await find(files, { entry: 'src/server.ts' })).error).toMatch(error)
  })

  test('where a service starts the application from elsewhere', async () => {
    const files = { 'src/controllers/product.ts': of('Product'), 'elsewhere/a.txt': '' }
    expect((await find(files, { entry: 'src/server.ts', cwd: 'elsewhere' })).error).toMatch(error)
  })

  test('where they are those of an app', async () => {
    const files = { 'src/shop/controllers/product.ts': of('Product') }
    expect((await find(files, { entry: 'src/server.ts' })).error).toMatch(
      naming('/src/shop/controllers', 'BASE_DIR: import.meta.dirname'),
    )
  })

  test('unless they are those of another framework', async () => {
    const files = { 'src/controllers/a.ts': 'export const show = 1', 'src/controllers/b.cjs': '' }
    expect(await find(files, { entry: 'src/server.ts' })).toMatchObject({ places: [] })
  })

  test.each(['/', 'elsewhere'])('where they are above the entry, started from %s', async (cwd) => {
    const files = { 'controllers/product.ts': of('Product'), 'elsewhere/a.txt': '' }
    const { error } = await find(files, { entry: 'src/api/server.ts', cwd })
    expect(error).toMatch(naming('/controllers', "BASE_DIR: join(import.meta.dirname, '../..')"))
  })

  test('where the compiled entry has none beside it', async () => {
    const files = { 'src/controllers/product.ts': of('Product'), 'dist/package.json': '{ "type": "module" }' }
    const error = naming('/src/controllers', 'option controllers', 'controllers: []')
    expect((await find(files, { entry: 'dist/server.js', cwd: '/' })).error).toMatch(error)
    const search = { entry: 'dist/server.js', cwd: '/', baseDir: { ofEntry: true } }
    expect((await find(files, search)).error).toMatch(error)
  })

  test('where BASE_DIR has none', async () => {
    const files = { 'src/controllers/product.ts': of('Product') }
    expect((await find(files, { entry: 'src/server.ts', baseDir: '.' })).error).toMatch(error)
  })

  test('where modelrest lies in a bundle, which knows of no folder', async () => {
    const made = app({ 'controllers/product.js': of('Product') })
    const { error } = await made.findInProcess({ entry: 'out/server.js', cwd: '/', bundled: true })
    expect(error).toMatch(naming('esbuild', '--packages=external', 'controllers: [ProductController]'))
  })

  test('unless BASE_DIR has others', async () => {
    const files = { 'src/controllers/product.ts': of('Product'), 'api/controllers/order.ts': of('Order') }
    expect(await find(files, { entry: 'src/server.ts', baseDir: 'api' })).toMatchObject({
      places: ['controllers/order.ts, OrderController'],
    })
  })

  test('unless they are outside of the package of the application', async () => {
    const files = {
      'controllers/product.ts': of('Product'),
      'apps/one/package.json': '{ "name": "one", "type": "module" }',
    }
    const search = { entry: 'apps/one/server.ts', cwd: 'apps/one' }
    expect(await find(files, search)).toMatchObject({ places: [] })
  })
})
