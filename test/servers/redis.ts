import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../readme/server.ts'

/** A Redis server of our own. */
export interface RedisServer {
  /** `redis://127.0.0.1:<port>` */
  readonly url: string
  readonly port: number
  /** The path of its socket: `redis.sock` in its folder. */
  readonly socket: string
  readonly pid: number
  /** Ends this server alone, at once, without a word to its clients, and removes its folder where it made it. */
  stop(): Promise<void>
}

export interface RedisOptions {
  /** Where it works. By default a new temporary one. A second server in it has the same socket as the first had. */
  readonly folder?: string
  /** More settings of the server (`{ 'cluster-enabled': 'yes' }`). */
  readonly settings?: Readonly<Record<string, string>>
}

const ATTEMPTS = 5

/**
 * Starts an empty Redis server, which keeps nothing on disk, on a free port of 127.0.0.1. It never meets another server
 * of this machine. It ends with `stop()`, with this process, and where this process is killed.
 * @throws where the program is missing, or with what the server wrote where it does not start.
 */
export const startRedis = async (options: RedisOptions = {}): Promise<RedisServer> => {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'modelrest-redis-'))
  const remove = () => {
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
  }
  try {
    return served(await started(folder, options.settings ?? {}), folder, remove)
  } catch (error) {
    remove()
    throw error
  }
}

interface Started {
  readonly server: ChildProcess
  readonly port: number
}

/** Another program can take the free port before the server has it: then the next one. */
const started = async (folder: string, settings: Readonly<Record<string, string>>): Promise<Started> => {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    const all = {
      bind: '127.0.0.1',
      port: String(port),
      unixsocket: join(folder, 'redis.sock'),
      dir: folder,
      save: '',
      appendonly: 'no',
      daemonize: 'no',
      ...settings,
    }
    const flags = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])
    // `setpriv` becomes the program itself, and tells it when the process that started it is gone.
    const server = spawn('setpriv', ['--pdeathsig', 'KILL', 'redis-server', ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
    })
    const refusal = await untilReady(server)
    if (refusal === undefined) return { server, port }
    if (attempt === ATTEMPTS || !refusal.includes('Address already in use'))
      throw new Error(`Redis did not start:\n${refusal}`)
  }
}

/** What the server wrote where it ended before it was ready. */
const untilReady = (server: ChildProcess): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    let output = ''
    const collect = (text: string): void => {
      if (output.length < 1e5) output += text
      if (output.includes('Ready to accept connections')) resolve(undefined)
    }
    server.once('error', reject)
    server.once('close', () => resolve(output))
    server.stdout?.setEncoding('utf8').on('data', collect)
    server.stderr?.setEncoding('utf8').on('data', collect)
  })

const served = ({ server, port }: Started, folder: string, remove: () => void): RedisServer => {
  const { pid } = server
  if (pid === undefined) throw new Error('A server that runs has a process id.')
  const closed = new Promise((resolve) => server.once('close', resolve))
  const atExit = () => {
    server.kill('SIGKILL')
    remove()
  }
  process.once('exit', atExit)
  // A process that only waits for its end may end.
  server.unref()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    socket: join(folder, 'redis.sock'),
    pid,
    async stop() {
      process.off('exit', atExit)
      if (server.exitCode === null && server.signalCode === null) {
        server.ref()
        server.kill('SIGKILL')
        await closed
      }
      remove()
    },
  }
}
