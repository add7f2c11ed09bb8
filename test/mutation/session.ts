import { join } from 'node:path'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import house from '../../vitest.config.ts'
import { type Fault, FORGOTTEN, project } from './faults.ts'

/** What fails. */
export interface Finder {
  readonly file: string
  /** Absent: the file itself does. */
  readonly test?: string
}

/** Runs tests with a fault in the source, and again with another one: what does not change is read and compiled once. */
export interface Session {
  /**
   * Runs test files one after the other, until a test fails. Each run has a process of its own.
   * @param fault is planted while the tests load the source. `undefined`: none is
   * @param test the full name of the only test of the files that runs. `undefined`: all do
   * @returns what failed
   * @throws if no test ran
   */
  run(files: readonly string[], fault: Fault | undefined, test?: string): Promise<Finder | undefined>
  close(): Promise<void>
}

/** Each session has its own servers, which start when a test asks for them. */
export const startSession = async (): Promise<Session> => {
  let planted: Fault | undefined
  const { alias } = house.resolve ?? {}
  const vitest: Vitest = await createVitest(
    {
      config: false,
      root: project,
      watch: false,
      include: ['test/**/*.test.ts'],
      pool: 'forks',
      // Each run loads the source anew. The other session has the other core.
      ...{ isolate: true, maxWorkers: 1, fileParallelism: false },
      globalSetup: [
        'test/viewer-run.ts',
        ...['postgres', 'mysql', 'redis'].map((server) => `test/servers/${server}-run.ts`),
      ],
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // Compiled files are kept on disk by their text, which is the same with a fault.
      fsModuleCache: false,
      silent: true,
      reporters: [
        {
          onTestCaseResult: (test) => {
            if (test.result().state === 'failed') void vitest.cancelCurrentRun('test-failure')
          },
        },
      ],
    },
    {
      resolve: { ...(alias && { alias }) },
      plugins: [
        {
          name: 'planted-fault',
          enforce: 'pre',
          transform(code, id) {
            if (planted === undefined || id !== join(project, planted.path)) return undefined
            const { start, end, text } = planted
            const changed = code.slice(0, start) + text + code.slice(end)
            return `import { everything as ${FORGOTTEN} } from '${join(project, 'src/query/ast.ts')}';${changed}`
          },
        },
      ],
    },
  )
  await vitest.standalone()

  const one = async (file: string, test: string | undefined): Promise<readonly TestModule[]> => {
    const options = test === undefined ? {} : { testNames: [test] }
    const specification = vitest.getRootProject().createSpecification(join(project, file), options)
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
    // Those of earlier runs are among them.
    const own = testModules.filter(({ moduleId }) => moduleId === specification.moduleId)
    if (own.length === 0) throw new Error(`${file} did not run: ${String(unhandledErrors[0])}`)
    return own
  }

  return {
    run: async (files, fault, test) => {
      const path = fault && join(project, fault.path)
      planted = fault
      if (path !== undefined) vitest.invalidateFile(path)
      try {
        for (const file of files) {
          const found = failedIn(file, await one(file, test), test)
          if (found !== undefined) return found
        }
        return undefined
      } finally {
        planted = undefined
        if (path !== undefined) vitest.invalidateFile(path)
      }
    },
    close: () => vitest.close(),
  }
}

const failedIn = (
  file: string,
  modules: readonly TestModule[],
  test: string | undefined,
): Finder | undefined => {
  const [failed] = modules.flatMap(({ children }) => [...children.allTests('failed')])
  if (failed !== undefined) return { file, test: failed.fullName }
  if (modules.some((module) => module.state() === 'failed')) return { file }
  const ran = modules.flatMap(({ children }) => [...children.allTests('passed')])
  if (test !== undefined && ran.length === 0) throw new Error(`${file} has no test that is named ${test}.`)
  return undefined
}
