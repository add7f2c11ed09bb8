import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What is promised of authentication, a line each: how tokens are verified, refresh and revocation, logins, cookies. */
const LINES = 33

test('each line of the checklist of authentication has a test that is named for it', () => {
  const titles = globSync('test/**/*.test.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .flatMap((text) => [...text.matchAll(/['"`]checklist (\d+): /g)].map(([, line]) => Number(line)))
  const lines = Array.from({ length: LINES }, (_, index) => index + 1)
  expect(lines.filter((line) => !titles.includes(line))).toEqual([])
})
