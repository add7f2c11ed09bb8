import { carriedHost, type Host } from '../../host/host.ts'
import { insteadServe, replyToError, type Serve, type Served, serveWith } from '../../host/serve.ts'
import type { Call } from '../../operation/call.ts'
import type { Operation } from '../../operation/operation.ts'
import { type OperationRunner, runAsync } from '../../operation/steps.ts'
import { same } from '../suite/assertions.ts'
import type { Runner } from '../suite/runner.ts'
import type { Answer, HostClient, SentRequest } from './client.ts'
import { http1Client } from './http-client.ts'
import { http2Client } from './http2-client.ts'

/** How the suite wants an application to be started. */
export interface HostStart {
  /** The path where the application is mounted, such as `/api`, or an empty string. */
  readonly base: string
  /**
   * Mounts the operations of the suite, as `await new ModelRest(app, …).init()` mounts those of models.
   *
   * @param app the application that `defineHost` returned
   */
  readonly mount: (app: object) => Promise<void>
}

/** A server that runs. */
export interface StartedHost {
  /** The port on 127.0.0.1 where it listens. */
  readonly port: number
  /**
   * Stops the server. The suite awaits a promise. With HTTP/1.1, it must also close the connections; with HTTP/2, the suite
   * closes its own.
   */
  stop(): unknown
}

/** A host, and how it differs from other hosts. */
export interface HostUnderTest {
  /** The name of the host in the titles of the tests. */
  readonly name: string
  /** Creates an application, mounts the operations, and listens on a free port of 127.0.0.1. Called several times. */
  start(given: HostStart): Promise<StartedHost>
  /** What the server speaks, in either case without TLS. @default 'http1' */
  readonly protocol?: 'http1' | 'http2'
  /**
   * `false`: the server resolves `.` and `..` in paths before the host sees them, as the class `URL` does.
   * @default true
   */
  readonly keepsDotSegments?: boolean
  /**
   * `false`: the server compares the fixed parts of paths as clients send them (`literal` of `routeTable`).
   * @default true
   */
  readonly decodesPaths?: boolean
  /**
   * For hosts with a logger of their own: returns the lines logged since the last call, as one text with all details.
   * `false`: the lines cannot be read, so the suite does not check them.
   * @default the suite reads stderr, and expects the lines of `stderrLog`
   */
  readonly takeLog?: (() => string) | false
}

/** A running host, as the tests use it. */
export interface HostSubject {
  readonly runner: Runner
  readonly tested: HostUnderTest
  readonly base: string
  host(): Host
  port(): number
  client(): HostClient
  /** Sends a request to a path below the base. */
  ask(method: string, path: string, sent?: SentRequest): Promise<Answer>
  /** The lines since the last call. Absent: they cannot be read. */
  readonly takeLog: (() => string) | undefined
}

/** How a part of the suite starts the host. */
interface Start {
  readonly base: string
  readonly operations: readonly Operation[]
  /** Reads the log. @default the lines are not read */
  readonly takeLog?: (() => string) | undefined
  /** @default runAsync */
  readonly run?: OperationRunner
  /** Called when a body does not arrive that an operation waits for. */
  readonly dropped?: (call: Call) => void
}

interface Running extends StartedHost {
  readonly host: Host
}

/** Refuses each request for which the host tells another operation than the one that runs. */
const comparing = (serve: Serve, host: Host): Serve => ({
  ...serve,
  start: (operation, call) => {
    const route = host.operationOf?.(call.request)
    if (host.operationOf === undefined || route?.operation === operation.id)
      return serve.start(operation, call)
    const wrong = new Error(`operationOf() returned ${route?.operation} for ${operation.id}.`)
    return { reply: replyToError(wrong, call) }
  },
})

const watched = (serve: Serve, dropped: Start['dropped']): Serve => {
  if (dropped === undefined) return serve
  const watch = (served: Served, call: Call): Served => {
    if ('reply' in served) return served
    const watching = { dropped: () => dropped(call) }
    return served.wants === 'bytes' ? { ...served, ...watching } : { ...served, ...watching }
  }
  return {
    ...serve,
    start: (operation, call) => {
      const served = serve.start(operation, call)
      return served instanceof Promise ? served.then((late) => watch(late, call)) : watch(served, call)
    },
  }
}

/** @throws Error that says what to declare if the server does not understand the client */
const assertSpeaks = async (
  client: HostClient,
  { name, protocol = 'http1' }: HostUnderTest,
): Promise<void> => {
  try {
    await client.send('GET', '/')
  } catch (cause) {
    const [spoken, other] = protocol === 'http1' ? ['HTTP/1.1', 'http2'] : ['HTTP/2 without TLS', 'http1']
    throw new Error(
      `The host ${name} does not respond to ${spoken}. If it speaks the other version of HTTP, declare protocol: '${other}'.`,
      { cause },
    )
  }
}

/** Starts the host before the tests of the current group, and stops it after them. */
export const hostSubject = (
  runner: Runner,
  tested: HostUnderTest,
  { base, operations, takeLog, run = runAsync, dropped }: Start,
): HostSubject => {
  let running: Running | undefined
  runner.before(async () => {
    let host: Host | undefined
    const mount = async (app: object): Promise<void> => {
      host = carriedHost(app)
      if (host === undefined) throw new Error('mount needs the application that defineHost returned.')
      same(host.base, base, 'The base of the host must be the base that start receives.')
      await host.mount(operations, insteadServe(comparing(watched(serveWith(run), dropped), host)))
    }
    const started = await tested.start({ base, mount })
    if (host === undefined) throw new Error('start must call mount with the application.')
    running = { port: started.port, stop: () => started.stop(), host }
    await assertSpeaks(client(), tested)
  })
  runner.after(async () => {
    await running?.stop()
  })
  const started = (): Running => {
    if (running === undefined) throw new Error('The host has not been started.')
    return running
  }
  const client = (): HostClient =>
    tested.protocol === 'http2' ? http2Client(started().port) : http1Client(started().port)
  return {
    ...{ runner, tested, base, takeLog, client },
    host: () => started().host,
    port: () => started().port,
    ask: (method, path, sent) => client().send(method, base + path, sent),
  }
}
