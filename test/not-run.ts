import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { areHidden, type Need, programs } from './programs.ts'

interface Missed {
  tests: number
  readonly files: Set<string>
}

/** What a test needs, and the suites around it. */
const missingFor = (test: TestCase): ReadonlySet<Need> => {
  const missing = new Set(test.meta().missing)
  for (let { parent } = test; parent.type === 'suite'; { parent } = parent)
    for (const need of parent.meta().missing ?? []) missing.add(need)
  return missing
}

/** What did not run because a program is missing, by the programs. */
const missedIn = (modules: readonly TestModule[]): ReadonlyMap<Need, Missed> => {
  const missed = new Map<Need, Missed>()
  for (const { moduleId, children } of modules)
    for (const test of children.allTests('skipped'))
      for (const need of missingFor(test)) {
        const entry = missed.get(need) ?? { tests: 0, files: new Set() }
        entry.tests += 1
        entry.files.add(moduleId)
        missed.set(need, entry)
      }
  return missed
}

const numberOf = (modules: readonly TestModule[], state: 'passed' | 'failed'): number =>
  modules.reduce((sum, { children }) => sum + [...children.allTests(state)].length, 0)

const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Lists at the end of a run what did not run because programs are missing, and how to install them. */
export class NotRun implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = [...missedIn(modules)].map(([need, { tests, files }]) => [
      programs[need].name,
      `${counted(tests, 'test')} in ${counted(files.size, 'file')}`,
      programs[need].install,
    ])
    if (rows.length === 0) return
    const [names, numbers] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
    const lines = rows.map(
      ([name = '', number = '', install = '']) =>
        `  ${name.padEnd(names ?? 0)}  ${number.padEnd(numbers ?? 0)}  ${install}`,
    )
    const title = areHidden()
      ? 'NOT RUN: the tests that need other programs. With these programs, npm run test:all runs them'
      : 'NOT RUN: these programs are missing'
    // They stand above the list otherwise.
    const totals = `${numberOf(modules, 'passed')} passed, ${numberOf(modules, 'failed')} failed`
    console.log([title, ...lines, '', totals].join('\n'))
  }
}
