import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { naming } from '../naming.ts'
import { needing, skipWithout, tag } from '../needed-program.ts'
import { sendAsCurl } from '../readme/exchanges.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { serving } from '../readme/server.ts'
import { type Folder, folderWithPackage, packedCommand, program } from './folders.ts'
import { node22 } from './node-22.ts'
import { shell, succeed } from './shell.ts'

const page = readFileSync('docs/install.md', 'utf8')
const about = JSON.parse(readFileSync('package.json', 'utf8'))
const [server] = fencedBlocks(page, 'An existing project').filter(({ file }) => file === 'server.js')

const models = `const { integer, sqliteTable, text } = require('drizzle-orm/sqlite-core')
const { decimal } = require('modelrest/drizzle/sqlite')

exports.products = sqliteTable('products', {
  id: integer().primaryKey(),
  name: text({ length: 100 }).notNull(),
  price: decimal({ precision: 10, scale: 2 }).notNull(),
})
`

/** It talks to itself, and ends. */
const asking = `const Fastify = require('fastify')
const { z } = require('zod')
const { ModelRest } = require('modelrest/fastify')
const { drizzleModels } = require('modelrest/drizzle')
const { drizzle } = require('drizzle-orm/better-sqlite3')

const app = Fastify()
const create = z.strictObject({ name: z.string().min(2), price: z.string() })
const models = drizzleModels(drizzle('shop.db'), { shop: require('./models.js') })
const api = new ModelRest(app, { models, customSchemas: { Product: { create } } })
module.exports = { api }

const ask = async () => {
  await api.init()
  for (const name of [' Lamp', 'L', 'forbidden']) {
    const sent = await app.inject({ method: 'POST', url: '/products/', payload: { name, price: '9.90' } })
    console.log(sent.statusCode, sent.json().name)
  }
  console.log((await app.inject('/products/?price<20&name=lamp')).json().count)
  await app.close()
}
ask()
`

const controller = `const { controllerFor, ValueError } = require('modelrest/fastify')
exports.ProductController = controllerFor('Product', {
  beforeCreate(_request, payload) {
    if (payload.name === 'forbidden') throw new ValueError('It is forbidden.')
    return { ...payload, name: payload.name.trim() }
  },
})
`

/** What a compiler checks, and what it makes run. */
const typed = `import Fastify from 'fastify'
import { ModelRest } from 'modelrest/fastify'
import { fetchApp } from 'modelrest/fetch'

console.log(typeof Fastify, typeof ModelRest, typeof fetchApp, typeof require)
`

test('docs/install.md asks an existing project for the versions that package.json asks for', () => {
  const { 'drizzle-orm': drizzle, fastify, zod } = about.peerDependencies
  expect([about.engines.node, zod, drizzle, fastify]).toEqual([
    ...['>=22.18', '^4.6.0', '>=0.44 <1', '^5.0.0'],
  ])
  const rows = ['Node 22.18', '`zod` 4.6', '`drizzle-orm` 0.44 or later, before 1', '`fastify` 5']
  for (const row of rows) expect(page).toContain(`\n| ${row}`)
})

test('docs/express.md has a program in CommonJS, which responds as shown', {
  tags: [tag],
}, async (context) => {
  skipWithout(context, 'registry')
  const blocks = fencedBlocks(readFileSync('docs/express.md', 'utf8'), 'A program in CommonJS')
  const named = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, `${text}\n`]]))
  const [push = '', start = ''] =
    blocks.find(({ text }) => text.startsWith('npx drizzle-kit'))?.text.split('\n') ?? []
  const folder = folderWithPackage(inject('unpacked'), {
    'package.json': '{ "private": true, "type": "commonjs" }',
    ...Object.fromEntries(named),
  })
  try {
    await succeed(push.replace('npx drizzle-kit', program('drizzle-kit')), folder.path)
    const server = await serving(start.replace('npx node', await node22()), folder.path, '/api/docs')
    try {
      const requests = blocks.filter(({ text }) => text.startsWith('curl '))
      expect(requests).toHaveLength(2)
      for (const request of requests) {
        const printed = await sendAsCurl(request.text, server.origin)
        expect(printed).toBe(blocks[blocks.indexOf(request) + 1]?.text)
      }
    } finally {
      await server.stop()
    }
  } finally {
    folder.remove()
  }
})

needing('registry', 'a project that uses CommonJS', () => {
  let folder: Folder
  let node: string
  beforeAll(async () => {
    node = await node22()
    folder = folderWithPackage(inject('unpacked'), {
      'package.json': '{ "private": true, "type": "commonjs" }',
      'models.js': models,
      'ask.js': asking,
      'controllers/product.js': controller,
      'server.js': server?.text ?? '',
      'typed.ts': typed,
    })
    await succeed(
      `${program('drizzle-kit')} push --dialect=sqlite --schema=./models.js --url=shop.db`,
      folder.path,
    )
  })
  afterAll(() => folder.remove())

  test('requires modelrest, Drizzle and Zod, and its controllers and schemas apply', async () => {
    const output = await succeed(`${node} ask.js`, folder.path)
    expect(output.trim().split('\n').slice(-4)).toEqual(['201 Lamp', '422 undefined', '400 undefined', '1'])
  })

  test('serves with the file of docs/install.md, which the commands load too', async () => {
    const main = packedCommand(folder.path)
    expect(await shell(`${node} ${main} check`, folder.path)).toMatchObject({
      ...{ code: 0, output: expect.stringMatching(naming(1, 8, 'controllers/')) },
    })
    await (await serving(`${node} server.js`, folder.path, '/products/')).stop()
  })

  test('compiles where the module option can require ES modules', async () => {
    const compile = (module: string) =>
      shell(
        `${program('tsc')} typed.ts --ignoreConfig --module ${module} --target es2023 --types node --skipLibCheck --outDir out`,
        folder.path,
      )
    for (const module of ['nodenext', 'node20']) expect(await compile(module)).toMatchObject({ code: 0 })
    expect(await succeed(`${node} out/typed.js`, folder.path)).toBe('function function function function\n')
    expect((await compile('node16')).output).toContain('TS1479')
  })
})
