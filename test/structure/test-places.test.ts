import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The folders that hold files, from one downwards. */
const foldersBelow = (folder: string): readonly string[] => [
  ...new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath }) => parentPath),
  ),
]

const rooms = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** A folder of src, or a file that has several files of tests. */
const isThere = (path: string): boolean => existsSync(path) || existsSync(`${path}.ts`)

test('the tests of a room of src stand where what they test stands', () => {
  const folders = rooms
    .map((room) => join('test', room))
    .filter((folder) => existsSync(folder))
    .flatMap(foldersBelow)
  expect(folders.length).toBeGreaterThan(5)
  expect(folders.filter((folder) => !isThere(folder.replace('test', 'src')))).toEqual([])
})

test('only a test that runs in a process of its own replaces modules', () => {
  const config = readFileSync('vitest.config.ts', 'utf8')
  const replacing = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.includes('.tmp'))
    .map((path) => join('test', path))
    .filter((path) => /\bvi\.(?:mock|doMock)\(/.test(readFileSync(path, 'utf8')))
    .filter((path) => !config.includes(`'${path}'`))
  expect(replacing).toEqual([])
})
