import type { ChildProcess } from 'node:child_process'

/** What a server process says. */
export interface FromServer {
  readonly origin?: string
  readonly cpuMicroseconds?: number
  /** Resident memory in bytes, after a garbage collection. */
  readonly rss?: number
  /** Of a user who may ask. */
  readonly token?: string
}

/** What it is asked. Anything else asks for the CPU time so far. */
export interface ToServer {
  readonly memory?: true
}

/** One kind of request to measure. */
export interface Load {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  readonly paths: readonly string[]
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** What the process that makes the load is told. */
export interface ToLoad extends Load {
  readonly origin: string
  readonly connections: number
  /** Each connection asks for one path alone, the next for the next. */
  readonly onePathEach?: boolean
  readonly seconds: number
  /** So many, however long they take. */
  readonly requests?: number
}

/** What it answers. */
export interface FromLoad {
  readonly requests: number
  readonly seconds: number
  readonly failures: number
  readonly cpuMicroseconds: number
}

/** The next message of a child process. It rejects where the child ends before. */
export const nextMessage = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(new Error(`A process of the benchmark ended with ${code}.`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as T)
    })
  })
