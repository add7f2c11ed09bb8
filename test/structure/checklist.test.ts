import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const promised = [...readFileSync('docs/internals/auth-checklist.md', 'utf8').matchAll(/^(\d+)\. /gm)].map(
  ([, line]) => Number(line),
)

test('each line of the checklist of authentication has a test that is named for it', () => {
  expect(promised).toEqual(Array.from({ length: 49 }, (_, index) => index + 1))
  const titles = globSync('test/**/*.test.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .flatMap((text) => [...text.matchAll(/['"`]checklist (\d+): /g)].map(([, line]) => Number(line)))
  expect(promised.filter((line) => !titles.includes(line))).toEqual([])
})
