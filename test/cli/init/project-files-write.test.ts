import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeProject } from '../../../src/cli/init/project-files.ts'
import { CliError } from '../../../src/cli/terminal/index.ts'
import { naming } from '../../naming.ts'
import { emptyFolder, type Folder } from '../../package/folders.ts'

const files = new Map([
  ['package.json', '{}\n'],
  ['.env', 'SECRET_KEY=x\n'],
  ['controllers/a.ts', ''],
])
/** The third cannot be written, as the first is no folder. */
const impossible = new Map([
  ['a', ''],
  ['b/c', ''],
  ['a/d', ''],
])

let folder: Folder
beforeEach(() => {
  folder = emptyFolder()
})
afterEach(() => folder.remove())

const at = (...names: string[]): string => join(folder.path, ...names)
const all = (): readonly string[] =>
  readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).toSorted()
const below = (name: string): readonly string[] => [
  name,
  ...['.env', 'controllers', 'controllers/a.ts', 'package.json'].map((path) => `${name}/${path}`),
]

describe('a project is written', () => {
  test('to a folder that is not there yet, and nothing beside it', () => {
    writeProject(at('shop'), files)
    expect(all()).toEqual(below('shop'))
    expect(readFileSync(at('shop/package.json'), 'utf8')).toBe('{}\n')
    const mode = (path: string) => statSync(at(path)).mode & 0o777
    expect([mode('shop'), mode('shop/.env')]).toEqual([0o777 & ~process.umask(), 0o600])
  })

  test('with the folders that it stands in', () => {
    writeProject(at('apps/one/shop'), files)
    expect(all()).toEqual(['apps', 'apps/one', ...below('apps/one/shop')])
  })

  test('to an empty folder, which stays the one that it is', () => {
    mkdirSync(at('shop'))
    const { ino } = statSync(at('shop'))
    writeProject(at('shop'), files)
    expect(all()).toEqual(below('shop'))
    expect(statSync(at('shop')).ino).toBe(ino)
  })

  test('to a new repository', () => {
    mkdirSync(at('shop/.git'), { recursive: true })
    writeProject(at('shop'), files)
    expect(all()).toEqual([...below('shop'), 'shop/.git'].toSorted())
  })

  test('or nothing: what appeared before a file that cannot is removed', () => {
    mkdirSync(at('shop/.git'), { recursive: true })
    writeFileSync(at('shop/.git/HEAD'), '')
    const blocked = new Map([...files, ['.git/config', ''], ['a', ''], ['z', '']])
    expect(() => writeProject(at('shop'), blocked)).toThrow(CliError)
    expect(all()).toEqual(['shop', 'shop/.git', 'shop/.git/HEAD'])
  })

  test('through a link', () => {
    mkdirSync(at('there'))
    symlinkSync(at('there'), at('shop'))
    writeProject(at('shop'), files)
    expect(readdirSync(at('there'))).toContain('package.json')
  })
})

describe('nothing is written', () => {
  test.each([
    ['a file in a folder', 'shop/README.md', 'shop', ['README.md']],
    ['a hidden file', 'shop/.env', 'shop', ['.env']],
    ['a file in its place', 'shop', 'shop', []],
    ['a file in the place of its parent', 'apps', 'apps/one/shop', ['not a directory']],
  ])('because of %s', (_, there, wanted, names) => {
    mkdirSync(at(there, '..'), { recursive: true })
    writeFileSync(at(there), 'mine')
    const before = all()
    expect(() => writeProject(at(wanted), files)).toThrow(CliError)
    expect(() => writeProject(at(wanted), files)).toThrow(naming(at(wanted), ...names))
    expect(all()).toEqual(before)
  })

  test('because of a name that no folder can have', () => {
    expect(() => writeProject(at('x'.repeat(300)), files)).toThrow(naming('x'.repeat(300), 'name too long'))
  })

  test('because of several files', () => {
    mkdirSync(at('shop'))
    for (const name of ['a', 'b', 'c']) writeFileSync(at('shop', name), '')
    expect(() => writeProject(at('shop'), files)).toThrow(naming(at('shop'), 'a', 2))
  })
})

describe('what was begun is taken back', () => {
  test.each([
    ['a new folder', 'shop', []],
    ['new folders', 'apps/one/shop', []],
    ['an empty folder', 'there', ['there']],
  ])('in %s', (_, wanted, left) => {
    for (const name of left) mkdirSync(at(name))
    expect(() => writeProject(at(wanted), impossible)).toThrow(CliError)
    for (const name of left) expect(readdirSync(at(name))).toEqual([])
    expect(() => writeProject(at(wanted), impossible)).toThrow(naming(at(wanted)))
    expect(all()).toEqual(left)
  })

  test('but not the folders that were there', () => {
    mkdirSync(at('apps'))
    expect(() => writeProject(at('apps/one/shop'), impossible)).toThrow(CliError)
    expect(all()).toEqual(['apps'])
  })
})
