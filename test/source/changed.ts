import { readFileSync } from 'node:fs'

/** What is said where a library is not as it was. */
export const changedIn =
  (library: string, internals: string) =>
  (part: string): string => {
    const { version } = JSON.parse(readFileSync(`node_modules/${library}/package.json`, 'utf8'))
    return `${library} ${version} has changed ${part}. Read what it does now, and follow it in src/source/${internals}/internals.ts.`
  }
