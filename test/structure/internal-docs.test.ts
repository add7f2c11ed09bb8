import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Named = readonly (readonly [line: number, name: string])[]

const each = (text: string, pattern: RegExp): Named =>
  text
    .split('\n')
    .flatMap((line, index) => [...line.matchAll(pattern)].map(([, name = '']) => [index + 1, name] as const))

/** File names in backticks on a page, each with its line. */
const filesOn = (text: string): Named => each(text, /`(?:[\w ]* )?(\w[\w./-]*\.(?:ts|json|txt|md))`/g)

/** Paths from the root of the repository. */
const pathsOn = (text: string): Named =>
  each(text, /(?<![\w./-])((?:src|test|docs|scripts|examples|bench)\/[\w./-]*[\w-])/g)

/** The scripts that npm runs. */
const scriptsOn = (text: string): Named => each(text, /\bnpm (?:run )?((?<=run )[\w:]+|start|test)\b/g)

const files = ['src', 'test', 'scripts'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
)

const isFile = (name: string): boolean =>
  files.some((path) => path === name || path.endsWith(`/${name}`) || path.endsWith(`\\${name}`)) ||
  existsSync(name)

/** What `npm run bench:peers` writes. */
const isPath = (path: string): boolean => existsSync(path) || path === 'bench/peers'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }

const isScript = (name: string): boolean => Object.hasOwn(scripts, name)

const internals = readdirSync('docs/internals').map((page) => `docs/internals/${page}`)

test.each([
  ['files', ['CONTRIBUTING.md', ...internals], filesOn, isFile],
  ['paths', ['CONTRIBUTING.md'], pathsOn, isPath],
  ['scripts', ['CONTRIBUTING.md'], scriptsOn, isScript],
] as const)(
  'the pages for maintainers and contributors name only %s that are there',
  (_what, pages, on, isThere) => {
    for (const page of pages) {
      const named = on(readFileSync(page, 'utf8'))
      expect(named).not.toEqual([])
      const missing = named
        .filter(([, name]) => !isThere(name))
        .map(([line, name]) => `${page}:${line} ${name}`)
      expect(missing).toEqual([])
    }
  },
)

test('a name of a file, a path or a script is found on a page, with its line', () => {
  expect(
    filesOn('See\n`resource/key.ts` and `key.test.ts`, not `key`.\n`npx vitest run a/b.test.ts`'),
  ).toEqual([
    [2, 'resource/key.ts'],
    [2, 'key.test.ts'],
    [3, 'a/b.test.ts'],
  ])
  expect([isFile('structure/rooms.ts'), isFile('ooms.ts')]).toEqual([true, false])
  expect(pathsOn('In `test/http`,\nor [it](docs/x.md). Not modelrest/src/a or `app/test`.')).toEqual([
    [1, 'test/http'],
    [2, 'docs/x.md'],
  ])
  expect(
    scriptsOn(
      '`npm ci`, `npm test`\n`DATABASE=pg npm run test:unit`, npm with Node, `npm run bench -- --on a`',
    ),
  ).toEqual([
    [1, 'test'],
    [2, 'test:unit'],
    [2, 'bench'],
  ])
})
