import { copyFileSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { startPostgres } from '../test/servers/postgres.ts'
import { type Measured, measure, onCore, pinTo, turned } from './measure.ts'
import { type FromServer, nextMessage } from './messages.ts'
import { type Database as DatabaseName, statements } from './sources/shop.ts'
import { assertSame, type Kind, requests } from './sources-requests.ts'

/** The ORMs that have a program of their own. */
export const orms: readonly string[] = globSync('*.ts', { cwd: join(import.meta.dirname, 'sources') })
  .map((file) => file.replace('.ts', ''))
  .filter((name) => name !== 'routes' && name !== 'shop')

/** How it is measured. */
export interface SourcesRun {
  readonly orms: readonly string[]
  readonly kinds: readonly Kind[]
  readonly rounds: number
  readonly seconds: number
}

export const CONNECTIONS = 32
const sides = ['ours', 'by-hand'] as const

/** Of one kind of request to one ORM: a value of each side in each round. */
export type Samples = Readonly<Record<(typeof sides)[number], readonly Measured[]>>

/** What was found of an ORM on a database. */
export interface OrmFound {
  readonly orm: string
  readonly database: DatabaseName
  readonly samples: ReadonlyMap<Kind, Samples>
}

/** Where a new copy of the filled tables is. */
type Copy = (name: string) => Promise<string>

const onSqlite = async (run: (copy: Copy) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-bench-'))
  try {
    const client = new Database(join(folder, 'filled.db'))
    for (const statement of statements.sqlite) client.exec(statement)
    client.close()
    await run(async (name) => {
      copyFileSync(join(folder, 'filled.db'), join(folder, `${name}.db`))
      return join(folder, `${name}.db`)
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const onPostgres = async (run: (copy: Copy) => Promise<void>): Promise<void> => {
  const server = await startPostgres()
  pinTo(1, server.pid)
  const at = (database: string): string => Object.assign(new URL(server.url), { pathname: database }).href
  const execute = async (url: string, all: readonly string[]): Promise<void> => {
    const client = new pg.Client(url)
    await client.connect()
    for (const statement of all) await client.query(statement)
    await client.end()
  }
  try {
    await execute(server.url, ['create database filled'])
    await execute(at('filled'), statements.postgres)
    await run(async (name) => {
      const database = name.replaceAll('-', '_')
      await execute(server.url, [`create database ${database} template filled`])
      return at(database)
    })
  } finally {
    await server.stop()
  }
}

const compare = async (
  orm: string,
  database: DatabaseName,
  copy: Copy,
  { kinds, rounds, seconds }: SourcesRun,
): Promise<OrmFound['samples']> => {
  const load = onCore(1, 'load.ts')
  const servers = []
  try {
    for (const side of sides) {
      const server = onCore(0, 'sources-serve.ts', orm, side, database, await copy(`${orm}-${side}`))
      const { origin = '' } = await nextMessage<FromServer>(server)
      servers.push({ side, server, origin })
      await assertSame(`${orm} on ${database}, ${side}`, origin)
    }
    const samples = new Map(
      kinds.map((kind) => [kind, { ours: [] as Measured[], 'by-hand': [] as Measured[] }]),
    )
    for (let round = 0; round < rounds; round += 1)
      for (const [kind, found] of samples)
        for (const { side, server, origin } of turned(servers, round)) {
          const order = { ...requests[kind], origin, connections: CONNECTIONS, seconds }
          const warmUp = { seconds: round === 0 ? seconds : 1 }
          found[side].push(await measure(server, load, order, warmUp))
        }
    return samples
  } finally {
    for (const child of [load, ...servers.map(({ server }) => server)]) child.disconnect()
  }
}

/** The source of each ORM beside the same routes written by hand with that ORM. @param onFound gets what was found, as it is */
export const compareSources = async (
  database: DatabaseName,
  run: SourcesRun,
  onFound: (found: OrmFound) => void = () => undefined,
): Promise<readonly OrmFound[]> => {
  const all: OrmFound[] = []
  await (database === 'sqlite' ? onSqlite : onPostgres)(async (copy) => {
    for (const orm of run.orms) {
      const found = { orm, database, samples: await compare(orm, database, copy, run) }
      all.push(found)
      onFound(found)
    }
  })
  return all
}
