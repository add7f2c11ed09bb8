import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { type Folder, packedCommand, program } from './folders.ts'
import { type PageProject, pageProject } from './page-project.ts'
import { succeed } from './shell.ts'

const blocks = fencedBlocks(readFileSync('docs/files.md', 'utf8'))
const textOf = (name: string): string => {
  const block = blocks.find(({ file, language }) => (file ?? language) === name)
  if (block === undefined) throw new Error(`docs/files.md has no block ${name}.`)
  return `${block.text}\n`
}
const named = blocks.flatMap(({ file }) => file ?? [])
const clean = blocks.find(({ text }) => text.startsWith('npx modelrest files clean'))?.text ?? ''

/** Sends what the page's curl sends, and reads the file back. */
const visitor = `import { app } from './app.ts'
const origin = await app.listen({ port: 0 })
const form = new FormData()
form.set('title', 'Hello')
form.set('content', new Blob(['Hello, world.'], { type: 'text/plain' }), 'hello.txt')
const send = (path, init) => fetch(origin + path, init)
const reply = await send('/api/documents/', { method: 'POST', body: form })
const body = await reply.json()
const file = await send(body.content)
form.set('content', new Blob(['%PDF-1.7 '.repeat(200_000)]), 'large.pdf')
const large = await send('/api/documents/', { method: 'POST', body: form })
const { detail } = await large.json()
console.log(JSON.stringify({ status: reply.status, body, text: await file.text(), large: [large.status, detail] }))
await app.close()
`

describe('docs/files.md', () => {
  let project: PageProject
  let folder: Folder

  beforeAll(async () => {
    project = await pageProject('docs/files.md', inject('unpacked'), {
      'visitor.ts': visitor,
      'storage.ts': "import { storage } from './bucket.ts'\nconsole.log(typeof storage.signedUrl)\n",
    })
    folder = project.folder
  })
  afterAll(() => folder?.remove())

  test('has no example that is not tried', () => {
    expect(named.toSorted()).toEqual([
      ...['app.ts', 'bucket.ts', 'controllers/document.ts', 'models.ts', 'server.ts'],
    ])
  })

  test('is answered as it says', async () => {
    const { out } = await project.start('visitor.ts')
    const { status, body, text, large } = JSON.parse(out)
    expect(large).toEqual([400, 'Documents are limited to 1 MB.'])
    const letters = /[a-z2-7]{26}/
    expect([status, text]).toEqual([201, 'Hello, world.'])
    expect(JSON.parse(JSON.stringify(body).replace(letters, ''))).toEqual(
      JSON.parse(textOf('json').replace(letters, '')),
    )
  })

  test('has a command that cleans', async () => {
    expect(clean).toBe('npx modelrest files clean')
    const line = clean.replace('npx modelrest', `${program('node')} ${packedCommand(folder.path)}`)
    // A file that it deleted would be a line more.
    expect((await succeed(line, folder.path)).trim().split('\n')).toHaveLength(1)
  })

  test('installs what a bucket needs', () => {
    const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
    const needed = Object.keys(peerDependencies).filter((name) => name.startsWith('@aws-sdk/'))
    const [line = '', ...more] = blocks.flatMap(({ text }) =>
      text.startsWith('npm i @aws-sdk/') ? [text] : [],
    )
    expect(more).toEqual([])
    expect(line.replace('npm i ', '').split(' ').toSorted()).toEqual(needed.toSorted())
  })

  test('makes a storage of a bucket', async () => {
    expect((await project.start('storage.ts')).out).toBe('function\n')
  })
})
