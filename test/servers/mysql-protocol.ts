import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asUser } from './as-user.ts'
import { type ServerProgram, startProgram, stopOf } from './program.ts'

/** A server of our own that speaks MySQL's protocol. */
export interface MysqlProtocolServer {
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

export interface MysqlProtocolOptions {
  /** Writes to the disk at each commit, as a server with real data does. False by default: tests do not need it. */
  readonly isSafe?: boolean
  /** The zone of its system. UTC by default. */
  readonly zone?: string
  /** More settings of the server (`{ 'max-connections': '5' }`). */
  readonly settings?: Readonly<Record<string, string>>
}

/** What MariaDB and MySQL do in different ways. */
export interface MysqlProtocolKind<Programs> {
  readonly noun: string
  /** `undefined`: they are missing. */
  programs(): Programs | undefined
  server(programs: Programs): string
  /** The command that fills an empty folder of data. */
  initialise(programs: Programs, data: string): readonly [program: string, ...args: string[]]
  /** Run at the first start, after which only the user of the tests is there. */
  readonly statements: readonly string[]
  readonly settings: Readonly<Record<string, string>>
}

const USER = 'tester'

/**
 * Starts an empty server on a free port of 127.0.0.1 and in a new temporary folder. It never meets another server of this
 * machine: port, folder, socket and password are its own, and no file of settings is read. It ends with `stop()`, with this
 * process, and where this process is killed.
 * @throws where the programs are missing, or with what the server wrote where it does not start.
 */
export const startServer = async <Programs>(
  kind: MysqlProtocolKind<Programs>,
  options: MysqlProtocolOptions,
): Promise<MysqlProtocolServer> => {
  const programs = kind.programs()
  if (programs === undefined) throw new Error(`${kind.noun} is missing.`)
  const folder = mkdtempSync(join(tmpdir(), `modelrest-${kind.noun.toLowerCase()}-`))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  try {
    const password = randomBytes(18).toString('base64url')
    const run = asUser('mysql', folder, 'KILL')
    const [program, args] = run(...kind.initialise(programs, join(folder, 'data')))
    // Two servers that are made at once would remove each other's temporary tables.
    execFileSync(program, args, { stdio: 'pipe', cwd: folder, env: { ...process.env, TMPDIR: folder } })
    writeStatements(folder, [...kind.statements, ...creating(password)])
    const serving: ServerProgram = {
      noun: kind.noun,
      folder,
      command: (free) =>
        run(
          ...(['env', `TZ=${options.zone ?? 'UTC'}`, kind.server(programs)] as const),
          ...flagsOf(folder, free, { ...kind.settings, ...options.settings }, options.isSafe),
        ),
      ready: 'ready for connections',
      portTaken: 'Address already in use',
    }
    const running = async (port?: number) => {
      const { server, port: own } = await startProgram({ ...serving, ...(port !== undefined && { port }) })
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

const creating = (password: string): readonly string[] => [
  `create user if not exists ${USER}@'127.0.0.1' identified by '${password}';`,
  `grant all on *.* to ${USER}@'127.0.0.1' with grant option;`,
]

const statementsIn = (folder: string): string => join(folder, 'start.sql')

const writeStatements = (folder: string, statements: readonly string[]): void => {
  const file = statementsIn(folder)
  writeFileSync(file, `${statements.join('\n')}\n`)
  // Only its folder keeps others from it, and that belongs to the server's user.
  chmodSync(file, 0o644)
}

const flagsOf = (
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>>,
  isSafe = false,
): readonly string[] => {
  const all: Readonly<Record<string, string>> = {
    datadir: join(folder, 'data'),
    'bind-address': '127.0.0.1',
    port: String(port),
    socket: join(folder, 'server.sock'),
    'pid-file': join(folder, 'server.pid'),
    tmpdir: folder,
    'init-file': statementsIn(folder),
    'character-set-server': 'utf8mb4',
    'innodb-buffer-pool-size': '64M',
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
