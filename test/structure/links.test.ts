import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { brokenLinks } from './links.ts'

const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { exclude: ['**/node_modules/**'] })

test('every link between pages leads to a file and a heading', () => {
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.flatMap((path) => brokenLinks(path).map((target) => `${path}: ${target}`))).toEqual([])
})

test('a broken link is found', () => {
  const page = '# One `x`\n[a](#one-x) [b](#two) [c](nowhere.md) [d](https://example.com/#x)'
  expect(brokenLinks('README.md', () => page)).toEqual(['#two', 'nowhere.md'])
})
