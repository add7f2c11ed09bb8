import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import { UsageError } from '../terminal/index.ts'

/** The location of a project's API. Paths are absolute. */
export interface ProjectPlace {
  /** The file that exports a `ModelRest`, an application or a plugin. */
  readonly module: string
  readonly variable: string
  /** The file beside the module that may register the plugin. */
  readonly application?: string | undefined
  /** A file to import first. */
  readonly settings: string | undefined
}

export interface PlaceOptions {
  readonly apiModule?: string
  readonly apiVar: string
  readonly settings?: string
}

export const usualVariable = 'api'

const ending = /\.[cm]?[jt]s$/

/**
 * The names of API modules, the most specific first. Files that are not named `api` may have nothing to do with
 * modelrest.
 */
const usualNames = ['api', 'app', 'server']
const usualEndings = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']

export const withPlace = (command: Command): Command =>
  command
    .option(
      '--settings <module>',
      'a file to import before the API module, such as one that sets process.env',
    )
    .option(
      '--api-module <path>',
      'the file that exports the API: a ModelRest, an application or a plugin (default: api, app or server, such as api.ts, here or in src)',
    )
    .option('--api-var <name>', 'the name of the export', usualVariable)

export const projectPlace = (
  { apiModule, apiVar, settings }: PlaceOptions,
  folder: string,
): ProjectPlace => ({
  ...(apiModule === undefined ? usualPlace(folder) : { module: fileOf('--api-module', apiModule, folder) }),
  variable: apiVar,
  settings: settings === undefined ? undefined : fileOf('--settings', settings, folder),
})

const usualPlace = (folder: string): Pick<ProjectPlace, 'module' | 'application'> => {
  const module = usualModule(folder)
  const application = module.replace(/api(?=\.\w+$)/, 'app')
  return { module, application: application !== module && existsSync(application) ? application : undefined }
}

const usualModule = (folder: string): string => {
  const usual = usualNames.flatMap((name) =>
    ['', 'src/'].flatMap((parent) => usualEndings.map((end) => `${parent}${name}.${end}`)),
  )
  const found = usual.find(
    (name) => existsSync(join(folder, name)) && (/api\.\w+$/.test(name) || makesApi(join(folder, name))),
  )
  if (found !== undefined) return join(folder, found)
  const [candidate, ...others] = ['.', 'src'].flatMap((parent) => modulesIn(folder, parent))
  const remedy =
    candidate === undefined
      ? 'Use --api-module to name the file that exports the API.'
      : `Use --api-module ${[candidate, ...others].join(' or ')}.`
  throw new UsageError(
    `Cannot find an API: no api.ts, app.ts or server.ts in ${folder} or in its src creates a ModelRest. ${remedy}`,
  )
}

/** The files that create a `ModelRest`. */
const modulesIn = (folder: string, parent: string): readonly string[] =>
  existsSync(join(folder, parent))
    ? readdirSync(join(folder, parent))
        .filter((name) => ending.test(name) && makesApi(join(folder, parent, name)))
        .map((name) => `./${join(parent, name)}`)
    : []

const makesApi = (path: string): boolean =>
  statSync(path).isFile() && readFileSync(path, 'utf8').includes('new ModelRest')

const fileOf = (option: string, name: string, folder: string): string => {
  const path = resolve(folder, name)
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path
  throw new UsageError(`${option}: the file ${name} does not exist in ${folder}.`)
}

export const foldersAbove = (folder: string): readonly string[] => {
  const above = dirname(folder)
  return [folder, ...(above === folder ? [] : foldersAbove(above))]
}

/** @throws SyntaxError if the file is not JSON */
export const readJsonFile = (path: string): unknown =>
  // Some editors on Windows write a byte order mark.
  JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''))

export interface Loading {
  readonly execArgv: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * The TypeScript loader of a project, with the `tsconfig.json` of the module. In a monorepo, both belong to the package;
 * if the package has no loader, that of the working directory is used.
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
  foldersAbove(folder)
    .map((each) => join(each, 'tsconfig.json'))
    .find((file) => existsSync(file))
