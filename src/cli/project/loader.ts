import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { upward } from '../project-folders.ts'

/** How the process is started that loads a project. */
export interface Loading {
  readonly execArgv: readonly string[]
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * The loader of TypeScript that a project has, with the `tsconfig.json` of the module. In a repository of several packages
 * both are the package's own.
 *
 * @param module absolute
 * @param folder the working folder, which may have a loader where the module's package has none
 */
export const loaderOf = (module: string, folder: string): Loading | undefined => {
  const loader = tsxFrom(dirname(module)) ?? tsxFrom(folder)
  if (loader === undefined) return undefined
  const config = process.env['TSX_TSCONFIG_PATH'] ?? tsconfigAbove(dirname(module))
  return {
    execArgv: ['--import', loader],
    env: config === undefined ? {} : { TSX_TSCONFIG_PATH: config },
  }
}

const tsxFrom = (folder: string): string | undefined => {
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve('tsx')).href
  } catch {
    return undefined
  }
}

const tsconfigAbove = (folder: string): string | undefined =>
  upward(folder)
    .map((each) => join(each, 'tsconfig.json'))
    .find((file) => existsSync(file))
