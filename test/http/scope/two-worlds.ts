import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { z } from 'zod'
import { type ComputedFields, defineSettings, type ModelRestOptions } from '../../../src/index.ts'
import { storageKey } from '../../../src/upload/keys.ts'
import { memoryStorage } from '../../upload/memory-storage.ts'
import {
  type AnyHooks,
  type Asked,
  type HooksByModel,
  onFetch,
  pgWorld,
  refill,
  type Serve,
  type Served,
  sqliteWorld,
  type Told,
  tenantIn,
  type World,
} from './stage.ts'
import { guardsOf, strayActs } from './watched-source.ts'
import { readingsOf, worldTables } from './worlds.ts'

/** The tenant who asks. Others have records before and behind theirs, of all the same values. */
export const OWN = 1
const others = [0, 2] as const

/** More than `count=estimated` counts, by its default. */
const MANY = 10_050

/** Milliseconds that two databases may take to start and fill, on a machine that does other things too. */
export const OPENING = 180_000

/** More than two pages, by their default. */
export const OWN_READINGS = 230

const scopesOf = (tenantId: number) => ({
  Folder: { tenantId },
  Document: { tenantId },
  Remark: { document: { tenantId } },
  Reading: { tenantId },
})

/** Two databases: one is the tenant's alone, the other one they share. */
export interface Worlds {
  readonly alone: World
  readonly shared: World
  /** The name of a file that a document of each other tenant holds. */
  readonly foreignFile: string
  close(): Promise<void>
}

/** A driver, a host, and whether it is served synchronously. */
export interface Stage {
  open(): Promise<Worlds>
  readonly serve: Serve
  readonly isAsync: boolean
}

const key = storageKey({ model: 'Document', field: 'content', type: 'text/plain' })
const storage = memoryStorage()

const opening = (open: (given: typeof worldTables) => Promise<World>) => async (): Promise<Worlds> => {
  const [alone, shared] = [await open(worldTables), await open(worldTables)]
  await storage.put(key, Readable.from([Buffer.from('of somebody else')]))
  for (const world of [alone, shared]) await world.run([readingsOf(OWN, 1001, OWN_READINGS)])
  await shared.run([readingsOf(0, 1, 150), readingsOf(2, 2001, MANY), 'analyze'])
  return {
    ...{ alone, shared },
    foreignFile: key.slice(key.lastIndexOf('/') + 1),
    close: async () => {
      await alone.close()
      await shared.close()
    },
  }
}

type WorldStage = readonly [string, Stage]

export const worldStages: readonly [WorldStage, WorldStage] = [
  ['better-sqlite3, synchronously', { open: opening(sqliteWorld), serve: onFetch, isAsync: false }],
  ['PGlite', { open: opening(pgWorld), serve: onFetch, isAsync: true }],
]

/** Both with what the tenant has, and the shared one with what others have beside it. */
export const refillWorlds = async ({ alone, shared }: Worlds): Promise<void> => {
  await refill(alone, [OWN])
  await refill(shared, [OWN, ...others])
  await shared.run([
    `update documents set content = '${key}' where tenant_id <> ${OWN}`,
    `insert into documents (id, tenant_id, title, rank, folder_id) values (298, 2, 'foreign', 7, 101)`,
    `insert into remarks (document_id, number, note) values (298, 1, 'one')`,
  ])
}

/** All that others have. */
export const ofOthers = async ({ shared }: Worlds): Promise<readonly unknown[]> => [
  await shared.rows(`select * from folders where tenant_id <> ${OWN} order by id`),
  await shared.rows(`select * from documents where tenant_id <> ${OWN} order by id`),
  await shared.rows(
    `select * from remarks where document_id in (select id from documents where tenant_id <> ${OWN}) order by 1, 2`,
  ),
]

/** What one request was told in both worlds. */
export interface Pair {
  readonly alone: Told
  readonly shared: Told
}

/** A request to both worlds. Its path and body may follow from what the same world was told before. */
export interface Sent extends Omit<Asked, 'path' | 'body'> {
  readonly path: string | ((told: Told) => string)
  readonly body?: unknown
  readonly from?: Pair
  /** Of the first time. */
  readonly status: number
}

export interface Both {
  /** Asks three times, and gives what came the first time. */
  send(sent: Sent): Promise<Pair>
  /** Asks the shared world at the same time for the tenant and for others. What the tenant is told must not change. */
  sendAmongOthers(path: string): Promise<void>
  /** `read Document inside`: what the source was asked for on behalf of the tenant. */
  readonly kinds: ReadonlySet<string>
  readonly paging: ModelRestOptions['paginationType']
  readonly operations: Served['operations']
  stop(): Promise<void>
}

/** Hooks of a set, with a place to write down what they are shown. */
export type HookSet = (
  seen: (what: readonly unknown[]) => void,
) => AnyHooks & { readonly permissions?: object }

/** Names of files are random, and so is what is signed with them or hashed. Clocks go on between two requests. */
const comparable = ({ status, headers, body }: Told): Told => {
  const { 'last-modified': _, etag: _tag, ...rest } = headers
  return { status, ...withoutChance({ headers: rest, body }) }
}

const withoutChance = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/\/\w\w\/[a-z2-7]{26}\./g, '/…/….')
      .replaceAll(/[a-z2-7]{26}\./g, '….')
      .replaceAll(/expires=\d+&signature=[\w-]{22}/g, 'signature=…')
      .replaceAll(/max-age=\d+/g, 'max-age=…'),
  )

/**
 * Serves both worlds with the same hooks. Each request is asked three times of both: what they say must be the same, and
 * all that the source of the shared one is asked for must be under the tenant's guard.
 */
export const inBoth = async (
  worlds: Worlds,
  { serve, isAsync }: Stage,
  set: HookSet,
  options: Partial<Omit<ModelRestOptions, 'models'>> = {},
): Promise<Both> => {
  const kinds = new Set<string>()
  const guards = guardsOf(worlds.shared.models.models, scopesOf(OWN))
  const start = async (world: World) => {
    const seen: string[] = []
    const hooks: HooksByModel = Object.fromEntries(
      Object.keys(scopesOf(OWN)).map((name) => [
        name,
        {
          ...set((what) => seen.push(JSON.stringify([name, ...what]))),
          ...(options.scope === undefined && {
            scope: (request: unknown) => scopesOf(tenantIn(request))[name as 'Reading'],
          }),
        },
      ]),
    )
    const served = await serve(world, hooks, {
      ...{ modelConfig: {}, storage, autoMultipart: true, isAsync, ...options },
      settings: defineSettings({ NINJA_PAGINATION_MAX_LIMIT: 1000, ...options.settings }),
    })
    return { ...served, seen }
  }
  const [alone, shared] = [await start(worlds.alone), await start(worlds.shared)]
  worlds.shared.takeActs()

  const once = async ({ path, body, from, status: _status, ...sent }: Sent): Promise<Pair> => {
    const asked = (which: keyof Pair): Asked => ({
      ...sent,
      path: typeof path === 'string' ? path : path((from as Pair)[which]),
      ...(body !== undefined && { body: typeof body === 'function' ? body((from as Pair)[which]) : body }),
    })
    const pair = {
      alone: await alone.ask(OWN, asked('alone')),
      shared: await shared.ask(OWN, asked('shared')),
    }
    expect([asked('shared'), comparable(pair.shared)]).toEqual([asked('shared'), comparable(pair.alone)])
    const acts = worlds.shared.takeActs()
    for (const { act, model, transaction } of acts)
      kinds.add(`${act} ${model}${transaction === undefined ? '' : ' inside'}`)
    // Whoever has a signed address may read its file.
    const isSigned = asked('shared').path.includes('signature=')
    const stray = strayActs(isSigned ? acts.slice(1) : acts, guards)
    expect([asked('shared'), ...stray]).toEqual([asked('shared')])
    return pair
  }

  return {
    kinds,
    paging: options.paginationType,
    operations: shared.operations,
    sendAmongOthers: async (path) => {
      const asked = { method: 'GET', path }
      const expected = comparable(await alone.ask(OWN, asked))
      const tenants = [OWN, 2, 0, OWN, 2, OWN, 0, OWN]
      const told = await Promise.all(tenants.map((tenant) => shared.ask(tenant, asked)))
      for (const [at, tenant] of tenants.entries())
        if (tenant === OWN) expect([path, comparable(told[at] as Told)]).toEqual([path, expected])
      worlds.shared.takeActs()
    },
    send: async (sent) => {
      const first = await once(sent)
      expect([sent, first.shared.status, first.shared]).toEqual([sent, sent.status, first.shared])
      await once(sent)
      await once(sent)
      return first
    },
    stop: async () => {
      await alone.stop()
      await shared.stop()
      for (const isLate of [false, true])
        expect(shownTo(shared.seen, isLate)).toEqual(shownTo(alone.seen, isLate))
    },
  }
}

/** What hooks saw. Those behind the commit run while the next request goes on, or later. */
const shownTo = (seen: readonly string[], isLate: boolean): readonly string[] => {
  const own = withoutChance(seen.filter((line) => line.includes('"afterCommit"') === isLate))
  return isLate ? own.toSorted() : own
}

const shownBy =
  (name: string, seen: (what: readonly unknown[]) => void) =>
  (_request: unknown, ...given: readonly unknown[]) => {
    // The last is the context, the one before it may be a schema.
    seen([name, ...given.slice(0, -1).filter((one) => !hasParse(one))])
  }

const hasParse = (value: unknown): boolean => typeof Reflect.get(Object(value), 'parse') === 'function'

const noting =
  (...names: readonly string[]): HookSet =>
  (seen) =>
    Object.fromEntries(names.map((name) => [name, shownBy(name, seen)]))

const showing =
  (name: string, seen: (what: readonly unknown[]) => void) =>
  (_request: unknown, given: unknown): unknown => {
    seen([name, given])
    return Array.isArray(given) ? given.map((one) => ({ ...one, by: name })) : { ...Object(given), by: name }
  }

const before = ['beforeList', 'beforeCreate', 'beforeUpdate', 'beforeDelete']

const changingBefore: HookSet = (seen) => ({
  ...noting(...before)(seen),
  beforeUpdate: (_request, record, payload) => {
    seen(['beforeUpdate', record, payload])
    return { ...payload }
  },
})

const after: HookSet = (seen) => ({
  ...noting('afterDelete')(seen),
  afterList: showing('afterList', seen) as never,
  afterCreate: showing('afterCreate', seen) as never,
  afterUpdate: showing('afterUpdate', seen) as never,
})

/** What presents records, and what is computed for them. */
const presenting: HookSet = (seen) => ({
  afterRead: showing('afterRead', seen) as never,
  present: showing('present', seen) as never,
  computed: computed(seen),
})

const computed = (seen: (what: readonly unknown[]) => void): ComputedFields => ({
  beside: {
    schema: z.int(),
    load: (records) => {
      seen(['computed', records])
      return records.map(() => records.length)
    },
  },
})

const asBefore: HookSet = (seen) => {
  const noting = (name: string) => (_request: unknown, record: object, context: object) =>
    void seen([name, record, Reflect.get(context, 'before')])
  return {
    afterUpdate: noting('afterUpdate') as never,
    afterDelete: noting('afterDelete') as never,
    afterCommit: (_request, event, record, { before }) =>
      void seen(['afterCommit', event, record, before ?? null]),
  }
}

const permissions: HookSet = (seen) => {
  const asked = (name: string) => (_request: unknown, record: unknown) => {
    seen([name, record ?? null])
    return true
  }
  return {
    permissions: {
      read: asked('read'),
      create: asked('create'),
      update: asked('update'),
      delete: asked('delete'),
    },
  }
}

/** Every set of hooks that makes a request take another way. */
export const hookSets: Readonly<Record<string, HookSet>> = {
  'no hooks': () => ({}),
  'one scope for all models': () => ({}),
  'fields that depend on the caller': () => ({ access: () => ({}) }),
  'hooks before': changingBefore,
  'hooks after': after,
  'hooks behind the commit': noting('afterCommit'),
  'the record as it was': asBefore,
  'hooks that present': presenting,
  'computed fields': (seen) => ({ computed: computed(seen) }),
  'permissions that are asked': permissions,
  'all of them': (seen) => ({
    ...changingBefore(seen),
    ...after(seen),
    ...noting('afterCommit')(seen),
    ...presenting(seen),
    ...permissions(seen),
  }),
}

/** What a set needs of the application. */
export const optionsFor = (set: string): Partial<Omit<ModelRestOptions, 'models'>> => {
  if (set === 'one scope for all models')
    return { scope: (request, _context, { name }) => scopesOf(tenantIn(request))[name as 'Reading'] }
  return set === 'permissions that are asked' || set === 'all of them'
    ? { auth: { authenticate: () => ({ id: 'a', claims: {} }) } }
    : {}
}
