import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError } from '../../error/start-error.ts'
import { UnreadableModule } from './unreadable-module.ts'

/** What Node says of TypeScript that is more than types, and of files that only a compiler finds. */
const unreadable: ReadonlySet<unknown> = new Set([
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
  'ERR_MODULE_NOT_FOUND',
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
])

/**
 * Imports a module of the application. Node strips the types of TypeScript.
 *
 * @param path absolute
 * @throws StartError where the module fails
 */
export const importModule = async (path: string): Promise<object> => {
  try {
    const module: unknown = await import(pathToFileURL(path).href)
    return Object(module)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const told = `${relative('.', path)} cannot be loaded: ${message}`
    const isUnreadable = cause instanceof SyntaxError || unreadable.has(Reflect.get(Object(cause), 'code'))
    throw new (isUnreadable ? UnreadableModule : StartError)(told, { cause })
  }
}
