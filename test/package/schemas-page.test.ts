import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { type Folder, folderWithPackage } from './folders.ts'
import { start } from './in-process.ts'

const blocks = fencedBlocks(readFileSync('docs/schemas.md', 'utf8'))
const textOf = (name: string): string => {
  const block = blocks.find(({ file, language }) => (file ?? language) === name)
  if (block === undefined) throw new Error(`docs/schemas.md has no block ${name}.`)
  return `${block.text}\n`
}

/** Sends requests to an application of the page, and prints what each answered. */
const visitor = (library: string): string => `import { app, rest } from './app-${library}.ts'
const send = async (method, path, body) => {
  const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const reply = await app.fetch(new Request('http://host' + path, init))
  console.log(JSON.stringify({ status: reply.status, body: await reply.json() }))
}
await send('POST', '/products/', { name: ' Mug ', price: '9.90' })
await send('POST', '/products/', { name: 'Mug', price: 0 })
await send('PATCH', '/products/1', { in_stock: false })
await send('PATCH', '/products/1', { price: 5 })
await send('PUT', '/products/1', { id: 1, name: 'Cup', price: 4 })
await rest.close()
`

const extending = `import { create } from './extended.ts'
for (const name of ['M', 'Mug']) console.log(create.safeParse({ name, price: '9.9' }).success)
`

const libraries = ['zod', 'valibot', 'arktype']

describe('docs/schemas.md', () => {
  let folder: Folder

  beforeAll(() => {
    const named = ['models.ts', 'app.ts', 'extended.ts', ...libraries.map((library) => `${library}.ts`)]
    folder = folderWithPackage(inject('unpacked'), {
      ...Object.fromEntries(named.map((name) => [name, textOf(name)])),
      ...Object.fromEntries(
        libraries.flatMap((library) => [
          [`app-${library}.ts`, textOf('app.ts').replace("'./zod.ts'", `'./${library}.ts'`)],
          [`visitor-${library}.ts`, visitor(library)],
        ]),
      ),
      'extending.ts': extending,
    })
  })
  afterAll(() => folder?.remove())

  test.each(libraries)('does what it says with schemas of %s', async (library) => {
    const database = new Database(join(folder.path, 'shop.db'))
    database.exec(`drop table if exists products;
      create table products (id integer primary key, name text not null, price integer not null, in_stock integer not null default 1)`)
    database.close()
    const { out } = await start(folder.path, `visitor-${library}.ts`)
    const answers = out
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    const mug = { id: 1, name: 'Mug', price: '9.90', in_stock: true }
    const issue =
      library === 'zod'
        ? (JSON.parse(textOf('json')) as object)
        : { pointer: '/price', code: 'out_of_range', detail: expect.any(String) }
    expect(answers).toEqual([
      { status: 201, body: mug },
      { status: 422, body: expect.objectContaining({ errors: [issue] }) },
      { status: 200, body: { ...mug, in_stock: false } },
      { status: 200, body: { ...mug, price: '5.00', in_stock: false } },
      { status: 200, body: { id: 1, name: 'Cup', price: '4.00', in_stock: true } },
    ])
  })

  test('extends a generated schema', async () => {
    expect((await start(folder.path, 'extending.ts')).out).toBe('false\ntrue\n')
  })
})
