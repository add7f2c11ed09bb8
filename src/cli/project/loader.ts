import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The loader of TypeScript that a project has, for `--import`. */
export const loaderOf = (folder: string): string | undefined => {
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve('tsx')).href
  } catch {
    return undefined
  }
}
