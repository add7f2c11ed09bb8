import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('a test runs each recipe', () => {
  const page = readFileSync('docs/sign-in.md', 'utf8')
  const recipes = [...page.matchAll(/\| \[[^\]]+\]\([\w.#-]+\) \| `([\w-]+)\.ts`/g)].map(([, name]) => name)
  const tests = globSync('test/package/sign-in/*.test.ts').map(
    (path) => /([\w-]+)\.test\.ts$/.exec(path)?.[1],
  )
  expect(recipes).toHaveLength(6)
  expect(tests).toEqual(expect.arrayContaining(recipes))
})
