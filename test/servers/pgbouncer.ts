import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asUser } from './as-user.ts'
import { startProgram, stopOf } from './program.ts'

/** A PgBouncer of our own, in front of a PostgreSQL server. */
export interface PgBouncer {
  /** The URL of the database, through it. */
  readonly url: string
  /** Ends it alone and removes its folder. */
  stop(): Promise<void>
}

/** Where Debian keeps it. */
export const pgBouncerProgram = '/usr/sbin/pgbouncer'

/**
 * Starts PgBouncer in transaction mode in front of a database, on a free port of 127.0.0.1, with a pool of a few
 * connections: whoever needs one longer than a transaction lasts, or takes two for one, is found out. It ends with
 * `stop()`, with this process, and where this process is killed.
 * @param target the URL of a database
 */
export const startPgBouncer = async (target: string): Promise<PgBouncer> => {
  const { hostname, port, username, password, pathname } = new URL(target)
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-pgbouncer-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    // It takes a name and a password in clear, and says them to the server.
    writeFileSync(join(folder, 'users.txt'), `"${username}" "${decodeURIComponent(password)}"\n`)
    const configured = (free: number): string => {
      const file = join(folder, 'pgbouncer.ini')
      const settings = {
        listen_addr: '127.0.0.1',
        listen_port: free,
        unix_socket_dir: '',
        auth_type: 'scram-sha-256',
        auth_file: join(folder, 'users.txt'),
        pool_mode: 'transaction',
        default_pool_size: 5,
        max_client_conn: 200,
        // Whoever meets what others have left behind fails.
        server_round_robin: 1,
      }
      const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
      writeFileSync(
        file,
        `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\n${lines.join('\n')}\n`,
      )
      return file
    }
    const run = asUser('postgres', folder, 'KILL')
    execFileSync('chmod', ['-R', 'a+rX', folder])
    const started = await startProgram({
      noun: 'PgBouncer',
      folder,
      command: (free) => run(pgBouncerProgram, configured(free)),
      ready: 'process up',
      portTaken: 'Address already in use',
    })
    const stop = stopOf(started.server, {
      signal: 'SIGKILL',
      signalAtExit: 'SIGKILL',
      atExit: remove,
      remove,
    })
    return { url: `postgres://${username}:${password}@127.0.0.1:${started.port}${pathname}`, stop }
  } catch (error) {
    remove()
    throw error
  }
}
