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
  stop(): Promise<void>
}

/** The heap of the server, in MB. */
const HEAP = 256

export const startBodyServer = async (
  host: 'fastify' | 'fetch',
  settings: Settings = {},
): Promise<BodyServer> => {
  const file = fileURLToPath(new URL('body-server.ts', import.meta.url))
  const child = fork(file, [host, JSON.stringify(settings)], {
    execArgv: [`--max-old-space-size=${HEAP}`],
    stdio: 'ignore',
  })
  const port: number = await sentBy(child)
  const used = async (): Promise<{ readonly cpu: number; readonly memory: number }> => {
    child.send('used')
    return sentBy(child)
  }
  return {
    port,
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
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
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
