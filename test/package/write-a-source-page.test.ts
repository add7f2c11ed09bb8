import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { emptyFolder, type Folder, program, writeAll } from './folders.ts'
import { shell, succeed } from './shell.ts'

const files = ['source.ts', 'source.test.ts'] as const
const textOf = (file: string): string => readFileSync(`examples/memory-source/${file}`, 'utf8')
const page = fencedBlocks(readFileSync('docs/write-a-source.md', 'utf8'))

test.each(files)('docs/write-a-source.md shows %s of the example', (name) => {
  const shown = page.find(({ file }) => file === name)?.text
  expect(`${shown}\n`).toBe(`// ${name}\n${textOf(name)}`)
})

test('the example is memorySource of modelrest/testing', () => {
  const published = readFileSync('src/testing/memory-source.ts', 'utf8')
  expect(textOf('source.ts')).toBe(published.replace(`'../entry/source.ts'`, `'modelrest/source'`))
})

test('the source is short', () => {
  expect(textOf('source.ts').trimEnd().split('\n').length).toBeLessThanOrEqual(250)
})

let folder: Folder
beforeAll(async () => {
  folder = emptyFolder(
    Object.fromEntries([...files, 'package.json'].map((name) => [name, textOf(name)] as const)),
  )
  await succeed(`npm install ${inject('tarball')}`, folder.path)
})
afterAll(() => folder?.remove())

const testing = (more = ''): string => `${program('node')} --test --test-reporter=tap ${more} source.test.ts`

test.each(['UTC', 'America/St_Johns'])(
  'the example passes the suite of the packed package in %s',
  async (zone) => {
    const output = await succeed(`TZ=${zone} ${testing()}`, folder.path)
    expect(output).toMatch(/^# fail 0$/m)
    expect(Number(/^# pass (\d+)$/m.exec(output)?.[1])).toBeGreaterThan(130)
    expect(output).toMatch(/# SKIP .*\bCheapBook$/m)
    expect(output).toMatch(/did not test .*\bCheapBook\b/)
  },
)

test('a source that is wrong fails, and the failure says why', async () => {
  const unguarded = textOf('source.ts').replace(
    '.find((row) => holds(guard, row, evaluation(place, model)))',
    '[0]',
  )
  writeAll(folder.path, { 'source.ts': unguarded })
  const { code, output } = await shell(testing('--test-name-pattern="outside of the guard"'), folder.path)
  expect(code).toBe(1)
  expect(output).toContain('The guard must be part of the condition of the statement.')
})
