import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isExcerpt, strangersIn } from './excerpts.ts'
import { fencedBlocks } from './fenced-blocks.ts'

const excerpts = ['docs/tour.md', 'README.md'].flatMap((page) =>
  fencedBlocks(readFileSync(page, 'utf8')).flatMap(({ file = '', text, line }) =>
    isExcerpt(file) ? [{ page, file, text, line }] : [],
  ),
)

test('the tour and the README show parts of the examples', () => {
  expect(excerpts.filter(({ page }) => page === 'docs/tour.md').length).toBeGreaterThanOrEqual(4)
  expect(excerpts.filter(({ page }) => page === 'README.md')).toHaveLength(1)
})

test.each(excerpts)('$page:$line stands in $file', ({ file, text }) => {
  expect(strangersIn(text, readFileSync(file, 'utf8'))).toEqual([])
})

test('an excerpt is compared by its code, and may leave something out', () => {
  const source = 'const a = {\n  // why\n  b: 1,\n  c: 2,\n  d: 3,\n}\n'
  expect(strangersIn('// examples/x.ts\nconst a = {\n  b: 1,\n  // …\n  d: 3,\n}', source)).toEqual([])
  expect(strangersIn('b: 1,\nd: 3,', source)).toEqual(['b: 1,\nd: 3,'])
  expect(strangersIn('b: 1', source)).toEqual(['b: 1'])
})
