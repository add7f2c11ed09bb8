import { subscribe } from 'node:diagnostics_channel'
import { existsSync } from 'node:fs'
import { Server } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Inspection } from '../../app/application.ts'
import { StartError } from '../../error/errors.ts'
import { causesOf } from '../../observe/log.ts'
import { ownPackage } from '../init/own-package.ts'
import { UsageError } from '../terminal/index.ts'
import { type Generator, generatorIn } from './generator-in.ts'
import { foldersAbove, type ProjectPlace, readJsonFile } from './place.ts'

type ServedOperation = Parameters<NonNullable<Inspection['served']>>[1][number]
type CleanFiles = Generator['cleanFiles']
/** What each generator serves. Other copies of the package may not tell. */
type ServedOperations = ReadonlyMap<object, readonly ServedOperation[]>

/** An operation that the document leaves out, such as a health endpoint or the documentation page. */
export type UndocumentedRoute = Pick<ServedOperation, 'id' | 'method' | 'path' | 'model' | 'caller'>

interface Routes {
  readonly document: ReturnType<Generator['openapi']>
  /** `operationId` -> its model. For operations below a record, the model of that record. */
  readonly models: Readonly<Record<string, string>>
  readonly undocumented: readonly UndocumentedRoute[]
}

/** The questions that a project can answer, with their parameters and results. */
const acts = {
  routes: async (generator: Generator, _given: undefined, served: ServedOperations): Promise<Routes> => {
    await generator.init()
    const operations = served.get(generator) ?? []
    const models = operations.flatMap(({ id, model, tag }) => (model === undefined ? [] : [[id, tag]]))
    const undocumented = operations
      .filter(({ tag }) => tag === undefined)
      .map(
        ({ id, method, path, model, caller }): UndocumentedRoute => ({
          ...{ id, method, path },
          ...(model !== undefined && { model }),
          ...(caller !== undefined && { caller }),
        }),
      )
    return { document: generator.openapi(), models: Object.fromEntries(models), undocumented }
  },
  openapi: async (generator: Generator, _given: undefined): Promise<ReturnType<Generator['openapi']>> => {
    await generator.init()
    return generator.openapi()
  },
  check: async (generator: Generator, _given: undefined): Promise<void> => {
    await generator.init()
    generator.openapi()
  },
  cleanFiles: (generator: Generator, given: Parameters<CleanFiles>[0]): ReturnType<CleanFiles> =>
    generator.cleanFiles(given),
}

export type QuestionName = keyof typeof acts
export type Given<Name extends QuestionName> = Parameters<(typeof acts)[Name]>[1]
export type AnswerTo<Name extends QuestionName> = Awaited<ReturnType<(typeof acts)[Name]>>

export interface ProjectQuestion<Name extends QuestionName = QuestionName> {
  readonly place: ProjectPlace
  readonly name: Name
  readonly given: Given<Name>
}

export interface StartMessage {
  readonly kind: 'info' | 'warning'
  readonly line: string
}

export type ProjectReply = { readonly said: readonly StartMessage[] } & (
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly message: string }
)

/** `usage`: the command line names something that does not exist. A loader may help with an unreadable module. */
type FailureReason = 'usage' | 'failure' | UnreadableReason

/**
 * Why Node cannot load a module. `syntax`: it contains syntax or imports that need a compiler. `package`: an import is
 * not an installed package, but may be a path alias that a loader knows. `commonjs`: an ES module is loaded as CommonJS.
 */
type UnreadableReason = 'syntax' | 'package' | 'commonjs'

/** A message of this process. Loaders and process managers may send messages too. */
export interface ReplyMessage {
  readonly modelrestReply: ProjectReply
}

// This process loads a project. It ends with its parent.
process.once('disconnect', () => process.exit())

// Without this, an application could take its parent for a process manager such as PM2.
const send = process.send?.bind(process)
Reflect.set(process, 'send', undefined)

process.once('message', async (question: ProjectQuestion) => {
  // The channel must not keep the process alive if it waits for nothing else.
  process.channel?.unref()
  send?.({ modelrestReply: await answerQuestion(question) } satisfies ReplyMessage)
})

const answerQuestion = async ({ place, name, given }: ProjectQuestion): Promise<ProjectReply> => {
  const said: StartMessage[] = []
  const generators: object[] = []
  const served = new Map<object, readonly ServedOperation[]>()
  const inspection: Inspection = {
    generators,
    checksStorage: name === 'check',
    served: (generator, operations) => void served.set(generator, operations),
    tell: (kind, line) => void said.push({ kind, line }),
  }
  subscribe('modelrest.inspection', (message) => void Object.assign(Object(message), inspection))
  const waiting = forbidPorts()
  try {
    if (place.settings !== undefined) await importModule(place.settings)
    const load = (path: string) => Promise.race([importModule(path), waiting])
    const generator = await generatorIn(await load(place.module), place, generators, load)
    const act = acts[name] as (
      generator: Generator,
      given: unknown,
      served: ServedOperations,
    ) => Promise<unknown>
    return { kind: 'answer', answer: await act(generator, given, served), said }
  } catch (error) {
    const { unreadable = 'failure' }: { unreadable?: FailureReason } = Object(error)
    const reason = error instanceof UsageError ? 'usage' : unreadable
    return { kind: 'failed', reason, message: messageOf(error), said }
  }
}

/** Errors of modelrest explain themselves; others are shown with their stack. Causes follow. */
const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const isOurs = isSelfExplanatory(error)
  const causes = [...causesOf(error.cause)].filter((cause) => !isSelfExplanatory(cause))
  const [first, ...others] = isOurs ? causes : [error, ...causes]
  return [
    ...(isOurs ? [error.message] : []),
    ...(first === undefined ? [] : [first.stack ?? first.message]),
    ...others.map(({ message }) => `Caused by: ${message}`),
  ].join('\n')
}

const isSelfExplanatory = (error: Error): boolean =>
  error instanceof UsageError || error.name === 'StartError'

/** Node's error codes for TypeScript syntax beyond types, and for paths that only a compiler resolves. */
const unreadableCodes: ReadonlySet<unknown> = new Set([
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
])

const importModule = async (path: string): Promise<object> => {
  try {
    const module: unknown = await import(pathToFileURL(path).href)
    return Object(module)
  } catch (cause) {
    const missing = missingPeer(cause)
    if (missing !== undefined)
      throw new StartError(
        `Cannot load ${relative('.', path)}: the package ${missing} is not installed. Run npm install ${missing}.`,
      )
    const message = cause instanceof Error ? cause.message : String(cause)
    const detail = `Cannot load ${relative('.', path)}: ${message}${isOfCommonJs(message) ? moduleTypeHint : ''}`
    throw Object.assign(new StartError(detail, { cause }), { unreadable: unreadableReason(cause) })
  }
}

/**
 * The package that the project has not installed: one that modelrest imports, or a driver or framework that modelrest works
 * with. Any other name in the application may be a path alias.
 */
const missingPeer = (cause: unknown): string | undefined => {
  const { code, message }: { code?: unknown; message?: unknown } = Object(cause)
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined
  const found =
    /^Cannot find (?:package|module) '((?:@[^/']+\/)?[^/']+)[^']*'(?: imported from (.+))?$/m.exec(
      String(message),
    )
  const [, missing = '', importer = ''] = found ?? []
  if (ownPackage().peers.includes(missing)) return missing
  if (importer === '') return undefined
  const nearest = foldersAbove(dirname(importer)).find((folder) => existsSync(join(folder, 'package.json')))
  if (nearest === undefined) return undefined
  const about = Object(readJsonFile(join(nearest, 'package.json')))
  return Reflect.get(about, 'name') === 'modelrest' ? missing : undefined
}

/** Recognizes the messages of Node and tsx. */
const isOfCommonJs = (message: string): boolean =>
  /import statement outside a module|Top-level await .* "cjs"/.test(message)

const moduleTypeHint =
  '\nIts package.json makes it CommonJS. Add "type": "module" there, or rename the file to .mts.'

/** `undefined`: Node could load the module, but the module threw. */
const unreadableReason = (cause: unknown): UnreadableReason | undefined => {
  const code: unknown = Reflect.get(Object(cause), 'code')
  // A path alias looks like a package. The error has a URL only for a file.
  if (code === 'ERR_MODULE_NOT_FOUND')
    return String(Reflect.get(Object(cause), 'url')).startsWith('file:') ? 'syntax' : 'package'
  if (unreadableCodes.has(code)) return 'syntax'
  if (cause instanceof SyntaxError && isOfCommonJs(cause.message)) return 'commonjs'
  return cause instanceof SyntaxError && isOfCompiling(cause) ? 'syntax' : undefined
}

/** Code such as JSON.parse throws SyntaxErrors at run time as well. */
const isOfCompiling = ({ stack = '' }: SyntaxError): boolean =>
  /^ +at .*$/m.exec(stack)?.[0].includes('node:internal/modules/') === true

/**
 * Keeps this process from listening.
 *
 * @returns a promise that resolves if a module tries to listen, because that module would wait forever
 */
const forbidPorts = (): Promise<undefined> => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  Server.prototype.listen = function (this: Server) {
    // A module that finishes within a second does not wait for the port.
    setTimeout(() => resolve(undefined), 1000)
    return this
  }
  return promise
}
