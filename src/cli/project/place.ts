import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { UsageError } from '../usage-error.ts'

/** Where a project has its API. Files are absolute paths. */
export interface ProjectPlace {
  /** The file that exports an application, a plugin or the generator. */
  readonly module: string
  /** The name of that export. */
  readonly variable: string
  /** A file that is imported before. */
  readonly settings: string | undefined
}

/** The options of every command that looks at a project, as they were written. */
export interface PlaceOptions {
  readonly apiModule?: string
  readonly apiVar: string
  readonly settings?: string
}

/** The export that is meant where none is named. */
export const usualVariable = 'api'

const endings = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']
const usual = ['', 'src/'].flatMap((folder) => endings.map((ending) => `${folder}api.${ending}`))

/** Gives a command the options that say where the API is. */
export const withPlace = (command: Command): Command =>
  command
    .option('--settings <module>', 'a file to import before the API module, as one that fills process.env')
    .option(
      '--api-module <path>',
      'the file that exports the API: an application, a plugin or the generator (default: api.ts or api.js, here or in src)',
    )
    .option('--api-var <name>', 'the name of that export', usualVariable)

/** @throws UsageError where there is no such file */
export const placeOf = ({ apiModule, apiVar, settings }: PlaceOptions, folder: string): ProjectPlace => ({
  module: apiModule === undefined ? usualModule(folder) : fileOf('--api-module', apiModule, folder),
  variable: apiVar,
  settings: settings === undefined ? undefined : fileOf('--settings', settings, folder),
})

const usualModule = (folder: string): string => {
  const found = usual.find((name) => existsSync(join(folder, name)))
  if (found !== undefined) return join(folder, found)
  throw new UsageError(
    `There is no api.ts or api.js in ${folder}, nor in its src. Name the file that exports the API: --api-module ./app.ts.`,
  )
}

const fileOf = (option: string, name: string, folder: string): string => {
  const path = resolve(folder, name)
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path
  throw new UsageError(`${option}: there is no file ${name} in ${folder}.`)
}
