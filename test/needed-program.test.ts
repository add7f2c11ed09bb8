import { expect, test, vi } from 'vitest'
import type { TestModule } from 'vitest/node'
import { naming } from './naming.ts'
import { assertAsked, describeEach, skipWithout, tag } from './needed-program.ts'
import { NotRun } from './not-run.ts'
import { isThere, type Need } from './programs.ts'
import { testRedis } from './servers/test-redis.ts'

test('a test file that has not asked for a program gets nothing of it, also where it is there', () => {
  expect(() => testRedis()).toThrow(naming('needing', 'redis'))
  expect(() => assertAsked('galera')).toThrow(naming('needing', 'galera'))
})

test('a test that needs a program fails on every machine if it is not tagged', (context) => {
  expect(() => skipWithout(context, 'redis')).toThrow(naming(tag))
})

describeEach<number>([['one', 1]], 'a subject that needs nothing: %s', (subject, name) =>
  test('runs', () => expect([name, subject]).toEqual(['one', 1])),
)

test('every program is missing where they are hidden', () => {
  vi.stubEnv('HIDDEN_PROGRAMS', 'all')
  expect(isThere('postgres')).toBe(false)
  vi.unstubAllEnvs()
})

/** A run of skipped tests: what each of them and its suite need. */
const moduleOf = (
  moduleId: string,
  tests: readonly (readonly [own?: readonly Need[] | undefined, ofSuite?: readonly Need[]])[],
): TestModule =>
  ({
    moduleId,
    children: {
      allTests: (state: string) =>
        state !== 'skipped'
          ? []
          : tests.map(([own, ofSuite]) => ({
              meta: () => ({ missing: own }),
              parent: { type: 'suite', meta: () => ({ missing: ofSuite }), parent: { type: 'module' } },
            })),
    },
  }) as unknown as TestModule

const listOf = (modules: readonly TestModule[]): string => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  new NotRun().onTestRunEnd(modules)
  const text = log.mock.calls.flat().join('\n')
  log.mockRestore()
  return text
}

test('the end of a run lists each program once, with its tests, files and how to install it', () => {
  const list = listOf([
    moduleOf('a', [[['redis']], [['redis'], ['postgres']], []]),
    moduleOf('b', [[undefined, ['redis']]]),
  ])
  expect(list).toMatch(/^ {2}Redis +3 tests in 2 files +apt-get install --yes redis-server$/m)
  expect(list).toMatch(/^ {2}PostgreSQL +1 test in 1 file +apt-get install --yes postgresql$/m)
  expect(list.split('\n').at(-1)).toBe('0 passed, 0 failed')
})

test('a run that left nothing out prints no list', () => {
  expect(listOf([moduleOf('a', [[], [undefined, []]])])).toBe('')
})
