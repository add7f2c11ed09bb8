import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const readLock = (file: string): Readonly<Record<string, Locked>> =>
  (JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> }).packages

/** Optional packages without an entry of their own: `npm ci` refuses a lock that lacks them. */
const missing = (packages: Readonly<Record<string, Locked>>): readonly string[] =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages),
    ),
  )

const locks = globSync(['package-lock.json', 'bench/package-lock.json', 'bench/peers/*/package-lock.json'])

test('the benchmark and each of its peers have a lock', () => {
  expect(locks).toHaveLength(1 + globSync(['bench/package.json', 'bench/peers/*/package.json']).length)
})

describe.each(locks)('%s', (file) => {
  test('holds the packages of every platform: else run node scripts/complete-lock.ts <file>', () => {
    expect(missing(readLock(file))).toEqual([])
  })

  test('names no registry', () => {
    expect(Object.values(readLock(file)).flatMap(({ resolved }) => resolved ?? [])).toEqual([])
  })
})

test('docs/support.md has each package with the range of package.json and the version of the lock', () => {
  const { peerDependencies, engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly peerDependencies: Readonly<Record<string, string>>
    readonly engines: { readonly node: string }
  }
  const page = readFileSync('docs/support.md', 'utf8').replaceAll('\\|\\|', '||')
  const listed = [...page.matchAll(/^\| `(.+?)` \| (.+?) \| ([\d.]+) \|/gm)].map(([, ...cells]) => cells)
  const locked = readLock('package-lock.json')
  expect(listed.toSorted()).toEqual(
    Object.entries(peerDependencies)
      .map(([name, range]) => [name, range, locked[`node_modules/${name}`]?.version])
      .toSorted(),
  )
  expect(page).toContain(`| Node.js | ${engines.node.replace('>=', '')} or later |`)
})

test('a package that the lock lacks is found', () => {
  const tool = { version: '1.0.0', optionalDependencies: { 'tool-linux': '1.0.0', 'tool-darwin': '1.0.0' } }
  expect(missing({ 'node_modules/tool': tool, 'node_modules/tool-linux': {} })).toEqual(['tool-darwin'])
})
