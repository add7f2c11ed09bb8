import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { NotRun } from './test/not-run.ts'
import { shortenExports } from './test/short-exports.ts'

// Node compiles what many processes load once.
process.env['NODE_COMPILE_CACHE'] ??= `${import.meta.dirname}/node_modules/.cache/compiled`

shortenExports(`${import.meta.dirname}/node_modules/drizzle-orm/package.json`)

/** The tests of whole folders. */
const below = (...folders: readonly string[]): string[] =>
  folders.map((folder) => `test/${folder}/**/*.test.ts`)

/** Tests of the packed tarball and the README: they install packages and start programs. */
const installing = below('package', 'readme')

/** Tests that build clients with the toolchains of their languages, against a service. */
const building = below('clients')

/** Tests that put another module in the place of one of Node's: others must not get it. */
const mocking = ['test/upload/disk-faults.test.ts']

/** Tests of one room, which need no server. */
const unit = [
  'test/*.test.ts',
  ...below('auth', 'cache', 'controller', 'error', 'model', 'observe', 'openapi', 'operation', 'query'),
  ...below('resource', 'schema', 'structure', 'types', 'upload'),
]

const http = below('http', 'scenario')

const left = ['**/node_modules/**', '**/.tmp/**']

const long = /test\/(faults|source)\/|test\/(example\/fuzz|http\/(scope|versions\/races)|browser\/untouched)/

/**
 * Begins with what takes longest, and mostly waits: the others fill the time, and no core is idle in the end. A process serves one
 * project, so the files of each come together.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = ['package', 'clients', 'mocks', 'house', 'http', 'unit']
    const rank = ({ project, moduleId }: TestSpecification): number =>
      2 * order.indexOf(project.name) + (long.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

const databases: Readonly<Record<string, RegExp>> = {
  sqlite: /sqlite|libsql/i,
  pg: /postgres|pglite/i,
  mysql: /mysql|mariadb/i,
}

/** `DATABASE=pg npm run test:http` runs only the tests that are named for that database. */
const databasePattern = (): { readonly testNamePattern?: RegExp } => {
  const { DATABASE: name, ...others } = process.env
  if (name === undefined) return {}
  const testNamePattern = databases[name]
  if (testNamePattern === undefined)
    throw new Error(`DATABASE must be ${Object.keys(databases).join(', ')}, not ${name}.`)
  // Programs that the tests start read it too.
  process.env = others
  return { testNamePattern }
}

/** Tests in one process after the other's: modules have no state, so it loads them once for all, which saves a third of the time. */
const shared = {
  isolate: false,
  unstubEnvs: true,
  unstubGlobals: true,
  globalSetup: [
    'test/viewer-run.ts',
    ...['postgres', 'mysql', 'redis'].map((server) => `test/servers/${server}-run.ts`),
  ],
  // A property test of thousands of requests, on a machine that does other things too.
  testTimeout: 60_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  resolve: {
    // The examples import the package by its name. Tests that load them must not get a second copy from dist.
    alias: [
      { find: /^modelrest\/drizzle\/(\w+)$/, replacement: `${import.meta.dirname}/src/entry/drizzle-$1.ts` },
      { find: /^modelrest\/testing$/, replacement: `${import.meta.dirname}/src/testing/index.ts` },
      { find: /^modelrest\/(\w+)$/, replacement: `${import.meta.dirname}/src/entry/$1.ts` },
      { find: /^modelrest$/, replacement: `${import.meta.dirname}/src/index.ts` },
    ],
  },
  test: {
    // A native driver (better-sqlite3) lives longer in a process of its own than in a thread.
    pool: 'forks',
    // Tests wait for servers, timeouts and programs: two of three processes have something to do.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Many short-lived applications: a larger young generation is collected less often, which saves a twentieth of the time.
    execArgv: ['--max-semi-space-size=64'],
    setupFiles: 'test/own-flags.ts',
    sequence: { sequencer: LongFirst },
    tags: [{ name: 'programs', description: 'needs a program of the system' }],
    // A test that is left out by a forgotten `only` is no pass.
    allowOnly: false,
    passWithNoTests: false,
    // The second says at the end what did not run.
    reporters: ['default', new NotRun()],
    ...databasePattern(),
    projects: [
      { extends: true, test: { name: 'unit', ...shared, include: unit, exclude: [...mocking, ...left] } },
      { extends: true, test: { name: 'http', ...shared, include: http, exclude: left } },
      {
        extends: true,
        test: {
          name: 'house',
          ...shared,
          include: ['test/**/*.test.ts'],
          exclude: [...unit, ...http, ...installing, ...building, ...mocking, ...left],
        },
      },
      {
        extends: true,
        test: { name: 'mocks', include: mocking, exclude: left },
      },
      {
        extends: true,
        test: {
          name: 'package',
          include: installing,
          exclude: left,
          globalSetup: [
            'test/package/pack.ts',
            ...['postgres', 'mysql'].map((server) => `test/servers/${server}-run.ts`),
          ],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          include: building,
          exclude: left,
          globalSetup: 'test/servers/postgres-run.ts',
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
