import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { basename, extname } from 'node:path'
import { setTimeout as elapsed } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CliError, type Terminal, UsageError } from '../terminal/index.ts'
import type {
  AnswerTo,
  Given,
  ProjectQuestion,
  ProjectReply,
  QuestionName,
  ReplyMessage,
  StartMessage,
} from './answering.ts'
import { type Loading, loaderOf, type PlaceOptions, projectPlace } from './place.ts'

/** Asks the project in the options of a command, and prints the warnings of its startup. */
export const projectAnswer = async <Name extends QuestionName>(
  name: Name,
  given: Given<Name>,
  options: PlaceOptions,
  terminal: Terminal,
): Promise<AnswerTo<Name>> => {
  const place = projectPlace(options, terminal.folder)
  const { said, error, answer } = await askProject({ place, name, given }, terminal)
  for (const { kind, line } of said) if (kind === 'warning') terminal.note(terminal.paint('yellow', line))
  if (error !== undefined) throw error
  return answer
}

type ProjectOutcome<Name extends QuestionName> = { readonly said: readonly StartMessage[] } & (
  | { readonly answer: AnswerTo<Name>; readonly error?: undefined }
  | { readonly answer?: undefined; readonly error: UsageError | CliError }
)

/**
 * Loads a project in a separate process, asks it one question, and ends the process with everything that it opened or waits
 * for. Its output does not mix with the result, and is shown only if it fails.
 */
export const askProject = async <Name extends QuestionName>(
  question: ProjectQuestion<Name>,
  terminal: Terminal,
): Promise<ProjectOutcome<Name>> => {
  const { reply, showOutput } = await askWithLoader(question, terminal)
  const { said } = reply
  if (reply.kind === 'answer') return { said, answer: reply.answer as AnswerTo<Name> }
  showOutput()
  return { said, error: new (reply.reason === 'usage' ? UsageError : CliError)(reply.message) }
}

/** Asks again with the project's loader if Node does not support its TypeScript, for example decorators or enums. */
const askWithLoader = async (question: ProjectQuestion, terminal: Terminal): Promise<ProjectAttempt> => {
  const first = await askInProcess(question, { execArgv: [], env: {} }, terminal)
  const { reply } = first
  if (reply.kind === 'answer' || reply.reason === 'usage' || reply.reason === 'failure') return first
  const loading = loaderOf(question.place.module, terminal.folder)
  if (loading !== undefined) return askInProcess(question, loading, terminal)
  if (reply.reason !== 'syntax') return first
  const message = `${reply.message}\nNode cannot load this TypeScript. Install tsx, which can: npm i -D tsx`
  return { ...first, reply: { ...reply, message } }
}

interface ProjectAttempt {
  readonly reply: ProjectReply
  /** Prints the output of the application so far, and further output as it arrives. */
  readonly showOutput: () => void
}

const answeringModule = `../project/answering${extname(import.meta.url)}`
const program = fileURLToPath(new URL(answeringModule, import.meta.url))

/** Milliseconds until the user is informed about what is running. */
const SLOW = 5000
/** Milliseconds to wait for the last output of a process whose pipes another process keeps open. */
const DRAIN = 200

const askInProcess = async (
  question: ProjectQuestion,
  loading: Loading,
  { folder, note }: Terminal,
): Promise<ProjectAttempt> => {
  const child = fork(program, {
    cwd: folder,
    execArgv: [...process.execArgv, ...loading.execArgv],
    // Under `node --watch`, the child would report each loaded file over the channel that carries the result.
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
    const replied = replyOf(child, gone)
    // If the child has already exited, `exitOf` resolves.
    child.send(question, () => undefined)
    const reply = await replied
    child.kill('SIGKILL')
    if (reply?.kind !== 'answer') await gone
    return { reply: reply ?? endedEarly(child, question), showOutput }
  } finally {
    clearTimeout(slow)
    child.kill('SIGKILL')
  }
}

const stillAt = ({ name, place: { module } }: ProjectQuestion): string =>
  `Still ${name === 'cleanFiles' ? 'checking the files of' : 'loading'} ${basename(module)} …`

/** Resolves when a process has exited and its output has arrived. Its children may keep the pipes open forever. */
const exitOf = async (child: ChildProcess): Promise<void> => {
  const closed = new Promise((resolve) => child.once('close', resolve))
  await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  await Promise.race([closed, elapsed(DRAIN)])
}

const replyOf = async (child: ChildProcess, gone: Promise<void>): Promise<ProjectReply | undefined> => {
  const { promise: reply, resolve } = Promise.withResolvers<ProjectReply>()
  child.on('message', (message) => {
    const { modelrestReply }: Partial<ReplyMessage> = Object(message)
    if (modelrestReply !== undefined) resolve(modelrestReply)
  })
  return (await Promise.race([reply, gone])) ?? undefined
}

const endedEarly = (
  { exitCode, signalCode }: ChildProcess,
  { place: { module } }: ProjectQuestion,
): ProjectReply => {
  const how = signalCode === null ? `code ${exitCode}` : signalCode
  const ending =
    exitCode === 0
      ? 'before it finished. The module awaits a promise that can never settle, or calls process.exit().'
      : `with ${how}.`
  const message = `Cannot load ${basename(module)}: its process exited ${ending}`
  return { kind: 'failed', reason: 'failure', message, said: [] }
}

/** Buffers stdout and stderr of a process in order, and returns a function that prints them. */
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
