import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SourceError } from '../source/source.ts'
import type { SqlConnection, SqlDatabase } from '../source/sql/port.ts'
import { transactionOn } from '../source/sql/transaction-on.ts'
import type { OpenDatabase, OpeningOptions } from './opened.ts'
import type { ChildOpening, ChildReply, ChildStatement } from './sqlite-child.ts'

const program = fileURLToPath(new URL(`./sqlite-child${extname(import.meta.url)}`, import.meta.url))

/** A process that has the file open. It runs a statement at a time, and cannot be interrupted but by its end. */
interface Child {
  readonly process: ChildProcess
  ask(message: ChildOpening | ChildStatement): Promise<readonly unknown[]>
  isGone(): boolean
}

/** @param timeout milliseconds after which a statement is ended, with the process */
const startChild = (timeout: number): Child => {
  const child = fork(program, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    // Another Ctrl-C than that of the service must not reach it first.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let isGone = false
  let last: Promise<unknown> = Promise.resolve()
  const gone = new Promise<void>((done) => {
    for (const event of ['exit', 'error'] as const)
      child.once(event, () => {
        isGone = true
        done()
      })
  })
  const asked = async (message: ChildOpening | ChildStatement): Promise<readonly unknown[]> => {
    if (isGone) throw ended()
    const replied = new Promise<ChildReply>((done) =>
      child.once('message', (reply) => done(reply as ChildReply)),
    )
    const timer = setTimeout(() => child.kill('SIGKILL'), 'file' in message ? STARTING + timeout : timeout)
    child.send(message, () => undefined)
    const reply = await Promise.race([replied, gone])
    clearTimeout(timer)
    if (reply === undefined) throw ended()
    if ('error' in reply) throw Object.assign(new Error(reply.error.message), reply.error)
    return reply.rows
  }
  return {
    process: child,
    isGone: () => isGone,
    ask: (message) => {
      const result = last.then(() => asked(message))
      last = result.catch(() => undefined)
      return result
    },
  }
}

/** Milliseconds until a process runs. */
const STARTING = 10_000

const ended = (): SourceError =>
  new SourceError('unavailable', {
    cause: new Error('The statement ran longer than --timeout allows, so its process was ended.'),
  })

const connectionOn = (handle: object, child: () => Promise<Child>): SqlConnection => ({
  handle,
  run: async (text, values) => (await child()).ask({ text, values }),
})

/** SQLite through `node:sqlite` in another process, which is ended if a statement takes too long, and started again. */
export const openSqlite: OpenDatabase = async (file, options) => {
  const { current, close } = childrenOf(file, options)
  await current()
  const on = { dialect: 'sqlite', singleConnection: true } as const
  const database: SqlDatabase = {
    ...{ ...on, ...connectionOn({ file }, current) },
    transaction: async (work) => {
      const child = await current()
      const same = async (): Promise<Child> => child
      return transactionOn(
        {
          ...on,
          execute: (text) => child.ask({ text }),
          discard: () => child.process.kill('SIGKILL'),
        },
        () => work(connectionOn({ file }, same)),
      )
    },
  }
  return { database, close }
}

const childrenOf = (file: string, { writes, timeout }: OpeningOptions) => {
  let running: Promise<Child> | undefined
  const start = async (): Promise<Child> => {
    const child = startChild(timeout)
    await child.ask({ file, writes, timeout })
    return child
  }
  const current = async (): Promise<Child> => {
    const child = await running?.catch(() => undefined)
    if (child === undefined || child.isGone()) running = start()
    return running as Promise<Child>
  }
  return {
    current,
    close: async (): Promise<void> => {
      const child = await running?.catch(() => undefined)
      child?.process.kill('SIGKILL')
    },
  }
}
