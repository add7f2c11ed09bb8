import { expect } from 'vitest'
import type { Scope } from '../../../../src/controller/controller.ts'
import type { Model } from '../../../../src/model/model.ts'
import type { PaginationType } from '../../../../src/model/pagination.ts'
import { type Condition, everything } from '../../../../src/query/ast.ts'
import { withGuards } from '../../../../src/query/related.ts'
import { type Asked, onFetch, type Served, stored, type Told, tenantIn, type World } from '../stage.ts'
import { guardsOf, strayActs } from '../watched-source.ts'
import { type Given, isOneOfMany, openRelations } from './given.ts'
import type { Requests } from './reads.ts'
import { givenOf, recordsOf } from './records.ts'
import type { ShapeStage, ShapeWorlds } from './stages.ts'

/** Records are of a tenant by themselves, or by the records that they belong to. */
const scopeOf = ({ name, fields, relations }: Model, tenantId: number): Scope => {
  if (fields.some((field) => field.name === 'tenantId')) return { tenantId }
  const owner = ['account', 'content', 'post', 'contents']
    .map((known) => relations.find((relation) => relation.name === known && relation.kind === 'to-one'))
    .find((relation) => relation !== undefined)
  if (owner === undefined) throw new Error(`Nothing says of whom a ${name} is.`)
  return { [owner.name]: { tenantId } }
}

const modelIn = (models: readonly Model[], name: string): Model =>
  models.find((model) => model.name === name) ?? expect.unreachable(name)

/** What the tenant may reach of each model. An application that deletes softly has no deleted records for the others. */
const guardsIn = (
  { isDeletingSoftly }: ShapeStage,
  models: readonly Model[],
): ReadonlyMap<string, Condition> => {
  const modelOf = (name: string): Model => modelIn(models, name)
  const guardOf = (name: string): Condition =>
    isDeletingSoftly && name === 'Account' ? { op: 'is-null', field: 'deletedAt' } : everything
  const scopes = Object.fromEntries(models.map((model) => [model.name, scopeOf(model, 1)]))
  return new Map(
    [...guardsOf(models, scopes)].map(([name, guard]) => [
      name,
      withGuards(guard, modelOf(name), { modelOf, guardOf }),
    ]),
  )
}

/** Clocks go on between two requests. */
const withoutTime = (told: unknown): unknown =>
  JSON.parse(
    JSON.stringify(told).replaceAll(
      /\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z| ?\+00:00)?|\b1\d{12}\b/g,
      '0',
    ),
  )

const comparable = ({ status, headers: { etag: _, ...headers }, body }: Told): unknown =>
  withoutTime({ status, headers, body })

/** All that is stored, a line for each record. */
const linesOf = async (world: World): Promise<readonly string[]> =>
  Object.entries(await stored(world)).flatMap(([table, rows]) =>
    rows.map((row) => `${table} ${JSON.stringify(withoutTime(row))}`),
  )

/** Nobody may store what is another tenant's, or nobody's. */
const isOutOfReach = (line: string): boolean =>
  /"tenant_id":(?!1\b)/.test(line) || (line.startsWith('remarks ') && line.includes('"content_id":null'))

const configOf = ({ isDeletingSoftly }: ShapeStage, models: readonly Model[]) =>
  Object.fromEntries(
    models.map((model) => {
      const write = openRelations(model)
        .filter(({ kind, name }) => kind === 'to-many' && !isOneOfMany(name))
        .map(({ name }) => name)
      const softDelete = isDeletingSoftly && model.name === 'Account' ? 'deletedAt' : undefined
      return [
        model.name,
        { bulk: true, ...(write.length > 0 && { write }), ...(softDelete !== undefined && { softDelete }) },
      ]
    }),
  )

/** How the worlds are served. */
export interface Serving {
  /** Whether controllers have the scopes, or one option all of them. @default neither */
  readonly scopes?: 'controllers' | 'option'
  readonly paging?: PaginationType
}

const serving =
  (stage: ShapeStage, { scopes, paging = 'limit-offset' }: Serving) =>
  (world: World): Promise<Served> => {
    const { models } = world.models
    const scope = (name: string) => (request: unknown) =>
      scopeOf(modelIn(models, name), tenantIn(request)) as never
    const hooks = models.map(({ name }) => [name, { scope: scope(name) }] as const)
    return onFetch(world, scopes === 'controllers' ? Object.fromEntries(hooks) : {}, {
      ...{ modelConfig: configOf(stage, models), paginationType: paging },
      ...(scopes === 'option' && { scope: (request, _context, { name }) => scope(name)(request) }),
    })
  }

/** What requests can name, by the model that they are about. */
export const everythingGiven = async (
  { alone, shared, refill }: ShapeWorlds,
  stage: ShapeStage,
): Promise<(model: string) => Given> => {
  await refill()
  const { models } = shared.models
  const serve = serving(stage, {})
  const open = { alone: await serve(alone), shared: await serve(shared) }
  const records = await recordsOf(models, open.alone, open.shared)
  for (const served of Object.values(open)) await served.stop()
  return (name) => givenOf(modelIn(models, name), models, records)
}

/** Both worlds, served to tenants. */
export interface BothShapes {
  /** Sends requests to both worlds, which must respond the same and keep the same. Some of each kind must succeed. */
  expectSame(requests: Requests): Promise<void>
  stop(): Promise<void>
}

export const inBothShapes = async (
  worlds: ShapeWorlds,
  stage: ShapeStage,
  options: Serving,
): Promise<BothShapes> => {
  const serve = serving(stage, options)
  const [alone, shared] = [await serve(worlds.alone), await serve(worlds.shared)]
  const guards = guardsIn(stage, worlds.shared.models.models)
  await worlds.refill()
  const own = await linesOf(worlds.alone)
  const ofOthers = (await linesOf(worlds.shared)).filter((line) => !own.includes(line))
  // A soft deletion is an update to the source, after which the record is not there to read.
  const isSoftDeletion = (act: string): boolean =>
    stage.isDeletingSoftly === true && act.startsWith('update Account: ') && !act.endsWith('guard')

  const ask = async (asked: Asked): Promise<Told> => {
    const expected = await alone.ask(1, asked)
    worlds.shared.takeActs()
    const told = await shared.ask(1, asked)
    const stray = strayActs(worlds.shared.takeActs(), guards).filter((act) => !isSoftDeletion(act))
    expect([asked, comparable(told)]).toEqual([asked, comparable(expected)])
    expect([asked, told.status < 500, told.body]).toEqual([asked, true, told.body])
    expect([asked, ...stray]).toEqual([asked])
    if (await worlds.isWritten()) {
      const kept = await linesOf(worlds.alone)
      expect([asked, ...kept.filter(isOutOfReach)]).toEqual([asked])
      expect([asked, (await linesOf(worlds.shared)).toSorted()]).toEqual([
        asked,
        [...kept, ...ofOthers].toSorted(),
      ])
      await worlds.refill()
    }
    return told
  }

  /** Asks for the pages that follow, too. */
  const walk = async (asked: Asked): Promise<number> => {
    const { status, body } = await ask(asked)
    const next: unknown = asked.method === 'GET' && status === 200 ? JSON.parse(body).next : undefined
    if (typeof next === 'string')
      await walk({ ...asked, path: `${asked.path.replace(/&cursor=.*/, '')}&cursor=${next}` })
    return status
  }

  return {
    expectSame: async (requests) => {
      await worlds.refill()
      for (const [what, all] of Object.entries(requests)) {
        const statuses: number[] = []
        for (const asked of all) statuses.push(await walk(asked))
        const isSome = all.length === 0 || statuses.some((status) => status < 300)
        expect([what, isSome, new Set(statuses)]).toEqual([what, true, new Set(statuses)])
      }
    },
    stop: async () => {
      await alone.stop()
      await shared.stop()
    },
  }
}
