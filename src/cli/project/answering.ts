import { subscribe } from 'node:diagnostics_channel'
import { Server } from 'node:net'
import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Inspection } from '../../app/setup.ts'
import { StartError } from '../../error/errors.ts'
import { causesOf } from '../../observe/log.ts'
import { UsageError } from '../command.ts'
import {
  type Question,
  type QuestionName,
  type Questions,
  type Reply,
  type ReplyMessage,
  type StartMessage,
  UnreadableModule,
  type UnreadableReason,
} from './ask-project.ts'
import { type Generator, generatorIn } from './generator-in.ts'

// The process that loads a project. It ends with the one that asks.
process.once('disconnect', () => process.exit())

// An application that finds `send` takes the one who started it for a parent that knows it, as PM2 does.
const send = process.send?.bind(process)
Reflect.set(process, 'send', undefined)

process.once('message', async (question: Question) => {
  // What waits for nothing that can come ends.
  process.channel?.unref()
  send?.({ modelrestReply: await answerQuestion(question) } satisfies ReplyMessage)
})

type Acts = {
  readonly [Name in QuestionName]: (
    generator: Generator,
    given: Questions[Name]['given'],
  ) => Promise<Questions[Name]['answer']>
}

const acts: Acts = {
  openapi: async (generator) => {
    await generator.init()
    return generator.openapi()
  },
  check: async (generator) => {
    await generator.init()
    generator.openapi()
    return undefined
  },
  cleanFiles: (generator, given) => generator.cleanFiles(given),
}

/** Loads the project of this process and asks it. It never fails. */
export const answerQuestion = async ({ place, name, given }: Question): Promise<Reply> => {
  const said: StartMessage[] = []
  const generators: object[] = []
  const inspection: Inspection = {
    generators,
    checksStorage: name === 'check',
    tell: (kind, line) => void said.push({ kind, line }),
  }
  subscribe('modelrest.inspection', (message) => void Object.assign(Object(message), inspection))
  const { awaited } = withoutPorts()
  try {
    if (place.settings !== undefined) await importModule(place.settings)
    const exported = await Promise.race([importModule(place.module), awaited])
    const generator = await generatorIn(exported, place, generators)
    const act = acts[name] as (generator: Generator, given: unknown) => Promise<unknown>
    return { kind: 'answer', answer: await act(generator, given), said }
  } catch (error) {
    return { kind: 'failed', reason: failureReason(error), message: messageOf(error), said }
  }
}

const failureReason = (error: unknown): (Reply & { readonly kind: 'failed' })['reason'] => {
  if (error instanceof UsageError) return 'usage'
  return error instanceof UnreadableModule ? error.reason : 'failure'
}

/** Ours say what is wrong. Of others, where it happened is told too. And of both, what is behind them. */
const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const isOurs = isSelfExplanatory(error)
  const told = [...causesOf(error.cause)].filter((cause) => !isSelfExplanatory(cause))
  const [first, ...others] = isOurs ? told : [error, ...told]
  return [
    ...(isOurs ? [error.message] : []),
    ...(first === undefined ? [] : [first.stack ?? first.message]),
    ...others.map(({ message }) => `Caused by: ${message}`),
  ].join('\n')
}

const isSelfExplanatory = (error: Error): boolean =>
  error instanceof UsageError || error.name === 'StartError'

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
    const told = `${relative('.', path)} cannot be loaded: ${message}${isOfCommonJs(message) ? moduleTypeHint : ''}`
    const reason = unreadableReason(cause)
    throw reason === undefined
      ? new StartError(told, { cause })
      : new UnreadableModule(reason, told, { cause })
  }
}

/** Of Node, and of tsx. */
const isOfCommonJs = (message: string): boolean =>
  /import statement outside a module|Top-level await .* "cjs"/.test(message)

const moduleTypeHint =
  '\nIts package.json says that it is CommonJS. Write "type": "module" there, or call the file .mts.'

/** `undefined`: it was read, and fails. */
const unreadableReason = (cause: unknown): UnreadableReason | undefined => {
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

/** Milliseconds that a module has to end after it asked for a port: it does not wait for that then. */
const GRACE = 1000

/** Lets nothing of this process listen. What asks for it waits for ever: `awaited` comes where a module does. */
export const withoutPorts = (): { readonly awaited: Promise<undefined> } => {
  const { promise: awaited, resolve } = Promise.withResolvers<undefined>()
  Server.prototype.listen = function (this: Server) {
    setTimeout(() => resolve(undefined), GRACE)
    return this
  }
  return { awaited }
}
