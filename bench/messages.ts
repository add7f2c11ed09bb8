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
  /** Milliseconds until a response. */
  readonly p50: number
  readonly p99: number
}

/** What the process that makes an open load is told. */
export interface ToOpenLoad {
  readonly port: number
  readonly paths: readonly string[]
  readonly connections: number
  /** Requests a second. Absent: each connection sends the next request after a response. */
  readonly rate?: number
  /** Seconds before the measurement. */
  readonly warmUp: number
  readonly seconds: number
}

/** What it answers. Times are in milliseconds since a request was due. */
export interface FromOpenLoad {
  readonly perSecond: number
  readonly served: number
  readonly refused: number
  readonly others: number
  /** Requests without a response at the end, and those that found no free connection. They count in all times. */
  readonly unanswered: number
  /** Of the requests that were not refused. */
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** With the refused ones. */
  readonly p99OfAll: number
}

export const say = (message: FromServer): void => {
  process.send?.(message)
}

/** Lets a server process tell the CPU time so far to any message, and end with its parent. */
export const answerWithCpu = (): void => {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    say({ cpuMicroseconds: user + system })
  })
  process.once('disconnect', () => process.exit(0))
}

/** Lets a process do what its parent tells it, a message at a time, and end with its parent. */
export const obey = <Order>(run: (order: Order) => Promise<object>): void => {
  process.on('message', (message) => {
    run(message as Order).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.once('disconnect', () => process.exit(0))
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
