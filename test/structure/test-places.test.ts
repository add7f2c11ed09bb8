import { existsSync, readdirSync } from 'node:fs'
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

test('the tests of a room of src stand in the same folders as what they test', () => {
  const folders = rooms
    .map((room) => join('test', room))
    .filter((folder) => existsSync(folder))
    .flatMap(foldersBelow)
  expect(folders.length).toBeGreaterThan(5)
  expect(folders.filter((folder) => !existsSync(folder.replace('test', 'src')))).toEqual([])
})
