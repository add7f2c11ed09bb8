import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError, suggest } from '../error/start-error.ts'
import type { ModelRest } from '../model-rest.ts'
import type { Terminal } from './command.ts'
import { UsageError } from './usage-error.ts'

/** Where a generator is exported. */
export interface ApiPlace {
  /** A file, from the working folder. */
  readonly module: string
  readonly variable: string
}

/** What commands ask of a generator. A project may have another copy of the package than the one that runs. */
export type Api = Pick<ModelRest, 'cleanFiles' | 'close'>

/**
 * Imports a module of the application. Node strips the types of TypeScript.
 *
 * @throws UsageError where there is no such file or no such generator; StartError where the module fails
 */
export const loadApi = async (
  { module, variable }: ApiPlace,
  { folder }: Pick<Terminal, 'folder'>,
): Promise<Api> => {
  const path = resolve(folder, module)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`--api-module: there is no file ${module} in ${folder}.`)
  const exported = await importModule(path, module)
  const names = Object.keys(exported)
  const generators = names.filter((name) => isApi(Reflect.get(exported, name)))
  const found: unknown = names.includes(variable) ? Reflect.get(exported, variable) : undefined
  if (isApi(found)) return found
  const [only, ...more] = generators
  const remedy =
    only === undefined
      ? `Write export const api = new ModelRest(app, { … }).`
      : more.length === 0
        ? `Write --api-var ${only}.`
        : `Name one with --api-var.${suggest(variable, generators)}`
  const what = names.includes(variable) ? `${variable} is no ModelRest` : `there is no ${variable}`
  throw new UsageError(`${module}: ${what} among its exports. ${remedy}`)
}

const isApi = (value: unknown): value is Api =>
  typeof value === 'object' &&
  value !== null &&
  (['cleanFiles', 'close'] as const).every((name) => typeof Reflect.get(value, name) === 'function')

const importModule = async (path: string, name: string): Promise<object> => {
  try {
    const module: unknown = await import(pathToFileURL(path).href)
    return Object(module)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(`${name} cannot be loaded: ${message}`, { cause })
  }
}
