import { readFileSync } from 'node:fs'
import * as typeorm from 'typeorm'
import { expect, it } from 'vitest'

it('docs/from-typeorm.md names only decorators that TypeORM has', () => {
  const page = readFileSync('docs/from-typeorm.md', 'utf8')
  const named = [...new Set([...page.matchAll(/@([A-Z]\w+)/g)].map(([, name = '']) => name))]
  expect(named).toContain('Column')
  expect(named.filter((name) => !Object.hasOwn(typeorm, name))).toEqual([])
})
