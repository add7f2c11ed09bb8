import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ModelRest } from '../../app/model-rest.ts'
import { StartError, suggest } from '../../error/errors.ts'
import { UsageError } from '../terminal/index.ts'
import { type ProjectPlace, usualVariable } from './place.ts'

/** The part of `ModelRest` that commands use. A project may have another copy of the package than the one that runs. */
export type Generator = Pick<ModelRest, 'init' | 'openapi' | 'cleanFiles'>

const members = ['init', 'openapi', 'cleanFiles'] as const satisfies readonly (keyof Generator)[]

/**
 * Finds the `ModelRest` of an export: the export itself, or the one that an application or plugin creates. Exports are
 * missing if the module tried to listen before it finished loading. Applications may create more generators while they
 * start.
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
  const before = made.filter(isGenerator).length
  const own = (): readonly Generator[] => made.filter(isGenerator).slice(before)
  const isFunction = typeof given === 'function'
  try {
    // A default export that is a function handles requests. Another one may be a plugin.
    const isPlugin = isFunction && Object.hasOwn(Object(exported), variable)
    const waited = isFunction && !isPlugin ? undefined : await registrarOf(given, place, load)
    const found = await whenReady(waited, module)
    if (isGenerator(found)) return found
  } catch (error) {
    // A function that handles requests cannot be registered: its file has made the generator already.
    if (!isFunction || before === 0 || own().length > 0) throw error
  }
  // A plugin makes its own generator, whatever the modules that it imports have made.
  const [only, ...more] = isFunction && own().length > 0 ? own() : made.filter(isGenerator)
  if (only === undefined) throw new UsageError(`${file}: ${nothingIn(exported, variable)}`)
  if (more.length === 0) return only
  throw new UsageError(
    `${file} creates ${made.length} ModelRest instances. Export each, such as export const api = new ModelRest(app, { … }), and choose one with --api-var.`,
  )
}

/** Imports a file of the project. `undefined`: it is trying to listen. */
type Load = (path: string) => Promise<object | undefined>

/**
 * The application that registers a plugin, if it is in the file where new projects have it. Only the application knows
 * the prefix.
 */
const registrarOf = async (given: unknown, { application }: ProjectPlace, load: Load): Promise<unknown> => {
  if (typeof given !== 'function' || application === undefined) return given
  const loaded = await load(application)
  // It registered the plugin before it tried to listen.
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
  // Other exports count only if `--api-var` is not used.
  const meant = [whole, Reflect.get(exported, 'app')].find(
    (value) => isGenerator(value) || isApplication(value) || isHandler(value),
  )
  if (variable === usualVariable && meant !== undefined) return meant
  const named = namedIn(exported, whole)
  const names = Object.keys(named)
  const generators = names.filter((name) => isGenerator(named[name]))
  const [only, ...more] = generators
  const remedy =
    only !== undefined && more.length === 0
      ? `Use --api-var ${only}.`
      : names.length === 0
        ? 'Add export const api = new ModelRest(app, { … }).'
        : `Choose one with --api-var.${suggest(variable, generators.length > 0 ? generators : names)}`
  throw new UsageError(`${file} does not export ${variable}. ${remedy}`)
}

/** The exports by name. Those of CommonJS are members of the exported object. */
const namedIn = (exported: object, whole: unknown): Readonly<Record<string, unknown>> => {
  const {
    'module.exports': common,
    __esModule: _isModule,
    ...named
  }: Record<string, unknown> = {
    ...exported,
  }
  if (Object.getPrototypeOf(Object(whole)) !== Object.prototype) return named
  const { default: _, ...others } = named
  return { ...Object(whole), ...others }
}

const isApplication = (value: unknown): value is { ready(): unknown } =>
  typeof Reflect.get(Object(value), 'ready') === 'function'

/** The default export for runtimes such as Bun, Deno and Workers: `{ fetch }`, or a function. */
const isHandler = (value: unknown): boolean =>
  typeof value === 'function' || typeof Reflect.get(Object(value), 'fetch') === 'function'

/** An application has created its generators when it is ready. */
const whenReady = async (value: unknown, module: string): Promise<unknown> => {
  if (isGenerator(value)) return value
  if (isApplication(value)) await value.ready()
  else if (typeof value === 'function') await openPlugin(value, module)
  return value
}

const nothingIn = (exported: object | undefined, variable: string): string =>
  exported === undefined
    ? 'it tries to listen before it creates a ModelRest.'
    : isHandler(Reflect.get(exported, 'default')) && !Object.hasOwn(exported, variable)
      ? 'its default export handles requests, but importing the file does not create a ModelRest. Add export const api = new ModelRest(app, { … }).'
      : `${variable} must be a ModelRest, or an application or plugin that creates one. Add export const api = new ModelRest(app, { … }).`

interface RegisteringApplication {
  register(plugin: unknown): unknown
  ready(): Promise<unknown>
}

/** Registers a plugin in an application of the project's Fastify, and waits until it is ready. */
const openPlugin = async (plugin: unknown, module: string): Promise<void> => {
  const application = (await fastifyOf(module))()
  try {
    application.register(plugin)
    await application.ready()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new StartError(
      `${basename(module)}: the plugin failed: ${message}\nIt was registered without options or a prefix; if it needs options, export the application that registers it.`,
      { cause },
    )
  }
}

const fastifyOf = async (module: string): Promise<() => RegisteringApplication> => {
  try {
    const found: unknown = await import(pathToFileURL(createRequire(module).resolve('fastify')).href)
    return Reflect.get(Object(found), 'default')
  } catch (cause) {
    throw new StartError(
      `${basename(module)} exports a plugin, but fastify is not installed in the project. Run npm install fastify.`,
      { cause },
    )
  }
}
