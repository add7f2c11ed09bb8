import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Fault, faults, harmless, project } from './faults.ts'
import { filesFor, hasOwnFiles } from './files.ts'

// Plants faults that would let one tenant reach another's records, or refuse requests without a reason, each by itself, and
// fails where the tests find one of them not. The source itself stays as it is: each fault is planted while the tests load it.
//
//   node test/mutation/run.ts                     all of them (some minutes)
//   node test/mutation/run.ts --only page.ts      those whose name has this text
//   node test/mutation/run.ts --part 17           one part of twenty-four, in turn: CI gives the number of the commit

const PARTS = 24

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

/** What fails. */
interface Finder {
  readonly file: string
  /** Absent: the file itself does. */
  readonly test?: string
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

/** Tests that fail without a fault find nothing. Asked once for each test. */
const assertSound = async (finder: Finder, run: Run): Promise<void> => {
  const { file, test, what } = finder
  if (sound.has(file + what)) return
  if (test === undefined || !(await passesByItself(file, test, run))) {
    // It may need those before it.
    const failed = await finderAmong([file], [], run)
    if (failed !== undefined) throw new Error(`A test fails without a fault: ${failed.file}: ${failed.what}`)
  }
  sound.add(file + what)
}

const passesByItself = async (file: string, test: string, run: Run): Promise<boolean> => {
  const pattern = `^${test.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}$`
  const results = await vitest([file], [], run, ['--testNamePattern', pattern])
  return results
    .flatMap(({ assertionResults }) => assertionResults)
    .some(({ fullName, status }) => fullName === test && status === 'passed')
}

const finderAmong = async (
  names: readonly string[],
  planted: readonly Fault[],
  run: Run,
): Promise<Finder | undefined> => {
  const found = (await vitest(names, planted, run)).flatMap(({ name, assertionResults, message }) => {
    const file = name.slice(project.length + 1)
    const failed = assertionResults.find((each) => each.status === 'failed')
    if (failed !== undefined) return [{ file, test: failed.fullName, what: failed.fullName }]
    return message === '' ? [] : [{ file, what: message.split('\n')[0] ?? '' }]
  })
  return found[0]
}

/** A fault that can be switched on, in a file that all sources run and that has no tests of its own. */
const isSoughtAtOnce = ({ switched, path }: Fault): boolean => switched !== undefined && !hasOwnFiles(path)

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
  more: readonly string[] = [],
): Promise<Report['testResults']> => {
  const outputFile = join(mkdtempSync(join(folder, 'run-')), 'report.json')
  const config = join(import.meta.dirname, 'vitest.config.ts')
  const { promise, resolve } = Promise.withResolvers<string>()
  execFile(
    join(project, 'node_modules/.bin/vitest'),
    ['run', '--config', config, '--reporter=json', `--outputFile=${outputFile}`, ...more, ...names],
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
