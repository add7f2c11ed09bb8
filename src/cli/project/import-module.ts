import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StartError } from '../../error/start-error.ts'
import { UnreadableModule, type UnreadableReason } from './unreadable-module.ts'

/** What Node says of TypeScript that is more than types, and of files that only a compiler finds. */
const unreadable: ReadonlySet<unknown> = new Set([
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
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
    const told = `${relative('.', path)} cannot be loaded: ${message}${isOfCommonJs(message) ? asModules : ''}`
    const reason = reasonOf(cause)
    throw reason === undefined
      ? new StartError(told, { cause })
      : new UnreadableModule(reason, told, { cause })
  }
}

/** Of Node, and of tsx. */
const isOfCommonJs = (message: string): boolean =>
  /import statement outside a module|Top-level await .* "cjs"/.test(message)

const asModules =
  '\nIts package.json says that it is CommonJS. Write "type": "module" there, or call the file .mts.'

/** `undefined`: it was read, and fails. */
const reasonOf = (cause: unknown): UnreadableReason | undefined => {
  const code: unknown = Reflect.get(Object(cause), 'code')
  // Paths of a tsconfig look like packages. What has a URL is a file.
  if (code === 'ERR_MODULE_NOT_FOUND')
    return String(Reflect.get(Object(cause), 'url')).startsWith('file:') ? 'syntax' : 'package'
  if (unreadable.has(code)) return 'syntax'
  if (cause instanceof SyntaxError && isOfCommonJs(cause.message)) return 'commonjs'
  return cause instanceof SyntaxError && isOfCompiling(cause) ? 'syntax' : undefined
}

/** A module that runs may fail with a SyntaxError, too: of JSON.parse, as one. */
const isOfCompiling = ({ stack = '' }: SyntaxError): boolean =>
  /^ +at .*$/m.exec(stack)?.[0].includes('node:internal/modules/') === true
