import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { setTimeout as elapsed } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ModelRest } from '../../app/model-rest.ts'
import { StartError } from '../../error/errors.ts'
import { Failure, type Terminal, UsageError } from '../command.ts'
import { type Loading, loaderOf, type PlaceOptions, type ProjectPlace, placeOf } from './place.ts'

/**
 * Asks the project that the options of a command name. Warnings of its start are passed on.
 *
 * @throws UsageError for a file or a name that is not there; Failure where the project does not start
 */
export const answerOf = async <Name extends QuestionName>(
  name: Name,
  given: Questions[Name]['given'],
  options: PlaceOptions,
  terminal: Terminal,
): Promise<Questions[Name]['answer']> => {
  const place = placeOf(options, terminal.folder)
  const asked = await askProject({ place, name, given }, terminal)
  for (const { kind, line } of asked.said)
    if (kind === 'warning') terminal.note(terminal.colours.yellow(line))
  if (asked.kind === 'failed') throw asked.error
  return asked.answer
}

/** An answer or why there is none, with what the start of the application said. */
type Outcome<Name extends QuestionName> =
  | {
      readonly kind: 'answer'
      readonly answer: Questions[Name]['answer']
      readonly said: readonly StartMessage[]
    }
  | {
      readonly kind: 'failed'
      /** UsageError for a name that the module does not export; Failure where the module or the start fails. */
      readonly error: UsageError | Failure
      readonly said: readonly StartMessage[]
    }

/**
 * Loads a project in a process of its own, asks it one thing, and ends that process: whatever it opened, logs or waits
 * for is gone then, and what it prints never mixes with the answer. What it prints is shown where it fails.
 */
export const askProject = async <Name extends QuestionName>(
  question: Question<Name>,
  terminal: Pick<Terminal, 'folder' | 'note'>,
): Promise<Outcome<Name>> => {
  const { reply, show } = await askWithLoader(question, terminal)
  if (reply.kind === 'answer') return reply as Outcome<Name>
  show()
  const { reason, message, said } = reply
  return { kind: 'failed', error: new (reason === 'usage' ? UsageError : Failure)(message), said }
}

/** Decorators, enums and paths of a tsconfig are more than Node reads by itself. */
const askWithLoader = async (
  question: Question,
  terminal: Pick<Terminal, 'folder' | 'note'>,
): Promise<Attempt> => {
  const first = await askInProcess(question, { execArgv: [], env: {} }, terminal)
  if (!mayNeedLoader(first.reply)) return first
  const loading = loaderOf(question.place.module, terminal.folder)
  if (loading !== undefined) return askInProcess(question, loading, terminal)
  if (first.reply.reason !== 'syntax') return first
  const message = `${first.reply.message}\nWith the package tsx in the project, modules that Node cannot read by itself are loaded too: npm i -D tsx`
  return { ...first, reply: { ...first.reply, message } }
}

const mayNeedLoader = (reply: Reply): reply is Reply & { readonly kind: 'failed' } =>
  reply.kind === 'failed' && reply.reason !== 'usage' && reply.reason !== 'failure'

/** What came of one process. */
interface Attempt {
  readonly reply: Reply
  /** Shows what the application printed. */
  readonly show: Output['show']
}

const answeringModule = import.meta.url.endsWith('.ts') ? './answering.ts' : './answering.js'
const program = fileURLToPath(new URL(answeringModule, import.meta.url))

/** Milliseconds after which a user wants to know what goes on. */
const SLOW = 5000
/** Milliseconds that the last words of a process have to arrive, where another process keeps its pipes open. */
const DRAIN = 200

/** Asks a project in a new process, and ends that. */
const askInProcess = async (
  question: Question,
  loading: Loading,
  { folder, note }: Pick<Terminal, 'folder' | 'note'>,
): Promise<Attempt> => {
  const child = fork(program, {
    cwd: folder,
    execArgv: [...process.execArgv, ...loading.execArgv],
    // `node --watch` wants to hear of each file that is loaded, by the way that the reply takes.
    env: { ...process.env, WATCH_REPORT_DEPENDENCIES: undefined, ...loading.env },
    silent: true,
    serialization: 'advanced',
  })
  const printed = keepOutput(child, note)
  const gone = exitOf(child)
  const slow = setTimeout(() => {
    note(stillAt(question))
    printed.show()
  }, SLOW)
  try {
    const told = replyOf(child, gone)
    // Where it is gone already, that is told.
    child.send(question, () => undefined)
    const reply = await told
    child.kill('SIGKILL')
    if (reply?.kind !== 'answer') await gone
    return { reply: reply ?? endedEarly(child, question), show: printed.show }
  } finally {
    clearTimeout(slow)
    child.kill('SIGKILL')
  }
}

const stillAt = ({ name, place: { module } }: Question): string =>
  `Still ${name === 'cleanFiles' ? 'looking through the files of' : 'loading'} ${basename(module)} …`

/** It has ended, and everything that it wrote is here. Processes that it started may hold its pipes for ever. */
const exitOf = async (child: ChildProcess): Promise<void> => {
  const closed = new Promise((resolve) => child.once('close', resolve))
  await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  await Promise.race([closed, elapsed(DRAIN)])
}

const replyOf = async (child: ChildProcess, gone: Promise<void>): Promise<Reply | undefined> => {
  const { promise: reply, resolve } = Promise.withResolvers<Reply>()
  child.on('message', (message) => {
    if (isReplyMessage(message)) resolve(message.modelrestReply)
  })
  return (await Promise.race([reply, gone])) ?? undefined
}

const endedEarly = ({ exitCode, signalCode }: ChildProcess, { place: { module } }: Question): Reply => {
  const how = signalCode === null ? `code ${exitCode}` : signalCode
  const message =
    exitCode === 0
      ? `${basename(module)} cannot be loaded: its process ended before it was done. What it waits for never comes, or it ends itself.`
      : `${basename(module)} cannot be loaded: its process ended by itself, with ${how}.`
  return { kind: 'failed', reason: 'failure', message, said: [] }
}

/** What a process prints: kept, as it matters only where something goes wrong. */
interface Output {
  /** Passes on what was printed, and everything that comes from then on. */
  show(): void
}

/** Keeps both outputs of a process, in the order in which they come. */
const keepOutput = ({ stdout, stderr }: ChildProcess, note: Terminal['note']): Output => {
  let kept = ''
  let isShown = false
  const flush = (): void => {
    if (kept !== '') note(kept.replace(/\n$/, ''))
    kept = ''
  }
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (more: string) => {
      kept += more
      if (isShown && kept.endsWith('\n')) flush()
    })
  const show = (): void => {
    isShown = true
    flush()
  }
  return { show }
}

/** What a project can be asked, each with what is given and what comes back. */
export interface Questions {
  readonly openapi: { readonly given: undefined; readonly answer: ReturnType<ModelRest['openapi']> }
  readonly check: { readonly given: undefined; readonly answer: undefined }
  readonly cleanFiles: {
    readonly given: Parameters<ModelRest['cleanFiles']>[0]
    readonly answer: Awaited<ReturnType<ModelRest['cleanFiles']>>
  }
}

export type QuestionName = keyof Questions

/** What is sent to the process that loads the project. */
export interface Question<Name extends QuestionName = QuestionName> {
  readonly place: ProjectPlace
  readonly name: Name
  readonly given: Questions[Name]['given']
}

/** What the start of the application said. */
export interface StartMessage {
  readonly kind: 'info' | 'warning'
  readonly line: string
}

/** What comes back, once. */
export type Reply =
  | { readonly kind: 'answer'; readonly answer: unknown; readonly said: readonly StartMessage[] }
  | {
      readonly kind: 'failed'
      /**
       * `usage`: a name of the command line is wrong. `syntax`: Node cannot read the module, but a loader may.
       * `package`: a package is not there, unless it is a path that a loader knows. `commonjs`: an ES module is read as
       * CommonJS, which a loader may do.
       */
      readonly reason: 'usage' | 'failure' | UnreadableReason
      readonly message: string
      /** What it said before it failed. */
      readonly said: readonly StartMessage[]
    }

/** What the process says that loads the project. Others in it may talk, too: loaders, and whatever looks after processes. */
export interface ReplyMessage {
  readonly modelrestReply: Reply
}

/** Whether something that a process said is its reply. */
const isReplyMessage = (message: unknown): message is ReplyMessage =>
  Object.hasOwn(Object(message), 'modelrestReply')

/**
 * `syntax`: words or files that only a compiler knows. `package`: a name that is no package here. `commonjs`: an ES module
 * where package.json says that there is none.
 */
export type UnreadableReason = 'syntax' | 'package' | 'commonjs'

/** A module that Node does not read by itself. */
export class UnreadableModule extends StartError {
  readonly reason: UnreadableReason

  constructor(reason: UnreadableReason, message: string, options: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
