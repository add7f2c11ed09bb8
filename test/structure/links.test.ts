import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { llmsText } from '../../scripts/llms.ts'
import { brokenLinks } from './links.ts'

const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { exclude: ['**/node_modules/**'] })

test('every link between pages leads to a file and a heading', () => {
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.flatMap((path) => brokenLinks(path).map((target) => `${path}: ${target}`))).toEqual([])
})

test('docs/README.md has each page once, and llms.txt is made from it: node scripts/llms.ts', () => {
  const index = readFileSync('docs/README.md', 'utf8')
  const listed = [...index.matchAll(/^\| \[.+?\]\(([\w-]+\.md)\)/gm)].map(([, path]) => `docs/${path}`)
  expect(listed.toSorted()).toEqual(
    globSync('docs/*.md')
      .filter((path) => path !== 'docs/README.md')
      .toSorted(),
  )
  expect(readFileSync('llms.txt', 'utf8')).toBe(llmsText(readFileSync('README.md', 'utf8'), index))
})

test('no page for users but the reference has more than 3,000 words', () => {
  const words = (path: string): number => readFileSync(path, 'utf8').split(/\s+/).length
  expect(globSync('docs/*.md').filter((path) => words(path) > 3000)).toEqual(['docs/reference.md'])
})

test('a broken link is found', () => {
  const page = '# One `x`\n[a](#one-x) [b](#two) [c](nowhere.md) [d](https://example.com/#x)'
  expect(brokenLinks('README.md', () => page)).toEqual(['#two', 'nowhere.md'])
})
