import { type ChildProcess, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asUser, type Run } from './as-user.ts'
import { postgresPrograms } from './postgres-programs.ts'
import { startProgram } from './program.ts'

/** A PostgreSQL server of our own. */
export interface PostgresServer {
  /** The URL of its database `postgres`, as a superuser: `postgres://postgres:…@127.0.0.1:<port>/postgres`. */
  readonly url: string
  /** The process id of its postmaster. */
  readonly pid: number
  /** Ends it at once, as a crash does, or in order, telling its clients. What it holds stays. @default crash */
  kill(how?: 'crash' | 'in order'): Promise<void>
  /** Starts it again after `kill()`, at the same URL. */
  start(): Promise<void>
  /** Ends this server alone, with its connections, and removes its folder. */
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** Waits for the disk at each commit, as a server with real data does. False by default: tests do not need it. */
  readonly fsync?: boolean
  /** More settings of the server (`{ shared_buffers: '512MB' }`). */
  readonly settings?: Readonly<Record<string, string>>
}

/**
 * Starts a PostgreSQL server with an empty database on a free port of 127.0.0.1 and in a new temporary folder. It never
 * meets another server of this machine: port, folder, socket and password are its own. It ends with `stop()`, with this
 * process, and where this process is killed.
 *
 * Its databases are UTF-8, with the collation and case folding of `C.UTF-8`, unless one says otherwise when it is created.
 * @throws where the programs are missing, or with what the server wrote where it does not start.
 */
export const startPostgres = async (options: PostgresOptions = {}): Promise<PostgresServer> => {
  const programs = postgresPrograms()
  if (programs === undefined) throw new Error('PostgreSQL is missing.')
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-pg-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  try {
    const password = randomBytes(18).toString('base64url')
    const run = asUser('postgres', folder, 'QUIT')
    initialise(join(programs, 'initdb'), folder, password, run)
    const program = {
      noun: 'PostgreSQL',
      folder,
      command: (port: number) =>
        run(join(programs, 'postgres'), '-D', join(folder, 'data'), ...flagsOf(folder, port, options)),
      ready: 'database system is ready to accept connections',
      portTaken: 'Address already in use',
    }
    const { server, port } = await startProgram(program)
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
    // With the data and at the port that it had.
    const again = async () => (await startProgram({ ...program, port })).server
    return served(server, { url, folder, remove, again })
  } catch (error) {
    remove()
    throw error
  }
}

const initialise = (initdb: string, folder: string, password: string, run: Run): void => {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  // Only its folder keeps others from it, and that belongs to the server's user.
  chmodSync(passwordFile, 0o644)
  const [program, args] = run(
    initdb,
    ...['--pgdata', join(folder, 'data'), '--username', 'postgres', '--pwfile', passwordFile],
    ...[
      '--auth',
      'scram-sha-256',
      '--encoding',
      'UTF8',
      '--locale',
      'C.UTF-8',
      '--no-sync',
      '--no-instructions',
    ],
  )
  execFileSync(program, args, { stdio: 'pipe', cwd: folder })
}

const flagsOf = (
  folder: string,
  port: number,
  { fsync = false, settings = {} }: PostgresOptions,
): readonly string[] => {
  const safe = fsync ? 'on' : 'off'
  const all = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    lc_messages: 'C',
    ...{ fsync: safe, synchronous_commit: safe, full_page_writes: safe },
    // The default of a second for each deadlock lets a test with several of them reach TRANSACTION_TIMEOUT.
    deadlock_timeout: '50ms',
    ...settings,
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** A process that ends can wait for nothing but this: the server takes its own file away last. */
export const waitUntilGone = (file: string): void => {
  const clock = new Int32Array(new SharedArrayBuffer(4))
  for (let left = 500; left > 0 && existsSync(file); left -= 1) Atomics.wait(clock, 0, 0, 10)
}

interface Place {
  readonly url: string
  readonly folder: string
  readonly remove: () => void
  readonly again: () => Promise<ChildProcess>
}

const served = (first: ChildProcess, { url, folder, remove, again }: Place): PostgresServer => {
  let server = first
  const atExit = () => {
    server.kill('SIGQUIT')
    waitUntilGone(join(folder, 'data', 'postmaster.pid'))
    remove()
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const closed = once(server, 'close')
    server.ref()
    server.kill(signal)
    await closed
  }
  process.once('exit', atExit)
  // A process that only waits for its end may end.
  server.unref()
  return {
    url,
    get pid() {
      if (server.pid === undefined) throw new Error('A server that runs has a process id.')
      return server.pid
    },
    kill: (how = 'crash') => end(how === 'crash' ? 'SIGQUIT' : 'SIGINT'),
    async start() {
      server = await again()
      server.unref()
    },
    async stop() {
      process.off('exit', atExit)
      await end('SIGINT')
      remove()
    },
  }
}
