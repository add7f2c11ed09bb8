import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Failure } from '../../../src/cli/command.ts'
import { freeFolder, writeProject } from '../../../src/cli/init/write-project.ts'
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
    writeProject(freeFolder(at('shop')), files)
    expect(all()).toEqual(below('shop'))
    expect(readFileSync(at('shop/package.json'), 'utf8')).toBe('{}\n')
    const mode = (path: string) => statSync(at(path)).mode & 0o777
    expect([mode('shop'), mode('shop/.env')]).toEqual([0o777 & ~process.umask(), 0o600])
  })

  test('with the folders that it stands in', () => {
    writeProject(freeFolder(at('apps/one/shop')), files)
    expect(all()).toEqual(['apps', 'apps/one', ...below('apps/one/shop')])
  })

  test('to an empty folder, which stays the one that it is', () => {
    mkdirSync(at('shop'))
    const { ino } = statSync(at('shop'))
    writeProject(freeFolder(at('shop')), files)
    expect(all()).toEqual(below('shop'))
    expect(statSync(at('shop')).ino).toBe(ino)
  })

  test('to a new repository', () => {
    mkdirSync(at('shop/.git'), { recursive: true })
    writeProject(freeFolder(at('shop')), files)
    expect(all()).toEqual([...below('shop'), 'shop/.git'].toSorted())
  })

  test('through a link', () => {
    mkdirSync(at('there'))
    symlinkSync(at('there'), at('shop'))
    writeProject(freeFolder(at('shop')), files)
    expect(readdirSync(at('there'))).toContain('package.json')
  })
})

describe('nothing is written', () => {
  test.each([
    [
      'a file in a folder',
      'shop/README.md',
      'shop',
      'shop is not empty: it holds README.md. Choose another name',
    ],
    ['a hidden file', 'shop/.env', 'shop', 'it holds .env.'],
    ['a file in its place', 'shop', 'shop', 'shop is there already, and is no folder.'],
    ['a file in the place of its parent', 'apps', 'apps/one/shop', 'apps is no folder. Nothing was written.'],
  ])('because of %s', (_, there, wanted, message) => {
    mkdirSync(at(there, '..'), { recursive: true })
    writeFileSync(at(there), 'mine')
    const before = all()
    expect(() => freeFolder(at(wanted))).toThrow(Failure)
    expect(() => freeFolder(at(wanted))).toThrow(message)
    expect(all()).toEqual(before)
  })

  test('because of a name that no folder can have', () => {
    expect(() => freeFolder(at('x'.repeat(300)))).toThrow(/cannot be made: name too long: \//)
  })

  test('because of several files', () => {
    mkdirSync(at('shop'))
    for (const name of ['a', 'b', 'c']) writeFileSync(at('shop', name), '')
    expect(() => freeFolder(at('shop'))).toThrow('it holds a and 2 more.')
  })
})

describe('what was begun is taken back', () => {
  test.each([
    ['a new folder', 'shop', []],
    ['new folders', 'apps/one/shop', []],
    ['an empty folder', 'there', ['there']],
  ])('in %s', (_, wanted, left) => {
    for (const name of left) mkdirSync(at(name))
    expect(() => writeProject(freeFolder(at(wanted)), impossible)).toThrow(
      /cannot be written: [a-z ]+: \/.*\. Nothing is left of it\.$/,
    )
    expect(all()).toEqual(left)
  })

  test('where somebody else was faster', () => {
    const free = freeFolder(at('shop'))
    mkdirSync(at('shop'))
    writeFileSync(at('shop/mine'), '')
    expect(() => writeProject(free, files)).toThrow(Failure)
    expect(all()).toEqual(['shop', 'shop/mine'])
  })

  test('but not the folders that somebody else uses by now', () => {
    const free = freeFolder(at('apps/one/shop'))
    mkdirSync(at('apps'))
    expect(() => writeProject(free, impossible)).toThrow(Failure)
    expect(all()).toEqual(['apps'])
  })
})
