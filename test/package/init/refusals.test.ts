import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { modelrest, type Told } from '../cli/modelrest.ts'
import { type Folder, folderWithPackage, program } from '../folders.ts'
import { succeed } from '../shell.ts'

let folder: Folder
beforeEach(() => {
  folder = folderWithPackage(inject('unpacked'), { 'full/file.txt': 'mine', file: 'mine' })
})
afterEach(() => folder.remove())

const all = (): readonly string[] =>
  readdirSync(folder.path)
    .filter((name) => name !== 'node_modules')
    .toSorted()
const init = (...words: string[]): Promise<Told> => modelrest(folder.path, ['init', ...words])

describe('refused before anything is written', () => {
  test.each([
    [
      ['full'],
      1,
      'full is not empty: it holds file.txt. Choose another name, or empty it. Nothing was written.\n',
    ],
    [['file'], 1, 'file is there already, and is not a folder.\n'],
    [['file/shop'], 1, 'file/shop cannot be written: not a directory: '],
    [['.'], 1, 'is not empty: it holds file and 3 more.'],
    [['MyShop'], 2, 'A project cannot be called "MyShop": npm takes lower-case letters, digits'],
    [['apps/My Shop'], 2, 'A project cannot be called "My Shop"'],
    [['fastify'], 2, 'the project depends on the package of that name. Write fastify-api.'],
    [[''], 2, 'A project needs a name.'],
    [[], 2, "Missing required argument 'project_name'."],
    [['shop', 'blog'], 2, 'Too many arguments'],
    [['shop', '--title', ' '], 2, '--title is empty.'],
    [['shop', '--titel', 'Shop'], 2, "Unknown option '--titel'. Did you mean --title?"],
    [['shop', '--title'], 2, "Option '--title <string>' argument missing."],
  ] as const)('%j', async (words, code, message) => {
    const told = await init(...words)
    expect(told).toEqual({ code, out: '', err: expect.stringContaining(message) })
    expect(all()).toEqual(['file', 'full', 'package.json'])
  })

  test('where this user may not write', async () => {
    const closed = join(folder.path, 'closed')
    mkdirSync(closed)
    chmodSync(closed, 0o555)
    chmodSync(folder.path, 0o755)
    const told = await asNobody(['init', 'closed/shop'])
    expect(told.err).toContain('closed/shop cannot be written: permission denied: ')
    expect(told.code).toBe(1)
    expect(readdirSync(closed)).toEqual([])
  })
})

/** Root may write everywhere. */
const asNobody = (
  words: readonly string[],
): Promise<{ readonly code: number | null; readonly err: string }> =>
  new Promise((resolve) => {
    const isRoot = process.getuid?.() === 0
    const main = 'node_modules/modelrest/dist/cli/main.js'
    const child = spawn(program('node'), [main, ...words], {
      cwd: folder.path,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(isRoot && { uid: 65_534, gid: 65_534 }),
    })
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    child.on('close', (code) => resolve({ code, err }))
  })

test('the working folder will do, under a name that npm takes', async () => {
  const there = join(folder.path, 'My Shop')
  mkdirSync(there)
  const line = `${program('node')} ../node_modules/modelrest/dist/cli/main.js init .`
  const told = await succeed(line, there)
  expect(told).toContain('The project is in this folder. Start it:\n\n  npm install\n  npm run dev\n')
  const { name } = JSON.parse(readFileSync(join(there, 'package.json'), 'utf8'))
  expect(name).toBe('my-shop')
  expect(readFileSync(join(there, 'README.md'), 'utf8')).toMatch(/^# My shop\n/)
})
