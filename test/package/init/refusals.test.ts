import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { naming } from '../../naming.ts'
import { modelrest, type Told } from '../cli/modelrest.ts'
import { type Folder, folderWithPackage, packedCommand, program } from '../folders.ts'
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
    [['full'], 1, ['full', 'file.txt']],
    [['file'], 1, ['file']],
    [['file/shop'], 1, ['file/shop', 'not a directory']],
    [['.'], 1, ['file', 2]],
    [['MyShop'], 2, ['"MyShop"', 'my-shop']],
    [['apps/My Shop'], 2, ['"My Shop"', 'my-shop']],
    [['fastify'], 2, ['"fastify"', 'fastify-api']],
    [[''], 2, []],
    [[], 2, ['project_name']],
    [['shop', 'blog'], 2, []],
    [['shop', '--title', ' '], 2, ['--title']],
    [['shop', '--titel', 'Shop'], 2, ['--titel', '--title']],
    [['shop', '--title'], 2, ['--title <string>']],
    [['shop', '--database', 'oracle'], 2, ['--database', 'oracle', 'sqlite', 'pg', 'mysql']],
    [['shop', '--model', 'café'], 2, ['--model', '"café"', '--model article']],
    [['shop', '--model', 'user'], 2, ['--model', '"user"', 'User']],
  ] as const)('%j', async (words, code, names) => {
    const told = await init(...words)
    expect(told).toEqual({ code, out: '', err: expect.stringMatching(naming(...names)) })
    expect(all()).toEqual(['file', 'full', 'package.json'])
  })

  test('where this user may not write', async () => {
    const closed = join(folder.path, 'closed')
    mkdirSync(closed)
    chmodSync(closed, 0o555)
    chmodSync(folder.path, 0o755)
    const told = await asNobody(['init', 'closed/shop'])
    expect(told.err).toMatch(naming('closed/shop', 'permission denied'))
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
    const main = packedCommand(folder.path)
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
  const line = `${program('node')} ${packedCommand(there)} init .`
  const told = await succeed(line, there)
  expect(told).toContain('\n\n  npm install\n  npm run dev\n')
  const { name } = JSON.parse(readFileSync(join(there, 'package.json'), 'utf8'))
  expect(name).toBe('my-shop')
  expect(readFileSync(join(there, 'README.md'), 'utf8')).toMatch(/^# My shop\n/)
})
