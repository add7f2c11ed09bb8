import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { secretWords } from '../../src/model/secret.ts'

it('docs/models.md lists the words that say secret', () => {
  const list = secretWords.map((word) => `\`${word}\``).join(', ')
  expect(readFileSync('docs/models.md', 'utf8')).toContain(`\n${list}\n`)
})
