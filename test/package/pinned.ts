import { readFileSync } from 'node:fs'

/** A package with the version that this repository has installed. One that has a version already stays as it is. */
export const pinned = (name: string): string => {
  if (name.includes('@', 1)) return name
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as {
    version: string
  }
  return `${name}@${version}`
}
