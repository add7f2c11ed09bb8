import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ModelRest } from '../../app/model-rest.ts'
import { StartError, suggest } from '../../error/errors.ts'
import { UsageError } from '../command.ts'
import { type ProjectPlace, usualVariable } from './place.ts'

/** What commands ask of a generator. A project may have another copy of the package than the one that runs. */
export type Generator = Pick<ModelRest, 'init' | 'openapi' | 'cleanFiles'>

const members = ['init', 'openapi', 'cleanFiles'] as const satisfies readonly (keyof Generator)[]

/**
 * The generator that an export stands for: itself, the one that an application or a plugin makes. Without exports the
 * module asked for a port before it was done. More generators may be made while an application gets ready.
 */
export const generatorIn = async (
  exported: object | undefined,
  place: ProjectPlace,
  made: readonly object[],
  load: Load,
): Promise<Generator> => {
  const { module, variable } = place
  const file = basename(module)
  const given = exported === undefined ? undefined : exportOf(exported, variable, file)
  // A function that handles requests is not a plugin: its file has made the generator already.
  const handles =
    typeof given === 'function' && (made.some(isGenerator) || !Object.hasOwn(Object(exported), variable))
  const found = handles ? undefined : await whenReady(await registrarOf(given, place, load), module)
  if (isGenerator(found)) return found
  const [only, ...more] = made.filter(isGenerator)
  if (only === undefined) throw new UsageError(`${file}: ${nothingIn(exported, variable)}`)
  if (more.length === 0) return only
  throw new UsageError(
    `${file} makes ${made.length} generators. Export each, as export const api = new ModelRest(app, { … }), and name one with --api-var.`,
  )
}

/** Imports a file of the project. `undefined`: it waits for a port. */
type Load = (path: string) => Promise<object | undefined>

/** The application that registers a plugin, if it is where a new project has it: only that knows the prefix. */
const registrarOf = async (given: unknown, { application }: ProjectPlace, load: Load): Promise<unknown> => {
  if (typeof given !== 'function' || application === undefined) return given
  const loaded = await load(application)
  // It has registered the plugin before it asked for a port.
  if (loaded === undefined) return undefined
  const { app, default: whole }: { app?: unknown; default?: unknown } = loaded
  return [app, whole].find(isApplication) ?? given
}

const isGenerator = (value: unknown): value is Generator =>
  typeof value === 'object' &&
  value !== null &&
  members.every((name) => typeof Reflect.get(value, name) === 'function')

const exportOf = (exported: object, variable: string, file: string): unknown => {
  const whole: unknown = Reflect.get(exported, 'default')
  for (const place of [exported, Object(whole)])
    if (Object.hasOwn(place, variable)) return Reflect.get(place, variable)
  // The default export is taken only if no other name was asked for.
  const isMeant = isGenerator(whole) || isApplication(whole) || isHandler(whole)
  if (variable === usualVariable && isMeant) return whole
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

/** What `export default` has for runtimes such as Bun, Deno and Workers: `{ fetch }`, or the function itself. */
const isHandler = (value: unknown): boolean =>
  typeof value === 'function' || typeof Reflect.get(Object(value), 'fetch') === 'function'

/** An application has made its generators when it is ready. */
const whenReady = async (value: unknown, module: string): Promise<unknown> => {
  if (isGenerator(value)) return value
  if (isApplication(value)) await value.ready()
  else if (typeof value === 'function') await openPlugin(value, module)
  return value
}

const nothingIn = (exported: object | undefined, variable: string): string =>
  exported === undefined
    ? 'it asks for a port before it makes a ModelRest.'
    : isHandler(Reflect.get(exported, 'default')) && !Object.hasOwn(exported, variable)
      ? 'its default export handles requests, but importing the file makes no ModelRest. Write export const api = new ModelRest(app, { … }).'
      : `${variable} is no ModelRest, and no application or plugin that makes one. Write export const api = new ModelRest(app, { … }).`

interface Application {
  register(plugin: unknown): unknown
  ready(): Promise<unknown>
}

/** Registers a plugin in an application of the project's own Fastify, and waits until that is ready. */
const openPlugin = async (plugin: unknown, module: string): Promise<void> => {
  const application = (await fastifyOf(module))()
  try {
    application.register(plugin)
    await application.ready()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(
      `${basename(module)}: its plugin fails: ${message}\nIt is registered without options and prefix here. Where it takes some, name the application that registers it.`,
      { cause },
    )
  }
}

const fastifyOf = async (module: string): Promise<() => Application> => {
  try {
    const found: unknown = await import(pathToFileURL(createRequire(module).resolve('fastify')).href)
    return Reflect.get(Object(found), 'default')
  } catch (cause) {
    throw new StartError(
      `${basename(module)} exports a plugin, but the project has no fastify. Run npm install fastify.`,
      { cause },
    )
  }
}
