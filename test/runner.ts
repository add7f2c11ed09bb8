import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Runner } from '../src/testing/suite/runner.ts'

/** The functions of Vitest, for the contract suites. */
export const runner: Runner = { describe, it: test, before: beforeAll, after: afterAll }

/** Declares only the parts of a contract suite whose titles match. */
export const onlyParts = (parts: RegExp): Runner => ({
  ...runner,
  describe: (title, body) =>
    / as a source$/.test(title) || parts.test(title) ? runner.describe(title, body) : undefined,
})
