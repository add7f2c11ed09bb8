import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Fault, faults, harmless, project } from './faults.ts'

// Plants faults that would let one tenant reach another's records, or refuse requests without a reason, each by itself, and
// fails where the tests find one of them not. The source itself stays as it is: each fault is planted while the tests load it.
//
//   node test/mutation/run.ts                     all of them (some minutes)
//   node test/mutation/run.ts --only page.ts      those whose name has this text
//   node test/mutation/run.ts --part 17           one part of sixteen, in turn: CI gives the number of the commit

const PARTS = 16

/**
 * The test files that are run, one after the other until a fault is found that cannot be switched on, or was not found so. Those
 * that take seconds are the first.
 */
const files: readonly string[] = [
  'test/auth/own-record.test.ts',
  'test/auth/own-record-actions.test.ts',
  'test/attack/write-without-read.test.ts',
  'test/http/counts.test.ts',
  'test/http/files/signed-urls.test.ts',
  'test/http/together/access.test.ts',
  'test/http/scope-together.test.ts',
  'test/http/relations/include.test.ts',
  'test/http/relations/hook-include.test.ts',
  'test/http/own-auth.test.ts',
  'test/http/files/reading.test.ts',
  'test/http/access-parts.test.ts',
  'test/http/scope-option.test.ts',
  'test/http/access.test.ts',
  'test/openapi/look.test.ts',
  'test/openapi/descriptions.test.ts',
  'test/source/shared-reads.test.ts',
  'test/source/sharing.test.ts',
  'test/http/shared-reads.test.ts',
  'test/http/scope-pages.test.ts',
  'test/http/scope.test.ts',
  'test/http/scope-forms.test.ts',
  'test/http/scope-worlds.test.ts',
]

/** Files of parts of the source, which are run before all others. */
const ownFiles: readonly (readonly [path: RegExp, files: readonly string[]])[] = [
  [
    /\/bulk[./]|\/commits\.ts$|\/together\/relations\.ts$/,
    ['test/http/bulk/create.test.ts', 'test/http/bulk/update.test.ts', 'test/attack/many-records.test.ts'],
  ],
  [/\/mysql\//, ['test/source/drizzle/mysql2.test.ts']],
  [/\/host\/nest\//, ['test/host/nest/guards.test.ts']],
  [/\/openapi\/merge\.ts$/, ['test/openapi/merge.test.ts']],
  [/\/(versions|if-match|checked-write|replace)\.ts$/, ['test/http/versions/headers.test.ts']],
  [/\/renamed\.ts$/, ['test/source/renamed.test.ts']],
  [
    /\/(soft-deletion|deleted|restore|references|transaction|current|clean|permissions)\.ts$/,
    [
      'test/http/deleted/doors.test.ts',
      'test/http/deleted/library.test.ts',
      'test/http/deleted/files.test.ts',
      'test/http/deleted/start.test.ts',
      'test/source/soft-deletion.test.ts',
    ],
  ],
  [/\/users\/identifiers\.ts$/, ['test/http/deleted/users.test.ts']],
  [
    /\/shar(ing|ed-reads)\.ts$/,
    ['test/source/shared-reads.test.ts', 'test/source/sharing.test.ts', 'test/http/shared-reads.test.ts'],
  ],
  [/\/related-lists\.ts$/, ['test/source/related-lists.test.ts']],
  [
    /\/source\/prisma\//,
    [
      'test/source/prisma/adapter-better-sqlite3.test.ts',
      'test/source/prisma/odd-types.test.ts',
      'test/source/prisma/adapter-mariadb.test.ts',
      'test/source/prisma/text-keys.test.ts',
    ],
  ],
  [
    /\/source\/typeorm\//,
    [
      'test/source/typeorm/sqlite.test.ts',
      'test/source/typeorm/hooks.test.ts',
      'test/source/typeorm/values.test.ts',
      'test/source/typeorm/mysql.test.ts',
      'test/source/typeorm/entities.test.ts',
    ],
  ],
  [
    /\/source\/sequelize\//,
    [
      'test/source/sequelize/sqlite.test.ts',
      'test/source/sequelize/hooks.test.ts',
      'test/source/sequelize/mysql.test.ts',
      'test/source/sequelize/models.test.ts',
    ],
  ],
  [
    /\/source\/mikro-orm\//,
    [
      'test/source/mikro-orm/sqlite.test.ts',
      'test/source/mikro-orm/start.test.ts',
      'test/source/mikro-orm/entities.test.ts',
      'test/source/mikro-orm/hooks.test.ts',
      'test/source/mikro-orm/transactions.test.ts',
      'test/source/mikro-orm/values.test.ts',
      'test/source/mikro-orm/postgres.test.ts',
      'test/source/mikro-orm/mysql.test.ts',
    ],
  ],
  // What TypeORM and Sequelize run.
  [
    /\/source\/sql\/(aggregates|codecs|conditions|conversions|drawn|many|mapping|missing|reads|selects|served|tables|times|types)\.ts$/,
    [
      'test/source/sql/columns.test.ts',
      'test/source/sql/deleted.test.ts',
      'test/source/typeorm/values.test.ts',
      'test/source/typeorm/sqlite.test.ts',
      'test/source/sequelize/models.test.ts',
      'test/source/typeorm/postgres.test.ts',
      'test/source/typeorm/mysql.test.ts',
      'test/source/sequelize/postgres.test.ts',
      'test/source/typeorm/entities.test.ts',
    ],
  ],
  // MySQL alone needs another statement where a scope is over a relation.
  [/\/relations\/sorting\.ts$/, ['test/source/drizzle/relations/mysql.test.ts']],
  [/\/password-change\.ts$/, ['test/http/auth/password-change.test.ts']],
  [/\/auth\/tokens\/claims\.ts$/, ['test/http/auth/own-claims.test.ts']],
  [/\/auth\/tokens\/issue\.ts$/, ['test/http/auth/issue-tokens.test.ts']],
  [/\/auth\/tokens\/keys\.ts$/, ['test/http/auth/jwks.test.ts']],
  [
    /\/resource\/(transaction|reach)\.ts$/,
    ['test/http/present.test.ts', 'test/http/relations/shared.test.ts'],
  ],
  [/\/(stamps|before)\.ts$/, ['test/http/stamps.test.ts', 'test/http/audit/audit.test.ts']],
  [/\/(audit|checked-write|transaction)\.ts$/, ['test/http/audit/audit.test.ts']],
  [/\/resource\/(audit|record)\.ts$/, ['test/http/audit/tenants.test.ts']],
  [/\/resource\/action\//, ['test/http/actions/access.test.ts']],
  [
    /\/resource\/include\.ts$/,
    ['test/http/computed.test.ts', 'test/http/shared-reads.test.ts', 'test/source/drizzle/replicas.test.ts'],
  ],
  [/\/resource\/write\.ts$/, ['test/http/relations/below.test.ts']],
  [/^src\/query\//, ['test/query/relations.test.ts']],
  [/^src\/error\//, ['test/options.test.ts']],
  [/^src\/app\//, ['test/http/controller-options.test.ts']],
  [
    /^src\/host\/fetch\//,
    ['test/http/read-bodies.test.ts', 'test/host/fetch/app.test.ts', 'test/host/fetch/lazy.test.ts'],
  ],
  [/^src\/host\/node\//, ['test/host/node/app.test.ts']],
  [/^src\/host\/express\//, ['test/host/express/app.test.ts']],
  [
    /^src\/auth\//,
    [
      'test/attack/waiting-password-change.test.ts',
      'test/attack/verified-address.test.ts',
      'test/attack/mass-mails.test.ts',
      'test/attack/mail-errors.test.ts',
      'test/attack/mail-tokens.test.ts',
      'test/attack/key-again.test.ts',
      'test/attack/listed-sessions.test.ts',
      'test/http/auth/password-reset.test.ts',
      'test/http/auth/email-verify.test.ts',
      'test/http/auth/own-sessions.test.ts',
    ],
  ],
  [
    /\/(gate|connection-line)\.ts$/,
    ['test/host/gate.test.ts', 'test/source/drizzle/connection-line.test.ts'],
  ],
  [/\/replicas\.ts$/, ['test/http/replicas.test.ts', 'test/host/gate.test.ts']],
]

/** The files for a fault, in the order in which they are run. */
const filesFor = (path: string): readonly string[] => [
  ...new Set([...ownFiles.filter(([part]) => part.test(path)).flatMap(([, own]) => own), ...files]),
]

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly title: string
      readonly fullName: string
    }[]
  }[]
}

interface Run {
  /** Of its report. */
  readonly folder: string
  /** The source file with the fault, which determines the servers that run. */
  readonly about: string
}

/** A test that fails. */
interface Finder {
  readonly file: string
  readonly what: string
}

/** The test that finds a fault. `undefined`: none does. */
const finderOf = async (fault: Fault, folder: string): Promise<string | undefined> => {
  const run = { folder, about: fault.path }
  const finder = await finderAmong(filesFor(fault.path), [fault], run)
  if (finder === undefined) return undefined
  await assertSound(finder, run)
  return `${finder.file}: ${finder.what}`
}

const sound = new Set<string>()

/** Tests that fail without a fault find nothing. Asked once for each file. */
const assertSound = async ({ file }: Finder, run: Run): Promise<void> => {
  if (sound.has(file)) return
  sound.add(file)
  const failed = await finderAmong([file], [], run)
  if (failed !== undefined) throw new Error(`A test fails without a fault: ${failed.file}: ${failed.what}`)
}

const finderAmong = async (
  names: readonly string[],
  planted: readonly Fault[],
  run: Run,
): Promise<Finder | undefined> => {
  const found = (await vitest(names, planted, run)).flatMap(({ name, assertionResults, message }) => {
    const file = name.slice(project.length + 1)
    const failed = assertionResults.find((each) => each.status === 'failed')
    if (failed !== undefined) return [{ file, what: failed.fullName }]
    return message === '' ? [] : [{ file, what: message.split('\n')[0] ?? '' }]
  })
  return found[0]
}

/** A fault that can be switched on, in a file that all sources run and that has no tests of its own. */
const isSoughtAtOnce = ({ switched, path }: Fault): boolean =>
  switched !== undefined && !ownFiles.some(([part]) => part.test(path))

/** Those of many faults that the scenario of the two worlds finds, each switched on by itself in one run. */
const foundAtOnce = async (some: readonly Fault[], folder: string): Promise<ReadonlySet<string>> => {
  if (some.length < 2) return new Set()
  const results = await vitest(['test/mutation/all-at-once.ts'], some, { folder, about: '' })
  const tests = results.flatMap((file) => file.assertionResults)
  if (!tests.some(({ title, status }) => title === 'where there is one' && status === 'passed'))
    throw new Error('The scenario fails without a fault.')
  return new Set(tests.filter(({ status }) => status === 'passed').map(({ title }) => title))
}

const vitest = async (
  names: readonly string[],
  planted: readonly Fault[],
  { folder, about }: Run,
): Promise<Report['testResults']> => {
  const outputFile = join(mkdtempSync(join(folder, 'run-')), 'report.json')
  const config = join(import.meta.dirname, 'vitest.config.ts')
  const { promise, resolve } = Promise.withResolvers<string>()
  execFile(
    join(project, 'node_modules/.bin/vitest'),
    ['run', '--config', config, '--reporter=json', `--outputFile=${outputFile}`, ...names],
    {
      cwd: project,
      env: {
        ...process.env,
        ...{ PLANTED_FAULTS: JSON.stringify(planted), ABOUT_FILE: about, FILES: JSON.stringify(names) },
      },
      maxBuffer: Number.POSITIVE_INFINITY,
    },
    (_error, _stdout, stderr) => resolve(stderr),
  )
  return (JSON.parse(readReport(outputFile, await promise)) as Report).testResults
}

const readReport = (path: string, stderr: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return expectFailure(stderr)
  }
}

/** A run that breaks has looked at nothing. */
const expectFailure = (stderr: string): never => {
  throw new Error(`The tests did not run:\n${stderr}`)
}

const { values } = parseArgs({ options: { only: { type: 'string' }, part: { type: 'string' } } })
const chosen = faults()
  .filter((fault) => !harmless.has(fault.name.replace(/:\d+/, '')))
  .filter(({ name }) => values.only === undefined || name.includes(values.only))
  .filter((_, at) => values.part === undefined || at % PARTS === Number(values.part) % PARTS)
const folder = mkdtempSync(join(tmpdir(), 'modelrest-faults-'))
const left: string[] = []
const together = chosen.filter(isSoughtAtOnce)
const atOnce = foundAtOnce(together, folder)
const next = [...chosen.filter((fault) => !together.includes(fault)), ...together].values()
const plantAll = async (): Promise<void> => {
  for (const fault of next) {
    const finder =
      together.includes(fault) && (await atOnce).has(fault.name)
        ? 'the two worlds of test/http/scope'
        : await finderOf(fault, folder)
    if (finder === undefined) left.push(fault.name)
    console.log(`${finder === undefined ? 'NOT FOUND' : 'found'}  ${fault.name}\n    ${finder ?? ''}`)
  }
}
// Much of the time of one is the start of vitest and of servers.
await Promise.all([atOnce.then(plantAll), plantAll()])
rmSync(folder, { recursive: true, force: true })
console.log(`${chosen.length - left.length} of ${chosen.length} faults were found.`)
process.exitCode = left.length > 0 || chosen.length === 0 ? 1 : 0
