import { basename } from 'node:path'
import { suggest } from '../../error/start-error.ts'
import type { ModelRest } from '../../model-rest.ts'
import { UsageError } from '../usage-error.ts'
import { openPlugin } from './open-plugin.ts'
import { type ProjectPlace, usualVariable } from './place.ts'

/** What commands ask of a generator. A project may have another copy of the package than the one that runs. */
export type Generator = Pick<ModelRest, 'init' | 'openapi' | 'cleanFiles'>

const members = ['init', 'openapi', 'cleanFiles'] as const satisfies readonly (keyof Generator)[]

/**
 * The generator that an export stands for: itself, the one that an application or a plugin makes.
 *
 * @param exported `undefined`: the module asks for a port before it is done, and its exports are not known
 * @param made the generators that were made so far; more may come while an application gets ready
 * @throws UsageError where it stands for none, or for several
 */
export const generatorIn = async (
  exported: object | undefined,
  { module, variable }: ProjectPlace,
  made: readonly object[],
): Promise<Generator> => {
  const file = basename(module)
  const found = exported === undefined ? undefined : await readied(exportOf(exported, variable, file), module)
  if (isGenerator(found)) return found
  const [only, ...more] = made.filter(isGenerator)
  if (only === undefined) throw new UsageError(`${file}: ${nothingIn(exported, variable)}`)
  if (more.length === 0) return only
  throw new UsageError(
    `${file} makes ${made.length} generators. Export each, as export const api = new ModelRest(app, { … }), and name one with --api-var.`,
  )
}

const isGenerator = (value: unknown): value is Generator =>
  typeof value === 'object' &&
  value !== null &&
  members.every((name) => typeof Reflect.get(value, name) === 'function')

const exportOf = (exported: object, variable: string, file: string): unknown => {
  const whole: unknown = Reflect.get(exported, 'default')
  for (const place of [exported, Object(whole)])
    if (Object.hasOwn(place, variable)) return Reflect.get(place, variable)
  // A name that was asked for is there, or it is wrong.
  if (variable === usualVariable && (isGenerator(whole) || isApplication(whole))) return whole
  const named = namedIn(exported, whole)
  const names = Object.keys(named)
  const generators = names.filter((name) => isGenerator(named[name]))
  const [only, ...more] = generators
  const remedy =
    only !== undefined && more.length === 0
      ? `Write --api-var ${only}.`
      : names.length === 0
        ? 'Write export const api = new ModelRest(app, { … }).'
        : `Name one with --api-var.${suggest(variable, generators.length > 0 ? generators : names)}`
  throw new UsageError(`${file}: there is no ${variable} among its exports. ${remedy}`)
}

/** The exports by their names. Those of CommonJS are in the object that it exports. */
const namedIn = (exported: object, whole: unknown): Readonly<Record<string, unknown>> => {
  const { 'module.exports': common, ...named }: Record<string, unknown> = { ...exported }
  if (Object.getPrototypeOf(Object(whole)) !== Object.prototype) return named
  const { default: _, ...others } = named
  return { ...Object(whole), ...others }
}

const isApplication = (value: unknown): value is { ready(): unknown } =>
  typeof Reflect.get(Object(value), 'ready') === 'function'

/** An application makes its generators by the time that it is ready. */
const readied = async (value: unknown, module: string): Promise<unknown> => {
  if (isGenerator(value)) return value
  if (isApplication(value)) await value.ready()
  else if (typeof value === 'function') await openPlugin(value, module)
  return value
}

const nothingIn = (exported: object | undefined, variable: string): string =>
  exported === undefined
    ? 'it asks for a port before it makes a ModelRest.'
    : `${variable} is no ModelRest, and no application or plugin that makes one. Write export const api = new ModelRest(app, { … }).`
