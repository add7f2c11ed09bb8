import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { setTimeout as elapsed } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Terminal } from '../command.ts'
import type { Loading } from './loader.ts'
import { type Printed, printedBy } from './printed.ts'
import { isTold, type Question, type Reply } from './question.ts'

/** What came of one process. */
export interface Attempt {
  readonly reply: Reply
  /** Shows what the application printed. */
  readonly show: Printed['show']
}

const beside = import.meta.url.endsWith('.ts') ? './answering.ts' : './answering.js'
const program = fileURLToPath(new URL(beside, import.meta.url))

/** Milliseconds after which a user wants to know what goes on. */
const patience = 5000
/** Milliseconds that the last words of a process have to arrive, where another process keeps its pipes open. */
const drain = 200

/** Asks a project in a new process, and ends that. */
export const attempt = async (
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
  const printed = printedBy(child, note)
  const gone = goneOf(child)
  const slow = setTimeout(() => {
    note(stillAt(question))
    printed.show()
  }, patience)
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
const goneOf = async (child: ChildProcess): Promise<void> => {
  const closed = new Promise((resolve) => child.once('close', resolve))
  await Promise.all([once(child, 'exit'), once(child, 'disconnect')])
  await Promise.race([closed, elapsed(drain)])
}

const replyOf = async (child: ChildProcess, gone: Promise<void>): Promise<Reply | undefined> => {
  const { promise: reply, resolve } = Promise.withResolvers<Reply>()
  child.on('message', (message) => {
    if (isTold(message)) resolve(message.modelrestReply)
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
