import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/servers/postgres.ts'
import type { DatabaseName } from './databases.ts'
import { get } from './dialects.ts'
import { type Measured, measure, onCore, pinTo, turned } from './measure.ts'
import { type FromServer, nextMessage } from './messages.ts'
import { fillPostgres, fillSqlite } from './relations-databases.ts'
import { dialects, type Kind, kinds, type OrderSide } from './relations-dialects.ts'
import { assertSame } from './relations-same.ts'
import { moduleOf, sides } from './sides.ts'

/** What a run on one database has found, a value a round. */
export interface Found {
  readonly database: DatabaseName
  readonly sides: readonly OrderSide[]
  readonly of: (side: OrderSide, kind: Kind) => readonly Measured[]
  /** Of ours sorted over a to-one, by cursor. */
  readonly first: readonly Measured[]
  readonly deep: readonly Measured[]
}

/** How it is measured. */
export interface RelationsRun {
  /** Ours is always among them. */
  readonly chosen: readonly OrderSide[]
  readonly rounds: number
  readonly seconds: number
}

/** The path of a page far into a list of 20 by 20, sorted over a relation. */
const deepPage = async (origin: string, first: string): Promise<string> => {
  const { next } = (await (await fetch(`${origin}${first.replace('limit=20', 'limit=1000')}`)).json()) as {
    readonly next: string
  }
  let cursor = next
  for (let page = 1; page < 60; page += 1) {
    const path = `${first.replace('limit=20', 'limit=1000')}&cursor=${cursor}`
    cursor = ((await (await fetch(origin + path)).json()) as { readonly next: string }).next
  }
  return `${first}&cursor=${cursor}`
}

const compare = async (
  database: DatabaseName,
  location: string,
  { chosen, rounds, seconds }: RelationsRun,
): Promise<Found> => {
  const load = onCore(1, 'load.ts')
  const start = async (side: OrderSide) => {
    const server = onCore(0, 'serve.ts', moduleOf(side, 'orders'), database, location)
    const { origin = '' } = await nextMessage<FromServer>(server)
    return { side, server, origin }
  }
  const ours = await start('modelrest')
  const servers = [ours]
  for (const side of chosen) {
    if (side === 'modelrest' || !sides[side].databases.includes(database)) continue
    const other = await start(side)
    await assertSame(ours.origin, side, other.origin)
    servers.push(other)
  }
  const first = '/cursor/orders/?sort=customer.name&limit=20'
  const deep = await deepPage(ours.origin, first)
  const found = new Map<string, Measured[]>()
  const note = (name: string, measured: Measured): void => {
    found.set(name, [...(found.get(name) ?? []), measured])
  }
  for (let round = 0; round < rounds; round += 1) {
    const warmUp = { requests: round === 0 ? 500 : 20 }
    for (const kind of kinds) {
      for (const { side, server, origin } of turned(servers, round)) {
        const asks = dialects[side].requests[kind]
        if (asks === undefined) continue
        const order = { ...asks, origin, connections: 8, seconds }
        note(`${side} ${kind}`, await measure(server, load, order, warmUp))
      }
    }
    for (const [name, path] of Object.entries({ first, deep })) {
      const order = { ...get(path), origin: ours.origin, connections: 1, seconds }
      note(name, await measure(ours.server, load, order, { requests: 3 }))
    }
  }
  for (const { server } of [{ server: load }, ...servers]) server.disconnect()
  const at = (name: string): readonly Measured[] => found.get(name) ?? []
  return {
    ...{ database, sides: servers.map(({ side }) => side) },
    of: (side, kind) => at(`${side} ${kind}`),
    ...{ first: at('first'), deep: at('deep') },
  }
}

const onSqlite = async (run: RelationsRun): Promise<Found> => {
  const folder = mkdtempSync(join(tmpdir(), 'modelrest-bench-'))
  try {
    const file = join(folder, 'orders.db')
    fillSqlite(file)
    return await compare('sqlite', file, run)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const onPostgres = async (run: RelationsRun): Promise<Found> => {
  const postgres = await startPostgres({ settings: { shared_buffers: '256MB' } })
  pinTo(1, postgres.pid)
  try {
    await fillPostgres(postgres.url)
    return await compare('postgres', postgres.url, run)
  } finally {
    await postgres.stop()
  }
}

/** Related records among 100,000 orders and a million items, beside the same by hand and beside peers. */
export const compareRelations: Readonly<Record<DatabaseName, (run: RelationsRun) => Promise<Found>>> = {
  sqlite: onSqlite,
  postgres: onPostgres,
}
