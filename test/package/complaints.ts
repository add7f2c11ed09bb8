import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { program, writeAll } from './folders.ts'
import { shell } from './shell.ts'

/** What the compiler says, by file. */
export type Complaints = ReadonlyMap<string, readonly string[]>

/**
 * Compiles programs in one run of the compiler, which reads what they import once for all of them.
 *
 * @param programs the `tsconfig.json` of each, by its name
 */
export const complaintsOf = async (
  folder: string,
  programs: Readonly<Record<string, object>>,
): Promise<Complaints> => {
  const configs = Object.entries(programs).map(([name, config]) => [`${name}.json`, JSON.stringify(config)])
  writeAll(folder, Object.fromEntries(configs))
  // A program that has not changed is not compiled again.
  for (const name of readdirSync(folder)) if (name.endsWith('.tsbuildinfo')) rmSync(join(folder, name))
  const names = configs.map(([name]) => name).join(' ')
  const { output } = await shell(`${program('tsc')} --build --pretty false ${names}`, folder)
  const found = new Map<string, string[]>()
  for (const line of output.split('\n')) {
    const file = /^([^\s(]+)\(\d+,\d+\): error/.exec(line)?.[1]
    if (file !== undefined) found.set(file, [...(found.get(file) ?? []), line])
    else if (line.startsWith('error')) throw new Error(output)
  }
  return found
}
