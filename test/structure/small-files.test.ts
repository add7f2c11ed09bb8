import { expect, test } from 'vitest'
import { codeLines } from './code-rules.ts'
import { graphOf } from './cycles.ts'
import { readSources, type SourceFile } from './source-files.ts'

/** A file with fewer lines of code belongs into its importer, if it has only one. */
const LEAST_LINES = 25

/** Small files that stand alone although one file imports them, and why. */
const reasons: Readonly<Record<string, string>> = {
  'source/typeorm/internals.ts':
    'what a new version of TypeORM may change is in one place, as for other ORMs',
}

const importersOf = (sources: readonly SourceFile[]): ReadonlyMap<string, number> => {
  const importers = new Map<string, number>()
  for (const imported of graphOf(sources).values()) {
    for (const path of new Set(imported)) importers.set(path, (importers.get(path) ?? 0) + 1)
  }
  return importers
}

/** Entries are what package.json exports: their names are what users import, so that they stay small. */
const isEntry = (path: string): boolean => path.startsWith('entry/') || path === 'index.ts'

const smallFilesOf = (sources: readonly SourceFile[]): readonly string[] => {
  const importers = importersOf(sources)
  return sources
    .filter((file) => !isEntry(file.path) && importers.get(file.path) === 1 && codeLines(file) < LEAST_LINES)
    .map(({ path }) => path)
}

const sources = readSources('src')

test('a small file that only one file imports is part of that file, unless there is a reason', () => {
  expect(smallFilesOf(sources).filter((path) => !Object.hasOwn(reasons, path))).toEqual([])
})

test('every reason is needed', () => {
  const small = smallFilesOf(sources)
  expect(Object.keys(reasons).filter((path) => !small.includes(path))).toEqual([])
})

const lines = (count: number): string => 'f()\n'.repeat(count)
const importing = (...paths: readonly string[]): string => paths.map((path) => `import '${path}'\n`).join('')

test('a small file with one importer is found, and no other', () => {
  const files = {
    'index.ts': importing('./main.ts', './small.ts'),
    'main.ts': importing('./small.ts', './alone.ts', './long.ts') + lines(30),
    'small.ts': lines(3),
    'alone.ts': `/** Comments\n * are not\n * code. */\n${lines(24)}`,
    'long.ts': lines(25),
    'entry/fetch.ts': importing('../main.ts'),
  }
  const sources = Object.entries(files).map(([path, text]) => ({ path, text }))
  expect(smallFilesOf(sources)).toEqual(['alone.ts'])
})
