import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgram, stopOf } from './program.ts'

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
    const { server, port } = await startProgram({
      noun: 'Redis',
      folder,
      // `setpriv` becomes the program itself, and tells it when the process that started it is gone.
      command: (free) => [
        'setpriv',
        ['--pdeathsig', 'KILL', 'redis-server', ...flagsOf(folder, free, options.settings ?? {})],
      ],
      ready: 'Ready to accept connections',
      portTaken: 'Address already in use',
    })
    const { pid } = server
    if (pid === undefined) throw new Error('A server that runs has a process id.')
    return {
      url: `redis://127.0.0.1:${port}`,
      port,
      socket: join(folder, 'redis.sock'),
      pid,
      stop: stopOf(server, { signal: 'SIGKILL', signalAtExit: 'SIGKILL', atExit: remove, remove }),
    }
  } catch (error) {
    remove()
    throw error
  }
}

const flagsOf = (
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>>,
): readonly string[] => {
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
  return Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])
}
