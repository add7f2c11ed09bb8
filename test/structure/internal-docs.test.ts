import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** File names in backticks on a page, each with its line. */
const namesOn = (text: string): readonly (readonly [number, string])[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/`(?:[\w ]* )?([\w./-]+\.ts)`/g)].map(([, name = '']) => [index + 1, name] as const),
    )

const files = ['src', 'test', 'scripts'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
)

const isThere = (name: string): boolean =>
  files.some((path) => path === name || path.endsWith(`/${name}`) || path.endsWith(`\\${name}`))

test('the pages for maintainers and contributors name only files that are there', () => {
  const internals = readdirSync('docs/internals')
  expect(internals.length).toBeGreaterThan(0)
  const pages = ['CONTRIBUTING.md', ...internals.map((page) => `docs/internals/${page}`)]
  const missing = pages.flatMap((page) =>
    namesOn(readFileSync(page, 'utf8'))
      .filter(([, name]) => !isThere(name))
      .map(([line, name]) => `${page}:${line} ${name}`),
  )
  expect(missing).toEqual([])
})

test('a name of a file is found on a page, with its line', () => {
  expect(
    namesOn('See\n`resource/key.ts` and `key.test.ts`, not `key`.\n`npx vitest run a/b.test.ts`'),
  ).toEqual([
    [2, 'resource/key.ts'],
    [2, 'key.test.ts'],
    [3, 'a/b.test.ts'],
  ])
  expect(isThere('structure/rooms.ts')).toBe(true)
  expect(isThere('ooms.ts')).toBe(false)
})
