import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Runner } from '../../src/entry/testing.ts'

/** The functions of Vitest, as the published suites take them. */
export const runner: Runner = { describe, it, before: beforeAll, after: afterAll }
