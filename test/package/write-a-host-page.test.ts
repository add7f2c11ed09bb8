import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { type Folder, program, writeAll } from './folders.ts'
import { installed } from './installed.ts'
import { shell, succeed } from './shell.ts'

const files = ['host.ts', 'host.test.ts'] as const
const textOf = (file: string): string => readFileSync(`examples/node-host/${file}`, 'utf8')
const page = fencedBlocks(readFileSync('docs/write-a-host.md', 'utf8'))

test.each(files)('docs/write-a-host.md shows %s of the example', (name) => {
  const shown = page.find(({ file }) => file === name)?.text
  expect(`${shown}\n`).toBe(`// ${name}\n${textOf(name)}`)
})

test('the host is short', () => {
  expect(textOf('host.ts').split('\n').length).toBeLessThanOrEqual(120)
})

let folder: Folder
beforeAll(() => {
  folder = installed(
    ['fast-check'],
    Object.fromEntries([...files, 'package.json'].map((name) => [name, textOf(name)] as const)),
  )
})
afterAll(() => folder?.remove())

const testing = (more = ''): string => `${program('node')} --test --test-reporter=tap ${more} host.test.ts`

test('the example passes the suite of the packed package with node --test', async () => {
  const output = await succeed(testing(), folder.path)
  expect(output).toMatch(/^# fail 0$/m)
  expect(Number(/^# pass (\d+)$/m.exec(output)?.[1])).toBeGreaterThan(200)
})

test('a host that is wrong fails, and the failure says why', async () => {
  const decoding = `Object.assign(request, { url: request.url?.replace('%26', '&') })`
  writeAll(folder.path, {
    'host.ts': textOf('host.ts').replace('head = new NodeHead(request)', `head = new NodeHead(${decoding})`),
  })
  const { code, output } = await shell(testing('--test-name-pattern="query string"'), folder.path)
  expect(code).toBe(1)
  expect(output).toContain('RequestHead.url')
})
