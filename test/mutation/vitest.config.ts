import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import house from '../../vitest.config.ts'
import { type Fault, FORGOTTEN, project } from './faults.ts'

/** The fault of this run. */
const fault: Fault = JSON.parse(process.env['PLANTED_FAULT'] ?? '')
const { alias } = house.resolve ?? {}

export default mergeConfig(
  { resolve: { ...(alias && { alias }) } },
  defineConfig({
    root: project,
    plugins: [
      {
        name: 'planted-fault',
        enforce: 'pre',
        // What vitest keeps of a file that it has compiled is told apart by its text, which has no fault.
        configureVitest({ defineCacheKeyGenerator }) {
          defineCacheKeyGenerator(({ id }) => (id === join(project, fault.path) ? false : undefined))
        },
        transform(code, id) {
          if (id !== join(project, fault.path)) return undefined
          const { start, end, text } = fault
          const everything = join(project, 'src/query/ast.ts')
          return `import { everything as ${FORGOTTEN} } from '${everything}';${code.slice(0, start)}${text}${code.slice(end)}`
        },
      },
    ],
    test: {
      pool: 'forks',
      globalSetup: fault.path.includes('/mysql/') ? ['test/servers/mysql-run.ts'] : [],
      testTimeout: 60_000,
      hookTimeout: 60_000,
      bail: 1,
    },
  }),
)
