import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError } from '../../error/start-error.ts'

/** The little of Fastify that a plugin needs. */
interface Application {
  register(plugin: unknown): unknown
}

/**
 * An application of the project's own Fastify, with the plugin registered.
 *
 * @throws StartError where the project has no Fastify
 */
export const openPlugin = async (plugin: unknown, module: string): Promise<Application> => {
  const application = (await fastifyOf(module))()
  application.register(plugin)
  return application
}

const fastifyOf = async (module: string): Promise<() => Application> => {
  try {
    const found: unknown = await import(pathToFileURL(createRequire(module).resolve('fastify')).href)
    return Reflect.get(Object(found), 'default')
  } catch (cause) {
    throw new StartError(`${basename(module)} exports a plugin, but the project has no fastify.`, { cause })
  }
}
