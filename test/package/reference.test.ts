import { readFileSync } from 'node:fs'
import { expect, inject, test } from 'vitest'
import { referenceOf } from '../../scripts/reference.ts'

const reference = referenceOf(inject('unpacked'))

test('docs/reference.md has every public name as it is now: node scripts/reference.ts writes it after a build', () => {
  expect(readFileSync('docs/reference.md', 'utf8')).toBe(reference)
})

test('every public name says what it is', () => {
  const silent = reference.split('\n### ').filter((section) => /^\w+\n+```typescript\n/.test(section))
  expect(silent.map((section) => section.split('\n', 1)[0])).toEqual([])
})
