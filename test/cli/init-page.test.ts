import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { modelWordsOf } from '../../src/cli/init/names.ts'
import { ownPackage } from '../../src/cli/init/own-package.ts'
import { projectFiles } from '../../src/cli/init/project-files.ts'
import { nextSteps } from '../../src/cli/init.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'

const { tested, version } = ownPackage()
const modelrest = `^${version}`
const project = { name: 'my-desk', modelrest, database: 'sqlite' } as const
const files = projectFiles({ ...project, title: 'My desk', tested, words: modelWordsOf('item') })
const page = readFileSync('docs/new-project.md', 'utf8')
const scripts = Object.keys(JSON.parse(files.get('package.json') ?? '').scripts)

/** The names in the first column of the table of files. A folder ends with a slash. */
const namedIn = (text: string, heading: string): readonly string[] =>
  (text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .flatMap((line) => [...(/^\|([^|]*)\|/.exec(line)?.[1] ?? '').matchAll(/`([^`]+)`/g)])
    .flatMap(([, name]) => name ?? [])

/** A file, or the folder that the page names in its place. */
const placeOf = (path: string): string => path.replace(/^(src\/controllers|migrations|test)\/.*$/, '$1/')

const linesIn = (text: string): readonly string[] =>
  fencedBlocks(text)
    .filter(({ language }) => language === 'sh')
    .flatMap((block) => block.text.split('\n'))

describe('docs/new-project.md', () => {
  test('names exactly the files that are written', () => {
    const written = new Set([...files.keys()].map(placeOf))
    expect(namedIn(page, 'Files').toSorted()).toEqual([...written].toSorted())
  })

  test('has no command that no test runs', () => {
    const tests = ['tarball', 'sources', 'servers'].map((name) =>
      readFileSync(`test/package/init/${name}.test.ts`, 'utf8'),
    )
    // These run modelrest, or another Node, from a registry: the tests run the program from where it is packed.
    const lines = linesIn(page)
    const npx = lines.filter((line) => line.startsWith('npx '))
    expect(npx[0]).toContain(' --title "My desk" --model article')
    const ours = /^npx --yes (--package=(node@26|modelrest) )*modelrest init my-desk( --\w+ ("[\w ]+"|\w+))*$/
    expect(npx.filter((line) => !ours.test(line))).toEqual([])
    const own = lines.filter((line) => !line.startsWith('npx '))
    expect(own.length).toBeGreaterThan(5)
    const runs = (line: string) => tests.some((text) => new RegExp(`${line}(?![\\w:-])`).test(text))
    for (const line of own) expect([line, runs(line)]).toEqual([line, true])
  })

  test('begins as the program tells', () => {
    const [, ...steps] = fencedBlocks(page)[0]?.text.split('\n') ?? []
    const told = nextSteps({ ...project, folder: 'my-desk' }).filter((line) => line.startsWith('  '))
    expect(told.map((line) => line.trim())).toEqual(steps)
  })

  test.each(['pg', 'mysql'] as const)('a server is started before the application: %s', (database) => {
    const steps = nextSteps({ ...project, database, folder: '' }).filter((line) => line.startsWith('  '))
    expect(steps.map((line) => line.trim().split(' ', 2).join(' '))).toEqual([
      ...['npm install', 'docker run', 'npm run'],
    ])
    const readme = projectFiles({
      ...{ ...project, database, title: 'My desk', tested, words: modelWordsOf('item') },
    }).get('README.md')
    expect(fencedBlocks(readme ?? '')[0]?.text).toBe(steps.map((line) => line.trim()).join('\n'))
  })

  test('begins as the program tells on each system', () => {
    const first = (folder: string, system: NodeJS.Platform) => nextSteps({ ...project, folder }, system)[2]
    expect(first('apps/my shop', 'linux')).toBe("  cd 'apps/my shop'")
    expect(first(String.raw`apps\my-shop`, 'win32')).toBe(String.raw`  cd apps\my-shop`)
    expect(first(String.raw`C:\my apps\shop`, 'win32')).toBe(String.raw`  cd "C:\my apps\shop"`)
  })

  test('names every script', () => {
    const named = [
      ...page.matchAll(/`npm run ([\w:-]+)` restarts the server|The other scripts are (.*)\.(?= They)/g),
    ]
      .flatMap(([, dev = '', others = '']) => [
        dev,
        ...[...others.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
      ])
      .filter((name) => name !== '')
    expect(named.toSorted()).toEqual(scripts.toSorted())
  })
})

describe('the README of a new project', () => {
  const readme = files.get('README.md') ?? ''

  test('names files that are there', () => {
    const written = [...files.keys()].map(placeOf)
    expect(namedIn(readme, 'Files').length).toBeGreaterThan(8)
    expect(written).toEqual(expect.arrayContaining([...namedIn(readme, 'Files')]))
  })

  test('names every script', () => {
    const named = namedIn(readme, 'Commands').map((line) => line.replace(/^npm (run )?/, ''))
    expect(named.toSorted()).toEqual(scripts.toSorted())
  })
})

test('both say what to do after a clone', () => {
  for (const text of [page, files.get('README.md') ?? '', files.get('src/env.ts') ?? ''])
    expect(text).toContain('cp .env.example .env')
})
