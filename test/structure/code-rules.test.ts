import { expect, test } from 'vitest'
import { brokenRules, codeLines, skippedTests } from './code-rules.ts'
import { readSources } from './source-files.ts'

test('every file of src keeps the rules', () => {
  expect(readSources('src').flatMap(brokenRules)).toEqual([])
})

test('no test is left out', () => {
  const tests = readSources('test')
    .filter(({ path }) => path.endsWith('.test.ts') || path.startsWith('contract/'))
    .concat(readSources('src').filter(({ path }) => path.startsWith('testing/')))
  expect(tests.length).toBeGreaterThan(10)
  expect(tests.flatMap(skippedTests)).toEqual([])
})

test.each([
  ['any', 'export const x: any = 1', 'a.ts:1 has any'],
  ['any inside a type', 'export type X = Record<string, readonly any[]>', 'a.ts:1 has any'],
  ['a default export', '\nexport default 1', 'a.ts:2 has a default export'],
  ['an assertion', 'export const x = [1][0]!', 'a.ts:1 has a non-null assertion'],
  ['an enum', 'export enum X { A }', 'a.ts:1 has an enum'],
  ['a silenced compiler', '// @ts-expect-error\nexport const x = 1', 'a.ts:1 silences a check'],
  ['a silenced linter', '// biome-ignore lint: no\nexport const x = 1', 'a.ts:1 silences a check'],
])('%s is found', (_, text, found) => {
  expect(brokenRules({ path: 'a.ts', text })).toEqual([found])
})

test('the word any in a text or comment is none', () => {
  expect(brokenRules({ path: 'a.ts', text: `// any\nexport const x = 'any'` })).toEqual([])
})

test('a long file is found, its comments and empty lines not counted', () => {
  const line = 'export const x = 1 // one\n\n/* two\nlines */\n'
  expect(codeLines({ path: 'a.ts', text: line })).toBe(1)
  expect(brokenRules({ path: 'a.ts', text: 'f()\n'.repeat(250) })).toEqual([])
  expect(brokenRules({ path: 'a.ts', text: 'f()\n'.repeat(251) })).toEqual([
    'a.ts has 251 lines of code, the most are 250',
  ])
})

test.each(['model/utils.ts', 'error-helpers.ts', 'host/manager/x.ts'])('the name %s is refused', (path) => {
  expect(brokenRules({ path, text: '' })).toEqual([`${path} is named for no concept`])
})

test('a test that is left out is found', () => {
  const text = ['test', 'describe.each([1])', 'it'].map((name) => `${name}.${'skip'}('x')`).join('\n')
  expect(skippedTests({ path: 'a.test.ts', text })).toEqual([
    'a.test.ts:1 leaves a test out',
    'a.test.ts:3 leaves a test out',
  ])
})
