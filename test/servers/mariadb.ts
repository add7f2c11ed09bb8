import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { asUser, type Run } from './as-user.ts'
import { type ServerProgram, startProgram, stopOf } from './program.ts'

/** A MariaDB server of our own. */
export interface MariaDbServer {
  /** `mysql://tester:…@127.0.0.1:<port>/`, as a user who may do everything. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Ends it at once, as a crash does. What it holds stays. */
  kill(): Promise<void>
  /** Starts it again after `kill()`, at the same URL. */
  start(): Promise<void>
  /** Ends this server alone, at once, and removes its folder. */
  stop(): Promise<void>
}

export interface MariaDbOptions {
  /** Writes to the disk at each commit, as a server with real data does. False by default: tests do not need it. */
  readonly isSafe?: boolean
  /** The zone of its system. UTC by default. */
  readonly zone?: string
  /** More settings of the server (`{ 'max-connections': '5' }`). */
  readonly settings?: Readonly<Record<string, string>>
}

/** Debian keeps the server where only the system's own users look for programs. */
const foundIn = (program: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file))

interface Programs {
  readonly server: string
  readonly initialise: string
}

/** `undefined`: they are missing. */
export const mariaDbPrograms = (): Programs | undefined => {
  const [server, initialise] = [foundIn('mariadbd'), foundIn('mariadb-install-db')]
  return server === undefined || initialise === undefined ? undefined : { server, initialise }
}

const USER = 'tester'

/**
 * Starts an empty MariaDB server on a free port of 127.0.0.1 and in a new temporary folder. It never meets another server
 * of this machine: port, folder, socket and password are its own, and no file of settings is read. It ends with `stop()`,
 * with this process, and where this process is killed.
 * @throws where the programs are missing, or with what the server wrote where it does not start.
 */
export const startMariaDb = async (options: MariaDbOptions = {}): Promise<MariaDbServer> => {
  const programs = mariaDbPrograms()
  if (programs === undefined)
    throw new Error('MariaDB is missing. Install it: apt-get install --yes mariadb-server')
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-mariadb-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  try {
    const password = randomBytes(18).toString('base64url')
    const run = asUser('mysql', folder, 'KILL')
    initialise(programs, folder, password, run)
    const program: ServerProgram = {
      noun: 'MariaDB',
      folder,
      command: (free) =>
        run('env', `TZ=${options.zone ?? 'UTC'}`, programs.server, ...flagsOf(folder, free, options)),
      ready: 'ready for connections',
      portTaken: 'Address already in use',
    }
    const running = async (port?: number) => {
      const { server, port: own } = await startProgram({ ...program, ...(port !== undefined && { port }) })
      const keep = () => undefined
      const end = stopOf(server, { signal: 'SIGKILL', signalAtExit: 'SIGKILL', atExit: remove, remove: keep })
      return { pid: server.pid ?? 0, port: own, end }
    }
    let now = await running()
    const { port } = now
    return {
      url: `mysql://${USER}:${password}@127.0.0.1:${port}/`,
      port,
      get pid() {
        return now.pid
      },
      kill: () => now.end(),
      start: async () => {
        now = await running(port)
      },
      stop: async () => {
        await now.end()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

const startStatements = 'start.sql'

const initialise = (programs: Programs, folder: string, password: string, run: Run): void => {
  const [program, args] = run(
    programs.initialise,
    ...['--no-defaults', `--datadir=${join(folder, 'data')}`],
    ...['--auth-root-authentication-method=normal', '--skip-test-db'],
  )
  execFileSync(program, args, { stdio: 'pipe', cwd: folder })
  const file = join(folder, startStatements)
  writeFileSync(
    file,
    [
      `delete from mysql.global_priv where user <> 'mariadb.sys';`,
      `flush privileges;`,
      `create user ${USER}@'127.0.0.1' identified by '${password}';`,
      `grant all on *.* to ${USER}@'127.0.0.1' with grant option;`,
      '',
    ].join('\n'),
  )
  // Only its folder keeps others from it, and that belongs to the server's user.
  chmodSync(file, 0o644)
}

const flagsOf = (
  folder: string,
  port: number,
  { isSafe = false, settings = {} }: MariaDbOptions,
): readonly string[] => {
  const all: Readonly<Record<string, string>> = {
    datadir: join(folder, 'data'),
    'bind-address': '127.0.0.1',
    port: String(port),
    socket: join(folder, 'mariadb.sock'),
    'pid-file': join(folder, 'mariadb.pid'),
    tmpdir: folder,
    'init-file': join(folder, startStatements),
    'character-set-server': 'utf8mb4',
    'innodb-buffer-pool-size': '64M',
    'innodb-log-file-size': '16M',
    'innodb-flush-log-at-trx-commit': isSafe ? '1' : '0',
    ...settings,
  }
  // The first is read before all others.
  return [
    '--no-defaults',
    '--skip-name-resolve',
    ...Object.entries(all).map(([name, value]) => `--${name}=${value}`),
  ]
}
