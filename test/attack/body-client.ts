import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Settings } from '../../src/index.ts'

/** A reply, with what it cost the server. */
export interface Costly {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Bytes. */
  readonly size: number
  /** The members of a problem. */
  readonly problem: {
    readonly code: string
    readonly detail: string
    readonly instance: string
    readonly errors?: readonly { readonly code: string; readonly pointer: string; readonly detail: string }[]
  }
  /** Milliseconds of CPU. */
  readonly cpu: number
}

/** A server in a process of its own, whose heap is small. */
export interface BodyServer {
  readonly port: number
  send(method: string, path: string, body?: string | ReadableStream<Uint8Array>): Promise<Costly>
  /** The most bytes that it has held so far. */
  memory(): Promise<number>
  /** How long its event loop was held at most since it was asked before, in milliseconds, if the program says so. */
  held(): Promise<number>
  /** Whether its process is no more. */
  hasEnded(): boolean
  stop(): Promise<void>
}

/** What a server has used: milliseconds of CPU, bytes, and milliseconds for which its event loop was held. */
interface Used {
  readonly cpu: number
  readonly memory: number
  readonly held?: number
}

/** The heap of the server, in MB. */
const HEAP = 256

export const startBodyServer = (host: 'fastify' | 'fetch', settings: Settings = {}): Promise<BodyServer> =>
  startServer('body-server.ts', [host, JSON.stringify(settings)])

/** @param program beside this file */
export const startServer = async (program: string, args: readonly string[]): Promise<BodyServer> => {
  const file = fileURLToPath(new URL(program, import.meta.url))
  const child = fork(file, args, { execArgv: [`--max-old-space-size=${HEAP}`], stdio: 'ignore' })
  const port: number = await sentBy(child)
  const used = async (asked: 'used' | 'held' = 'used'): Promise<Used> => {
    child.send(asked)
    return sentBy(child)
  }
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    ...{ port, hasEnded },
    send: async (method, path, body) => {
      const before = await used()
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        ...(body !== undefined && {
          ...{ body, duplex: 'half', headers: { 'content-type': 'application/json' } },
        }),
      })
      const text = await response.text()
      const { cpu } = await used()
      return {
        ...{ status: response.status, headers: response.headers, text, cpu: (cpu - before.cpu) / 1000 },
        size: Buffer.byteLength(text),
        get problem() {
          return JSON.parse(text)
        },
      }
    },
    memory: async () => (await used()).memory,
    held: async () => (await used('held')).held ?? 0,
    stop: async () => {
      if (hasEnded()) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** What a child sends next. It fails where the child ends instead. */
const sentBy = async <Sent>(child: ChildProcess): Promise<Sent> => {
  const ended = new AbortController()
  const onExit = () => ended.abort(new Error('The server has ended.'))
  child.once('exit', onExit)
  try {
    const [sent] = await once(child, 'message', { signal: ended.signal })
    return sent
  } finally {
    child.off('exit', onExit)
  }
}
