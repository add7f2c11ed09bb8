import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { freePort } from '../readme/server.ts'
import { type Folder, folderWithPackage, program } from './folders.ts'
import { start } from './in-process.ts'
import { succeed } from './shell.ts'

const page = readFileSync('docs/observability.md', 'utf8')
const blocks = fencedBlocks(page)
const [, run = ''] = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text)

const visitor = `import { app, responses, rest } from './app.ts'
for (const path of ['1', '1', '?nope=1']) await app.fetch(new Request('http://host/api/products/' + path))
console.log(JSON.stringify([...responses]))
await rest.close()
`

/** Asks the server for a record, and ends it. */
const asking = `import { setTimeout } from 'node:timers/promises'
const url = 'http://127.0.0.1:' + process.env.PORT + '/products/1'
const answers = async () => {
  try {
    return (await fetch(url)).status === 404
  } catch {
    return false
  }
}
const ask = async () => {
  while (!(await answers())) await setTimeout(50)
  process.kill(process.pid, 'SIGTERM')
}
ask()
`

describe('docs/observability.md', () => {
  let folder: Folder

  beforeAll(() => {
    folder = folderWithPackage(inject('unpacked'), {
      ...Object.fromEntries(
        blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, `${text}\n`]])),
      ),
      'visitor.ts': visitor,
      'asking.mjs': asking,
    })
    const database = new Database(join(folder.path, 'shop.db'))
    database.exec('create table products (id integer primary key, name text not null)')
    database.close()
  })
  afterAll(() => folder?.remove())

  test('has an observer that counts and complains', async () => {
    const { out, err } = await start(folder.path, 'visitor.ts', { SLOW: '0' })
    expect(out).toContain('[["getProduct 404",2],["listProducts 400",1]]')
    expect(err).toContain('slow in getProduct: select "id", "name" from "products" where "id" = ?')
  })

  test('has traces and metrics', async () => {
    const port = await freePort()
    expect(run).toBe('node --import ./telemetry.ts server.ts')
    const command = run.replace('node ', `${program('node')} --import ./asking.mjs `)
    const output = await succeed(`PORT=${port} ${command}`, folder.path)
    for (const expected of [
      "name: 'GET /products/{id}'",
      "name: 'select products'",
      "'http.route': '/products/{id}'",
      "name: 'http.server.request.duration'",
      "name: 'db.client.operation.duration'",
    ])
      expect(output).toContain(expected)
  })

  test('says all that an observer is told', () => {
    const source = readFileSync('src/observe/observer.ts', 'utf8')
    // A parameter ends with a comma.
    const members = [...source.matchAll(/^ {2}(?:readonly )?(\w+)(?:: |\(name).*[^,]$/gm)].map(
      ([, name]) => name,
    )
    expect(members.length).toBeGreaterThan(18)
    expect(members.filter((name) => !page.includes(`\`${name}`))).toEqual([])
  })
})
