import { createRequire } from 'node:module'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ownPackage = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The file of the application that was started, with links followed. `undefined` where a tool was started (a test runner,
 * our own command line), or nothing that can be found.
 */
export const runningEntry = (started: string | undefined = process.argv[1]): string | undefined => {
  if (started === undefined) return undefined
  try {
    // `node .` and `node dist/server` name no file.
    const entry = createRequire(import.meta.url).resolve(started)
    return entry.includes(`${sep}node_modules${sep}`) || entry.startsWith(ownPackage) ? undefined : entry
  } catch {
    return undefined
  }
}
