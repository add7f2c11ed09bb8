import { readFileSync } from 'node:fs'

/** A package with the version that this repository has installed. */
export const pinned = (name: string): string => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as {
    version: string
  }
  return `${name}@${version}`
}
