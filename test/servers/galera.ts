import { execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asUser, type Run } from './as-user.ts'
import { galeraProvider, mariaDbPrograms } from './mysql-programs.ts'
import { startProgram, stopOf } from './program.ts'

/** A node of a Galera cluster. */
export interface GaleraNode {
  /** `mysql://tester:…@127.0.0.1:<port>/`, as a user who may do everything. */
  readonly url: string
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>
}

/** Nodes of MariaDB, each of which holds everything and takes writes. */
export interface GaleraCluster {
  readonly nodes: readonly GaleraNode[]
  /** Ends all nodes and removes their folders. */
  stop(): Promise<void>
}

/** Ports of one node besides that for clients, which is chosen when it starts. */
interface Ports {
  readonly group: number
  readonly increments: number
  readonly snapshots: number
}

/** Below those that connections get from the system: nodes connect to each other before all of them listen. */
const lowPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(15_000, 30_000)
    const probe = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise((resolve) => probe.close(resolve))
    if (isFree) return port
  }
}

const portsOf = async (): Promise<Ports> => ({
  group: await lowPort(),
  increments: await lowPort(),
  snapshots: await lowPort(),
})

const USER = 'tester'

/**
 * Starts a Galera cluster on 127.0.0.1, node after node, each in a folder and on ports of its own. It ends with `stop()`,
 * with this process, and where this process is killed.
 * @throws where the programs are missing, or with what a node wrote where it does not start
 */
export const startGalera = async (size = 3): Promise<GaleraCluster> => {
  const ports = await Promise.all(Array.from({ length: size }, portsOf))
  const password = randomBytes(18).toString('base64url')
  const running: GaleraNode[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((node) => node.kill()))
  }
  try {
    for (const place of ports.keys()) running.push(await startNode(place, ports, password))
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes: running, stop }
}

const startNode = async (place: number, all: readonly Ports[], password: string): Promise<GaleraNode> => {
  const programs = mariaDbPrograms()
  if (programs === undefined) throw new Error('MariaDB is missing.')
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-galera-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  try {
    const run = asUser('mysql', folder, 'KILL')
    if (place === 0) initialise(programs.initialise, folder, password, run)
    else execFileSync(...run('mkdir', join(folder, 'data')), { cwd: folder })
    const { server, port } = await startProgram({
      noun: 'A node of Galera',
      folder,
      command: (free) =>
        run(
          programs.server,
          ...['--no-defaults', '--skip-name-resolve', `--port=${free}`],
          ...flagsOf({ ...ownSettings(folder, place), ...groupSettings(place, all) }),
        ),
      ready: 'Synchronized with group, ready for connections',
      portTaken: 'Address already in use',
    })
    const kill = stopOf(server, { signal: 'SIGKILL', signalAtExit: 'SIGKILL', atExit: remove, remove })
    return { url: `mysql://${USER}:${password}@127.0.0.1:${port}/`, kill }
  } catch (error) {
    remove()
    throw error
  }
}

const startStatements = 'start.sql'

/** The first node has something to begin with. The others get all that it has. */
const initialise = (installer: string, folder: string, password: string, run: Run): void => {
  const [program, args] = run(
    installer,
    ...['--no-defaults', `--datadir=${join(folder, 'data')}`],
    ...['--auth-root-authentication-method=normal', '--skip-test-db'],
  )
  execFileSync(program, args, { stdio: 'pipe', cwd: folder, env: { ...process.env, TMPDIR: folder } })
  const file = join(folder, startStatements)
  writeFileSync(
    file,
    `create user ${USER}@'127.0.0.1' identified by '${password}';
grant all on *.* to ${USER}@'127.0.0.1' with grant option;
`,
  )
  // Only its folder keeps others from it, and that belongs to the server's user.
  chmodSync(file, 0o644)
}

type Settings = Readonly<Record<string, string>>

const ownSettings = (folder: string, place: number): Settings => ({
  datadir: join(folder, 'data'),
  'bind-address': '127.0.0.1',
  socket: join(folder, 'mariadb.sock'),
  'pid-file': join(folder, 'mariadb.pid'),
  tmpdir: folder,
  ...(place === 0 && { 'init-file': join(folder, startStatements) }),
  'character-set-server': 'utf8mb4',
  'innodb-buffer-pool-size': '64M',
  'innodb-log-file-size': '16M',
  'innodb-flush-log-at-trx-commit': '0',
})

const groupSettings = (place: number, all: readonly Ports[]): Settings => {
  const members = all.map(({ group }) => `127.0.0.1:${group}`).join(',')
  const own = all[place]
  return {
    'binlog-format': 'ROW',
    'innodb-autoinc-lock-mode': '2',
    'wsrep-on': 'ON',
    'wsrep-provider': galeraProvider,
    'wsrep-cluster-name': 'modelrest',
    // The first begins a new group.
    'wsrep-cluster-address': `gcomm://${place === 0 ? '' : members}`,
    'wsrep-node-address': '127.0.0.1',
    'wsrep-node-name': `node-${place + 1}`,
    'wsrep-sst-method': 'rsync',
    'wsrep-sst-receive-address': `127.0.0.1:${own?.snapshots}`,
    // Who reads at one node what was acknowledged by another sees it.
    'wsrep-sync-wait': '15',
    'wsrep-provider-options': [
      `gmcast.listen_addr=tcp://127.0.0.1:${own?.group}`,
      `ist.recv_addr=127.0.0.1:${own?.increments}`,
      'gcache.size=16M',
      // A node that was killed is missed within seconds.
      ...['evs.keepalive_period=PT0.5S', 'evs.suspect_timeout=PT2S', 'evs.inactive_timeout=PT4S'],
    ].join(';'),
  }
}

const flagsOf = (settings: Settings): readonly string[] =>
  Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
