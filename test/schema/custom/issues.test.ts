import { expect, test } from 'vitest'
import type { Issue } from '../../../src/error/errors.ts'
import { withoutSecrets } from '../../../src/schema/custom/issues.ts'
import { fieldNamed, modelOf } from '../../sample-model.ts'

const model = modelOf('Thing', [
  fieldNamed('id', 'integer', 'number'),
  fieldNamed('secret', 'json', 'json', { access: 'write-only' }),
])
const shownFor = (secret: unknown, detail: string): string | undefined => {
  const issues: readonly Issue[] = [{ pointer: '/id', code: 'invalid', detail }]
  return withoutSecrets(issues, { id: 1, secret }, model)[0]?.detail
}

/** What stands in the place of a message that may hold a secret. */
const withheld = shownFor('hunter2', 'It is hunter2.')

test('repeats no secret, and of a long message no part of one', () => {
  expect(shownFor('hunter2', 'It is not red.')).toBe('It is not red.')
  expect(withheld).toMatch(/\S/)
  expect(withheld).not.toContain('hunter2')
  expect(shownFor({ deep: ['hunter2'] }, 'It is hunter2.')).toBe(withheld)
  expect(shownFor('hunter2', `${'x'.repeat(290)} hunter2`)).toBe(withheld)
  expect(shownFor('hunter2', 'x'.repeat(3000))).toBe(withheld)
  expect(shownFor(null, 'x'.repeat(3000))).toHaveLength(301)
})

test('repeats nothing where there are more secrets than are looked for', () => {
  const secrets = Array.from({ length: 100 }, (_, at) => `secret ${at}`)
  expect(shownFor(secrets, 'It is not red.')).toBe(withheld)
  expect(shownFor(secrets.slice(0, 20), 'It is not red.')).toBe('It is not red.')
})
