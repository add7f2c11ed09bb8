import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asUser } from './as-user.ts'
import { waitUntilGone } from './postgres.ts'
import { postgresPrograms } from './postgres-programs.ts'
import { startProgram, stopOf } from './program.ts'

/** A PostgreSQL server of our own that follows another one, and only reads. */
export interface PostgresReplica {
  /** The URL of the same database, there. */
  readonly url: string
  /** Ends this server alone, with its connections, and removes its folder. */
  stop(): Promise<void>
}

/** Starts a streaming replica of a server, of all its databases. @param primary the URL of a database of it, as a superuser */
export const startReplica = async (primary: string): Promise<PostgresReplica> => {
  const programs = postgresPrograms()
  if (programs === undefined) throw new Error('PostgreSQL is missing.')
  const { port: from, username, password, pathname } = new URL(primary)
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-pg-replica-'))
  const data = join(folder, 'data')
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  try {
    const run = asUser('postgres', folder, 'QUIT')
    const [backup, about] = run(
      join(programs, 'pg_basebackup'),
      ...['--host', '127.0.0.1', '--port', from, '--username', username, '--pgdata', data],
      ...['--write-recovery-conf', '--wal-method', 'stream', '--checkpoint', 'fast', '--no-sync'],
    )
    execFileSync(backup, about, { stdio: 'pipe', cwd: folder, env: { ...process.env, PGPASSWORD: password } })
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: folder,
      lc_messages: 'C',
      fsync: 'off',
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const { server, port } = await startProgram({
      noun: 'The replica of PostgreSQL',
      folder,
      command: (free) => run(join(programs, 'postgres'), '-D', data, ...flags, '-c', `port=${free}`),
      ready: 'database system is ready to accept read-only connections',
      portTaken: 'Address already in use',
    })
    const stop = stopOf(server, {
      signal: 'SIGINT',
      signalAtExit: 'SIGQUIT',
      atExit: () => {
        waitUntilGone(join(data, 'postmaster.pid'))
        remove()
      },
      remove,
    })
    return { url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`, stop }
  } catch (error) {
    remove()
    throw error
  }
}
