import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Runner } from '../src/testing/suite/runner.ts'

/** The functions of Vitest, for the contract suites. */
export const runner: Runner = { describe, it: test, before: beforeAll, after: afterAll }
