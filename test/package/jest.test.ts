import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needing } from '../needed-program.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { emptyFolder, type Folder } from './folders.ts'
import { installOthers } from './installed.ts'
import { node22 } from './node-22.ts'
import { shell } from './shell.ts'

const page = fencedBlocks(readFileSync('docs/testing.md', 'utf8'), 'Vitest and Jest')
const [example] = page.filter(({ file }) => file === 'jest.test.js')
const [command] = page.filter(({ language }) => language === 'sh')

needing('registry', 'Jest in a project that uses CommonJS', () => {
  let folder: Folder
  beforeAll(async () => {
    const text = example?.text ?? ''
    folder = emptyFolder({
      'package.json': '{ "private": true, "type": "commonjs" }',
      'jest.test.js': text,
      'required.test.js': text.replace("await import('modelrest/testing')", "require('modelrest/testing')"),
    })
    await installOthers(folder.path, ['jest@30.5.2'])
  })
  afterAll(() => folder?.remove())

  const runs = (line: string, node: string, file: string) =>
    shell(line.replace('npx jest', `${node} node_modules/jest/bin/jest.js ${file}`), folder.path)

  test('runs the test of docs/testing.md with its command, and not without the option', async () => {
    const line = command?.text ?? ''
    for (const node of [process.execPath, await node22()]) {
      expect(await runs(line, node, 'jest.test.js')).toMatchObject({
        ...{ code: 0, output: expect.stringContaining('1 passed') },
      })
      expect((await runs('npx jest', node, 'jest.test.js')).code).toBe(1)
    }
  })

  test('can require modelrest with the Node that the page names', async () => {
    const line = command?.text ?? ''
    expect((await runs(line, process.execPath, 'required.test.js')).code).toBe(0)
    expect((await runs(line, await node22(), 'required.test.js')).code).toBe(1)
  })
})
