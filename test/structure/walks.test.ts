import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** The most files that one warm request may run through. What is measured today: it may fall, and never grow. */
const most = {
  'GET by id': 30,
  'filtered and sorted list': 34,
  'PATCH with hooks': 48,
  login: 51,
}

const measured = (): Readonly<Record<string, readonly string[]>> => {
  const output = execFileSync('node', ['test/structure/walks.ts'], {
    encoding: 'utf8',
    stdio: 'pipe',
  })
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Readonly<Record<string, readonly string[]>>
}

test('no request runs through more files than before', () => {
  const walks = measured()
  expect(Object.keys(walks)).toEqual(Object.keys(most))
  for (const [name, limit] of Object.entries(most)) {
    const files = walks[name] ?? []
    expect(files.length, `${name} runs through ${files.join(', ')}`).toBeGreaterThan(10)
    expect(files.length, `${name} runs through ${files.join(', ')}`).toBeLessThanOrEqual(limit)
  }
})
