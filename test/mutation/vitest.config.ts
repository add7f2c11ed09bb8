import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import house from '../../vitest.config.ts'
import { type Fault, FORGOTTEN, project } from './faults.ts'

/** One fault, or many that can be switched on. */
const planted: readonly Fault[] = JSON.parse(process.env['PLANTED_FAULTS'] ?? '[]')
const { alias } = house.resolve ?? {}
const isOne = planted.length === 1
/** The file for whose faults tests run, also those that show that they find nothing without one. */
const about = process.env['ABOUT_FILE'] ?? ''

/** The test files, in the order in which they are run: a fault that one of them finds ends the run. */
const names: readonly string[] = JSON.parse(process.env['FILES'] ?? '[]')

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number =>
      names.findIndex((name) => moduleId === join(project, name))
    return files.toSorted((one, other) => place(one) - place(other))
  }
}

/** A source file with the faults that are planted in it. */
const withFaults = (path: string, code: string): string =>
  planted
    .filter((fault) => join(project, fault.path) === path)
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (text, { start, end, ...fault }) =>
        text.slice(0, start) + (isOne ? fault.text : fault.switched) + text.slice(end),
      code,
    )

const serversFor = (path: string): readonly string[] => {
  if (path.includes('/mysql/') || path.endsWith('/relations/sorting.ts')) return ['mysql']
  if (/\/bulk[./]/.test(path)) return ['postgres', 'mysql']
  if (/^src\/(source\/(prisma|sql|typeorm|sequelize|mikro-orm)\/|resource\/include)/.test(path))
    return ['postgres', 'mysql']
  if (path.startsWith('src/auth/')) return ['postgres', 'redis']
  return path.endsWith('/replicas.ts') ? ['postgres'] : []
}

export default mergeConfig(
  { resolve: { ...(alias && { alias }) } },
  defineConfig({
    root: project,
    plugins: [
      {
        name: 'planted-faults',
        enforce: 'pre',
        // What vitest keeps of a file that it has compiled is told apart by its text, which has no fault.
        configureVitest({ defineCacheKeyGenerator }) {
          defineCacheKeyGenerator(({ id }) =>
            planted.some(({ path }) => id === join(project, path)) ? false : undefined,
          )
        },
        transform(code, id) {
          const changed = withFaults(id, code)
          if (changed === code) return undefined
          return `import { everything as ${FORGOTTEN} } from '${join(project, 'src/query/ast.ts')}';${changed}`
        },
      },
    ],
    test: {
      include: ['test/**/*.test.ts', 'test/mutation/all-at-once.ts'],
      pool: 'forks',
      // One process for all files of a fault, which loads the source once. Another fault has the other core.
      ...{ isolate: false, maxWorkers: 1, sequence: { sequencer: InOrder } },
      globalSetup: serversFor(about).map((server) => `test/servers/${server}-run.ts`),
      testTimeout: 60_000,
      hookTimeout: 60_000,
      bail: isOne ? 1 : 0,
    },
  }),
)
