import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { publicNames } from './public-names.ts'
import { readSources } from './source-files.ts'

const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
}

/** Export path -> the file of src behind it. */
const entries = Object.entries(exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [{ path, ...target }],
)

const sourceOf = (built: string): string => built.replace('./dist/', '').replace(/(\.d\.ts|\.js)$/, '.ts')

test('the public names of each export path are those that are pinned', async () => {
  const sources = readSources('src')
  const pinned = entries.map((entry) => {
    const { values, types } = publicNames(sourceOf(entry.types), sources)
    return [entry.path, ...values.map((name) => `  ${name}`), ...types.map((name) => `  type ${name}`)]
  })
  await expect(`${pinned.map((lines) => lines.join('\n')).join('\n\n')}\n`).toMatchFileSnapshot(
    'public-names.txt',
  )
})

test('every export path has its types first, beside the same code', () => {
  for (const entry of entries) {
    expect(Object.keys(entry)).toEqual(['path', 'types', 'default'])
    expect(sourceOf(entry.types)).toBe(sourceOf(entry.default))
  }
})

test('names are found through renames, types and export *', () => {
  const files = [
    { path: 'index.ts', text: `export * from './a.ts'\nexport { x as y, type T } from './b.ts'` },
    {
      path: 'a.ts',
      text: `export class K {}\nexport interface I {}\nexport const [k, { l }] = f()\nconst hidden = 1`,
    },
    { path: 'b.ts', text: '' },
  ]
  expect(publicNames('index.ts', files)).toEqual({ values: ['k', 'K', 'l', 'y'], types: ['I', 'T'] })
})

test('what is passed on as types is no value', () => {
  const files = [
    { path: 'index.ts', text: `export type * from './a.ts'` },
    { path: 'a.ts', text: 'export class K {}' },
  ]
  expect(publicNames('index.ts', files)).toEqual({ values: [], types: ['K'] })
})
