import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError } from '../../error/start-error.ts'

/** The little of Fastify that a plugin needs. */
interface Application {
  register(plugin: unknown): unknown
  ready(): Promise<unknown>
}

/**
 * Registers a plugin in an application of the project's own Fastify, and waits until that is ready.
 *
 * @throws StartError where the project has no Fastify, or the plugin fails
 */
export const openPlugin = async (plugin: unknown, module: string): Promise<void> => {
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
    throw new StartError(`${basename(module)} exports a plugin, but the project has no fastify.`, { cause })
  }
}
