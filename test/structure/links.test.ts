import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { proseOf } from './words.ts'

const pages = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { exclude: ['**/node_modules/**'] })

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

const anchorsOf = (page: string): readonly string[] =>
  [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

const linksOf = (page: string): readonly string[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^\w+:/.test(target))

const brokenLinks = (path: string, read = (file: string) => readFileSync(file, 'utf8')): readonly string[] =>
  linksOf(read(path)).filter((target) => {
    const [file = '', anchor] = target.split('#')
    const to = file === '' ? path : join(dirname(path), file)
    return !existsSync(to) || (anchor !== undefined && !anchorsOf(read(to)).includes(anchor))
  })

test('every link between pages leads to a file and a heading', () => {
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.flatMap((path) => brokenLinks(path).map((target) => `${path}: ${target}`))).toEqual([])
})

test('a broken link is found', () => {
  const page = '# One `x`\n[a](#one-x) [b](#two) [c](nowhere.md) [d](https://example.com/#x)'
  expect(brokenLinks('README.md', () => page)).toEqual(['#two', 'nowhere.md'])
})
