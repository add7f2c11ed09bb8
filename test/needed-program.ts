import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Whether a program of the system is there. Servers are where not every user looks for programs. */
export const isInstalled = (program: string): boolean =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].some((folder) =>
    existsSync(join(folder, program)),
  )

/**
 * Says whether a program of the system is there for a test. Where it is not, the test cannot run: that is said loudly,
 * and an error in CI.
 */
export const isThere = (program: string, tests: string): boolean => {
  if (isInstalled(program)) return true
  const line = `NOT RUN: ${tests}, because ${program} is missing. Install it: apt-get install --yes ${program}`
  if (process.env['CI'] !== undefined) throw new Error(line)
  process.stderr.write(`\n${line}\n\n`)
  return false
}
