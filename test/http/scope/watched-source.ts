import { isDeepStrictEqual } from 'node:util'
import type { Scope } from '../../../src/controller/controller.ts'
import { conditionOf } from '../../../src/controller/scope.ts'
import { isFileField } from '../../../src/model/kinds/index.ts'
import { fieldOf, type Model } from '../../../src/model/model.ts'
import type { Condition, Selection } from '../../../src/query/ast.ts'
import type { ModelSource, RecordStore, RelatedTo, Session } from '../../../src/source/source.ts'

/** Something that a source was asked to do. */
export interface SourceAct {
  readonly act: keyof RecordStore
  readonly model: string
  /** `create` and `estimate` take none. */
  readonly guard: Condition | undefined
  /** Absent: it ran by itself. */
  readonly transaction: Transaction | undefined
  /** A list of nothing but keys of files: any record may hold a file that another one lost. */
  readonly isOfFiles?: true
}

interface Transaction {
  isCommitted: boolean
}

/** A source that notes all that it is asked to do with records. */
export interface WatchedSource {
  readonly models: ModelSource
  /** What was asked since the last time that this was called. */
  takeActs(): readonly SourceAct[]
}

/** Where each act has its guard, among what it is given. */
const guardAt: Readonly<Record<keyof RecordStore, number | undefined>> = {
  list: 1,
  count: 1,
  estimate: undefined,
  read: 1,
  create: undefined,
  createMany: undefined,
  update: 2,
  remove: 1,
  take: 1,
  related: 0,
  countRelated: 0,
  aggregate: 1,
}

/** Related records are of another model, and their guard is among other things. */
const aboutOf = (
  model: Model,
  act: keyof RecordStore,
  given: readonly unknown[],
): Pick<SourceAct, 'model' | 'guard'> => {
  const at = guardAt[act]
  const found = at === undefined ? undefined : given[at]
  if (act !== 'related' && act !== 'countRelated')
    return { model: model.name, guard: found as Condition | undefined }
  const { relation, guard } = found as RelatedTo
  return { model: model.relations.find(({ name }) => name === relation)?.model ?? '', guard }
}

const hasFilesAlone = (model: Model, { fields }: Selection): boolean =>
  fields?.every((name) => isFileField(fieldOf(model, name))) === true

export const watchedSource = (source: ModelSource): WatchedSource => {
  let acts: SourceAct[] = []
  const watched = (session: Session, transaction?: Transaction): Session['store'] => {
    return (model) => {
      const store = session.store(model)
      const noting = (act: keyof RecordStore) => {
        return (...given: readonly unknown[]) => {
          const isOfFiles = act === 'list' && hasFilesAlone(model, given[0] as Selection)
          acts.push({ act, ...aboutOf(model, act, given), transaction, ...(isOfFiles && { isOfFiles }) })
          return (store[act] as unknown as (...rest: readonly unknown[]) => unknown)(...given)
        }
      }
      const names = Object.keys(guardAt) as (keyof RecordStore)[]
      return Object.fromEntries(names.map((act) => [act, noting(act)])) as unknown as RecordStore
    }
  }
  const { observed: _observed, ...rest } = source
  return {
    models: Object.freeze<ModelSource>({
      ...rest,
      store: watched(source),
      transaction: (work) => {
        const transaction: Transaction = { isCommitted: false }
        const result = source.transaction((inside) =>
          work({ db: inside.db, store: watched(inside, transaction) }),
        )
        const committed = <T>(value: T): T => {
          transaction.isCommitted = true
          return value
        }
        return result instanceof Promise
          ? result.then(committed)
          : committed(result as Awaited<typeof result>)
      },
    }),
    takeActs: () => {
      const taken = acts
      acts = []
      return taken
    },
  }
}

/** The guards that the acts of a caller must have, by model. A model without a scope has none. */
export const guardsOf = (
  models: readonly Model[],
  scopes: Readonly<Record<string, Scope>>,
): ReadonlyMap<string, Condition> => {
  const modelOf = (name: string): Model => models.find((model) => model.name === name) as Model
  return new Map(
    Object.entries(scopes).map(([name, scope]) => [name, conditionOf(scope, modelOf(name), modelOf)]),
  )
}

/**
 * Acts about scoped models that another guard has than the caller's, or none; and what was stored without being read back
 * under it before the commit.
 */
export const strayActs = (
  acts: readonly SourceAct[],
  guards: ReadonlyMap<string, Condition>,
): readonly string[] =>
  acts.flatMap(({ act, model, guard, transaction, isOfFiles }, at) => {
    const expected = guards.get(model)
    if (expected === undefined || isOfFiles === true) return []
    const isGuarded = (other: Pick<SourceAct, 'model' | 'guard'>): boolean =>
      other.model === model && partsOf(other.guard).some((part) => isDeepStrictEqual(part, expected))
    const isCreate = act === 'create' || act === 'createMany'
    if (!isCreate && !isGuarded({ model, guard })) return [`${act} ${model}: not the caller's guard`]
    if (!isCreate && act !== 'update') return []
    if (transaction === undefined) return [`${act} ${model}: outside of a transaction`]
    const isReadBack = acts
      .slice(at + 1)
      .some(
        (later) =>
          (later.act === 'read' || (act === 'createMany' && later.act === 'count')) &&
          later.transaction === transaction &&
          isGuarded(later),
      )
    return isReadBack || !transaction.isCommitted ? [] : [`${act} ${model}: stored and not read back`]
  })

/** Lists below a record and requests about many have conditions beside the caller's guard. */
const partsOf = (guard: Condition | undefined): readonly (Condition | undefined)[] =>
  guard?.op === 'and' ? [guard, ...guard.conditions.flatMap(partsOf)] : [guard]
