import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { type Folder, folderWithPackage, program } from './folders.ts'
import { succeed } from './shell.ts'

const blocks = fencedBlocks(readFileSync('docs/files.md', 'utf8'))
const textOf = (name: string): string => {
  const block = blocks.find(({ file, language }) => (file ?? language) === name)
  if (block === undefined) throw new Error(`docs/files.md has no block ${name}.`)
  return `${block.text}\n`
}
const named = blocks.flatMap(({ file }) => file ?? [])
const [, clean = ''] = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text)

/** Sends what the page's curl sends, and reads the file back. */
const visitor = `import { app, rest } from './app.ts'
const form = new FormData()
form.set('title', 'Hello')
form.set('content', new Blob(['Hello, world.'], { type: 'text/plain' }), 'hello.txt')
const send = (path, init) => app.fetch(new Request('http://host' + path, init))
const reply = await send('/api/documents/', { method: 'POST', body: form })
const body = await reply.json()
const file = await send(body.content)
form.set('content', new Blob(['%PDF-1.7 '.repeat(200_000)]), 'large.pdf')
const large = await send('/api/documents/', { method: 'POST', body: form })
const { detail } = await large.json()
console.log(JSON.stringify({ status: reply.status, body, text: await file.text(), large: [large.status, detail] }))
await rest.close()
`

describe('docs/files.md', () => {
  let folder: Folder

  beforeAll(() => {
    folder = folderWithPackage(inject('unpacked'), {
      ...Object.fromEntries(named.map((name) => [name, textOf(name)])),
      'visitor.ts': visitor,
      'storage.ts': "import { storage } from './bucket.ts'\nconsole.log(typeof storage.signedUrl)\n",
    })
    const database = new Database(join(folder.path, 'shop.db'))
    database.exec(
      'create table documents (id integer primary key, title text not null, content text, cover text)',
    )
    database.close()
  })
  afterAll(() => folder?.remove())

  const run = (script: string): Promise<string> =>
    succeed(`cd ${folder.path} && ${program('node')} ${script} 2>/dev/null`, folder.path)

  test('has no example that is not tried', () => {
    expect(named.toSorted()).toEqual(['app.ts', 'bucket.ts', 'controllers/document.ts', 'models.ts'])
  })

  test('is answered as it says', async () => {
    const output = await run('visitor.ts')
    const { status, body, text, large } = JSON.parse(
      output.split('\n').find((line) => line.startsWith('{"st')) ?? '{}',
    )
    expect(large).toEqual([400, 'A document has a megabyte at most.'])
    const letters = /[a-z2-7]{26}/
    expect([status, text]).toEqual([201, 'Hello, world.'])
    expect(JSON.parse(JSON.stringify(body).replace(letters, ''))).toEqual(
      JSON.parse(textOf('json').replace(letters, '')),
    )
  })

  test('has a command that cleans', async () => {
    expect(clean).toMatch(/^npx modelrest files clean /)
    const program = clean.replace('npx modelrest', 'node_modules/modelrest/dist/cli/main.js')
    // A file that it deleted would be a line more.
    expect((await run(program)).trim().split('\n')).toHaveLength(1)
  })

  test('makes a storage of a bucket', async () => {
    expect(await run('storage.ts')).toContain('function')
  })
})
