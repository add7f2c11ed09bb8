import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { basename, extname } from 'node:path'
import { setTimeout as elapsed } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ModelRest } from '../../app/model-rest.ts'
import { Failure, type Terminal, UsageError } from '../command.ts'
import { type Loading, loaderOf, type PlaceOptions, type ProjectPlace, placeOf } from './place.ts'

/**
 * Asks the project that the options of a command name. Warnings of its start are passed on.
 *
 * @throws UsageError for a file or a name that is not there; Failure if the project does not start
 */
export const answerOf = async <Name extends QuestionName>(
  name: Name,
  given: Questions[Name]['given'],
  options: PlaceOptions,
  terminal: Terminal,
): Promise<Questions[Name]['answer']> => {
  const place = placeOf(options, terminal.folder)
  const { said, error, answer } = await askProject({ place, name, given }, terminal)
  for (const { kind, line } of said) if (kind === 'warning') terminal.note(terminal.colours.yellow(line))
  if (error !== undefined) throw error
  return answer
}

/** What the start of the application said, and the answer or why there is none. */
type Outcome<Name extends QuestionName> = { readonly said: readonly StartMessage[] } & (
  | { readonly answer: Questions[Name]['answer']; readonly error?: undefined }
  | { readonly answer?: undefined; readonly error: UsageError | Failure }
)

/**
 * Loads a project in a process of its own, asks it one thing, and ends that process: whatever it opened, logs or waits
 * for is gone then, and what it prints never mixes with the answer. What it prints is shown if it fails.
 */
export const askProject = async <Name extends QuestionName>(
  question: Question<Name>,
  terminal: Pick<Terminal, 'folder' | 'note'>,
): Promise<Outcome<Name>> => {
  const { reply, showOutput } = await askWithLoader(question, terminal)
  const { said } = reply
  if (reply.kind === 'answer') return { said, answer: reply.answer as Questions[Name]['answer'] }
  showOutput()
  return { said, error: new (reply.reason === 'usage' ? UsageError : Failure)(reply.message) }
}

/** Asks again with the project's loader if Node cannot read its TypeScript, as with decorators, enums and paths. */
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
  /** Passes on what the application printed, and everything that comes from then on. */
  readonly showOutput: () => void
}

const answeringModule = `../project/answering${extname(import.meta.url)}`
const program = fileURLToPath(new URL(answeringModule, import.meta.url))

/** Milliseconds after which the user is told what takes long. */
const SLOW = 5000
/** Milliseconds to wait for the last output of a process whose pipes are held open by another. */
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
    // Under `node --watch` the child would report each loaded file over the channel of the reply.
    env: { ...process.env, WATCH_REPORT_DEPENDENCIES: undefined, ...loading.env },
    silent: true,
    serialization: 'advanced',
  })
  const showOutput = keepOutput(child, note)
  const gone = exitOf(child)
  const slow = setTimeout(() => {
    note(stillAt(question))
    showOutput()
  }, SLOW)
  try {
    const told = replyOf(child, gone)
    // If the child is gone already, `exitOf` tells it.
    child.send(question, () => undefined)
    const reply = await told
    child.kill('SIGKILL')
    if (reply?.kind !== 'answer') await gone
    return { reply: reply ?? endedEarly(child, question), showOutput }
  } finally {
    clearTimeout(slow)
    child.kill('SIGKILL')
  }
}

const stillAt = ({ name, place: { module } }: Question): string =>
  `Still ${name === 'cleanFiles' ? 'looking through the files of' : 'loading'} ${basename(module)} …`

/** Resolves when a process has ended and its output has arrived. Processes that it started may hold its pipes for ever. */
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

/**
 * Keeps both outputs of a process, in the order in which they come: they matter only if something goes wrong.
 *
 * @returns what shows them
 */
const keepOutput = ({ stdout, stderr }: ChildProcess, note: Terminal['note']): (() => void) => {
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
  return () => {
    isShown = true
    flush()
  }
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
export type Reply = { readonly said: readonly StartMessage[] } & (
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly message: string }
)

/** `usage`: a name of the command line is wrong. With an unreadable module a loader may help. */
export type FailureReason = 'usage' | 'failure' | UnreadableReason

/**
 * Why Node does not read a module by itself. `syntax`: words or files that only a compiler knows. `package`: a name that is
 * not a package here, unless it is a path that a loader knows. `commonjs`: an ES module that is read as CommonJS.
 */
export type UnreadableReason = 'syntax' | 'package' | 'commonjs'

/** What the process says that loads the project. Others in it may talk, too: loaders, and whatever looks after processes. */
export interface ReplyMessage {
  readonly modelrestReply: Reply
}

const isReplyMessage = (message: unknown): message is ReplyMessage =>
  Object.hasOwn(Object(message), 'modelrestReply')
