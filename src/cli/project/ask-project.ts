import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Terminal } from '../command.ts'
import { Failure } from '../failure.ts'
import { UsageError } from '../usage-error.ts'
import { loaderOf } from './loader.ts'
import type { Question, QuestionName, Questions, Reply, Said } from './question.ts'

/** An answer, with what the start of the application said. */
export interface Answered<Name extends QuestionName> {
  readonly answer: Questions[Name]['answer']
  readonly said: readonly Said[]
}

const beside = import.meta.url.endsWith('.ts') ? './answering.ts' : './answering.js'
const program = fileURLToPath(new URL(beside, import.meta.url))

/**
 * Loads a project in a process of its own, asks it one thing, and ends that process: whatever it opened, logs or waits
 * for is gone then, and what it prints never mixes with the answer.
 *
 * @throws UsageError for a name that the module does not export; Failure where the module or the start fails
 */
export const askProject = async <Name extends QuestionName>(
  question: Question<Name>,
  terminal: Pick<Terminal, 'folder' | 'note'>,
): Promise<Answered<Name>> => {
  const reply = await ask(question, process.execArgv, terminal)
  const answered =
    reply.kind === 'failed' && reply.reason === 'syntax' ? await again(question, reply, terminal) : reply
  if (answered.kind === 'answer') return answered as Answered<Name>
  throw answered.reason === 'usage' ? new UsageError(answered.message) : new Failure(answered.message)
}

/** Decorators, enums and paths of a tsconfig are more than Node reads by itself. */
const again = async (
  question: Question,
  refused: Reply & { readonly kind: 'failed' },
  terminal: Pick<Terminal, 'folder' | 'note'>,
): Promise<Reply> => {
  const loader = loaderOf(terminal.folder)
  if (loader !== undefined) return ask(question, [...process.execArgv, '--import', loader], terminal)
  return {
    ...refused,
    message: `${refused.message}\nWith the package tsx in the project, modules that Node cannot read by itself are loaded too: npm i -D tsx`,
  }
}

const ask = async (
  question: Question,
  execArgv: readonly string[],
  { folder, note }: Pick<Terminal, 'folder' | 'note'>,
): Promise<Reply> => {
  const child = fork(program, {
    cwd: folder,
    execArgv: [...execArgv],
    silent: true,
    serialization: 'advanced',
  })
  const printed = printedBy(child)
  try {
    child.send(question)
    const reply = await replyOf(child)
    if (reply !== undefined) {
      if (reply.kind === 'failed' && reply.reason !== 'syntax') for (const line of printed()) note(line)
      return reply
    }
    for (const line of printed()) note(line)
    return { kind: 'failed', reason: 'failure', message: endedEarly(child, question) }
  } finally {
    child.kill('SIGKILL')
  }
}

/** What the application itself prints, for where something goes wrong. */
const printedBy = ({ stdout, stderr }: ChildProcess): (() => readonly string[]) => {
  let text = ''
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (more: string) => {
      text += more
    })
  return () => (text === '' ? [] : [text.trimEnd()])
}

const replyOf = async (child: ChildProcess): Promise<Reply | undefined> => {
  const ended = new AbortController()
  child.once('close', () => ended.abort())
  try {
    const [reply] = (await once(child, 'message', { signal: ended.signal })) as [Reply]
    return reply
  } catch (error) {
    if (ended.signal.aborted) return undefined
    throw error
  }
}

const endedEarly = ({ exitCode, signalCode }: ChildProcess, { place: { module } }: Question): string => {
  const how = signalCode === null ? `code ${exitCode}` : signalCode
  return exitCode === 0
    ? `${basename(module)} cannot be loaded: its process ended before it was done. What it waits for never comes, or it ends itself.`
    : `${basename(module)} cannot be loaded: its process ended by itself, with ${how}.`
}
