import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import house from '../../vitest.config.ts'
import { type Fault, project } from './faults.ts'
import { withSwitches } from './switches.ts'
import type { Job, Outcome } from './work.ts'

/** Runs jobs of test files in one process after the other. */
export interface Session {
  /** @returns by path, what became of the jobs. A file that did not get to its end is not among them */
  run(work: ReadonlyMap<string, readonly Job[]>): Promise<ReadonlyMap<string, readonly Outcome[]>>
  close(): Promise<void>
}

/** The source with all faults, each of them behind a switch. */
const switchedSource = (faults: readonly Fault[]) => {
  const numbered = faults.map((fault, number) => ({ fault, number }))
  const files = [...Map.groupBy(numbered, ({ fault }) => fault.path)].map(([path, own]) => {
    const file = { path, text: readFileSync(join(project, path), 'utf8') }
    return { path: join(project, path), ...withSwitches(file, own) }
  })
  return {
    texts: new Map(files.map(({ path, text }) => [path, text])),
    /** Faults of what is evaluated while a file is loaded. */
    loading: new Set(files.flatMap(({ loading }) => loading)),
  }
}

/** As many sessions as there are cores. Each has its own servers, which start when a test asks for them. */
export const startSessions = async (faults: readonly Fault[], count: number) => {
  const { texts, loading } = switchedSource(faults)
  const sessions = await Promise.all(Array.from({ length: count }, () => startSession(texts)))
  return { sessions, loading }
}

const startSession = async (texts: ReadonlyMap<string, string>): Promise<Session> => {
  // Vite would take a process without one for that of a developer.
  process.env['NODE_ENV'] ??= 'test'
  const { alias } = house.resolve ?? {}
  const { tags = [] } = house.test ?? {}
  const vitest = await createVitest(
    {
      config: false,
      root: project,
      watch: false,
      include: ['test/**/*.test.ts'],
      pool: 'forks',
      tags,
      // The jobs of a run share the source. The other session has the other core.
      ...{ isolate: false, maxWorkers: 1, fileParallelism: false },
      runner: join(import.meta.dirname, 'planting-runner.ts'),
      ...{ unstubEnvs: true, unstubGlobals: true },
      globalSetup: [
        'test/viewer-run.ts',
        ...['postgres', 'mysql', 'redis'].map((server) => `test/servers/${server}-run.ts`),
      ],
      ...{ testTimeout: 15_000, hookTimeout: 60_000 },
      fsModuleCache: false,
      silent: true,
      reporters: [{}],
      // A fault may break what goes on after its test.
      dangerouslyIgnoreUnhandledErrors: true,
    },
    {
      resolve: { ...(alias && { alias }) },
      plugins: [{ name: 'switches', enforce: 'pre', transform: (_code, id) => texts.get(id) }],
    },
  )
  await vitest.standalone()
  const root = vitest.getRootProject()

  return {
    run: async (work) => {
      root.provide('jobs', Object.fromEntries(work))
      const specifications = [...work.keys()].map((path) => root.createSpecification(join(project, path)))
      const { testModules } = await vitest.runTestSpecifications(specifications)
      const found = new Map<string, readonly Outcome[]>()
      for (const path of work.keys()) {
        const outcomes = testModules.find(({ moduleId }) => moduleId === join(project, path))?.meta().outcomes
        if (outcomes !== undefined) found.set(path, outcomes)
      }
      return found
    },
    close: () => vitest.close(),
  }
}
