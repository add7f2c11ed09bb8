/**
 * The functions of a test runner that the contract suites use. The module `node:test` has them all. For Vitest, use
 * `{ describe, it, before: beforeAll, after: afterAll }`.
 *
 * Some tests send hundreds of requests: if your runner limits the time of a test, allow a minute.
 *
 * @example
 * ```ts
 * import { after, before, describe, it } from 'node:test'
 * import type { Runner } from 'modelrest/testing'
 *
 * export const runner: Runner = { describe, it, before, after }
 * ```
 */
export interface Runner {
  /** Groups the tests that `body` declares. */
  readonly describe: (title: string, body: () => void) => unknown
  /** Declares a test, which fails if `body` throws or rejects. */
  readonly it: (title: string, body: () => void | Promise<void>) => unknown
  /** Runs once before the tests of a group. */
  readonly before: (body: () => void | Promise<void>) => unknown
  /** Runs once after the tests of a group, even if they fail. */
  readonly after: (body: () => void | Promise<void>) => unknown
}
