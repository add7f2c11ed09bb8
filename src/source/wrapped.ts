import type { Model } from '../model/model.ts'
import { after, type ErrorHandling, onceFor } from '../model/objects.ts'
import { both, type Condition, everything, hasRelation, type Selection } from '../query/ast.ts'
import { relationOf } from '../query/order.ts'
import {
  type Translation,
  translateCondition,
  translateRelated,
  translateSelection,
} from '../query/translation.ts'
import type { Awaitable, RecordStore, RelatedTo, Row } from './source.ts'
import {
  aggregationInSource,
  errorShown,
  rowShown,
  rowsShown,
  type SourceNames,
  valuesInSource,
} from './source-names.ts'

type Methods = Required<RecordStore>
type StoreMethod<Name extends keyof RecordStore> = Methods[Name]

/** What a wrapper makes of the methods of a store. A method that the store does not have is not wrapped. */
export type StoreWraps = {
  readonly [Name in keyof RecordStore]?: (method: StoreMethod<Name>) => StoreMethod<Name>
}

/** `related`: a read of the records that the relation of the first argument leads to. */
type MethodKind = 'read' | 'related' | 'write'

/** What a wrapper makes of each method that may throw. */
export type WrapMethod = <Args extends unknown[], T>(
  method: (...args: Args) => Awaitable<T>,
  kind: MethodKind,
) => (...args: Args) => Awaitable<T>

/** What statements become on their way to a store, and records on their way back. */
export interface StoreTranslation extends Translation {
  /** Also holds for the records that a store shows. @default everything */
  readonly ownGuard?: (model: Model) => Condition
  readonly namesOf?: (model: string) => SourceNames | undefined
}

/** The translation of statements on one model. */
interface ModelTranslation {
  readonly condition: (condition: Condition) => Condition
  /** Of the guard of a statement. */
  readonly guard: (guard: Condition) => Condition
  readonly selection: (selection: Selection) => Selection
  readonly to: (to: RelatedTo) => RelatedTo
  /** That of the related records. */
  readonly end: (to: RelatedTo) => ModelTranslation
  /** Absent: records and errors stay as they are. */
  readonly names: SourceNames | undefined
  readonly row: ((row: Row | undefined) => Row | undefined) | undefined
}

/** The translation by the model, which may be a copy with another `ownGuard`. */
export const modelTranslations = (by: StoreTranslation): ((model: Model) => ModelTranslation) => {
  const translationOf = onceFor((given: Model): ModelTranslation => {
    const model = by.modelOf(given.name)
    const names = by.namesOf?.(given.name)
    const ownGuard = by.ownGuard?.(given) ?? everything
    const isKept = (of: Condition): boolean => names === undefined && !hasRelation(of)
    const condition = (of: Condition): Condition => (isKept(of) ? of : translateCondition(of, model, by))
    return {
      condition,
      guard: ownGuard === everything ? condition : (guard) => both(condition(guard), ownGuard),
      selection: (selection) =>
        isKept(selection.filter) && selection.order.every(({ via }) => via === undefined)
          ? selection
          : translateSelection(selection, model, by),
      to: (to) => {
        const related = { ...to, op: 'related', condition: to.guard } as const
        const { op: _op, condition: guard, ...translated } = translateRelated(related, model, by)
        return { ...translated, guard }
      },
      end: ({ relation }) => translationOf(by.modelOf(relationOf(model, relation).model)),
      ...{ names, row: names && ((row) => rowShown(row, names)) },
    }
  })
  return translationOf
}

interface MethodRow<Act> {
  /** Absent: it never throws. */
  readonly kind?: MethodKind
  readonly translated: Translated<Act>
}
type Translated<Act> = (run: Act, by: ModelTranslation) => Act

const read = <Act>(translated: Translated<Act>): MethodRow<Act> => ({ kind: 'read', translated })
const related = <Act>(translated: Translated<Act>): MethodRow<Act> => ({ kind: 'related', translated })
const write = <Act>(translated: Translated<Act>): MethodRow<Act> => ({ kind: 'write', translated })

/** Synchronous if the result is. */
const shown = <T>(result: Awaitable<T>, show: ((result: T) => T) | undefined): Awaitable<T> =>
  show === undefined ? result : after(result, show)

/** All methods of a store, and how each translates its arguments and its result. */
const methods: { readonly [Name in keyof Methods]: MethodRow<StoreMethod<Name>> } = {
  list: read((run, by) => (selection, guard, admits) => {
    const { names } = by
    const inStore = by.selection(selection)
    const rows = run(inStore, by.guard(guard), admits)
    return shown(rows, names && ((found) => rowsShown(found, names, selection.order, inStore.order)))
  }),
  count: read((run, by) => (filter, guard, atMost) => run(by.condition(filter), by.guard(guard), atMost)),
  estimate: { translated: (run, by) => (filter) => run(by.guard(filter)) },
  related: related((run, by) => (to, selection, admits) => {
    const end = by.end(to)
    const { names } = end
    const inStore = end.selection(selection)
    const show = names && ((rows: readonly Row[]) => rowsShown(rows, names, selection.order, inStore.order))
    return shown(run(by.to(to), inStore, admits), show && ((lists) => lists.map(show)))
  }),
  countRelated: related((run, by) => (to, filter) => run(by.to(to), by.end(to).condition(filter))),
  aggregate: read((run, by) => (aggregation, guard, admits) => {
    const filtered = { ...aggregation, filter: by.condition(aggregation.filter) }
    const [inStore, show] = by.names ? aggregationInSource(filtered, by.names) : [filtered]
    return shown(run(inStore, by.guard(guard), admits), show)
  }),
  read: read((run, by) => (key, guard, lock) => shown(run(key, by.guard(guard), lock), by.row)),
  create: write((run, { names }) =>
    names === undefined
      ? run
      : (values) => after(run(valuesInSource(values, names)), (row) => rowShown(row, names)),
  ),
  createMany: write((run, { names }) => {
    if (names === undefined) return run
    const inSource = (values: Row): Row => valuesInSource(values, names)
    return (all) => after(run(all.map(inSource)), (rows) => rowsShown(rows, names))
  }),
  update: write((run, by) => (key, values, guard) => {
    const inSource = by.names ? valuesInSource(values, by.names) : values
    return shown(run(key, inSource, by.guard(guard)), by.row)
  }),
  remove: write((run, by) => (key, guard) => run(key, by.guard(guard))),
  take: write((run, by) => (key, guard) => shown(run(key, by.guard(guard)), by.row)),
}
const methodNames = Object.keys(methods) as readonly (keyof RecordStore)[]

type ChangeMethod = <Name extends keyof RecordStore>(
  method: StoreMethod<Name>,
  name: Name,
) => StoreMethod<Name>

const changedStore = (store: RecordStore, change: ChangeMethod): RecordStore => {
  const changed = <Name extends keyof RecordStore>(name: Name): readonly [Name, unknown][] => {
    const method = store[name]?.bind(store) as StoreMethod<Name> | undefined
    return method === undefined ? [] : [[name, change(method, name)]]
  }
  return Object.freeze(
    Object.fromEntries(methodNames.flatMap((name) => changed(name))),
  ) as unknown as RecordStore
}

/** A store in front of another one. Methods stay bound to the other, which may be an instance of a class. */
export const wrappedStore = (store: RecordStore, wraps: StoreWraps): RecordStore =>
  changedStore(store, (method, name) => wraps[name]?.(method) ?? method)

/** A store whose methods are attempted in another way. */
export const attemptingStore = (store: RecordStore, attempt: WrapMethod): RecordStore =>
  changedStore(store, attempting(attempt))

const attempting =
  (attempt: WrapMethod): ChangeMethod =>
  (method, name) => {
    const { kind } = methods[name]
    return kind === undefined ? method : (attempt(method as never, kind) as typeof method)
  }

/** A store in front of one that has other names or more records. */
export const translatedStore = (
  store: RecordStore,
  by: ModelTranslation,
  errorHandling: ErrorHandling,
): RecordStore => {
  const translated: ChangeMethod = <Name extends keyof RecordStore>(method: StoreMethod<Name>, name: Name) =>
    methods[name].translated(method, by)
  const { names } = by
  if (names === undefined) return changedStore(store, translated)
  const caught = attempting((method, kind) =>
    errorHandling.recovering(method, (error: unknown, ...[to]): never => {
      const own = kind === 'related' ? by.end(to as RelatedTo).names : names
      throw errorShown(error, own ?? names, errorHandling)
    }),
  )
  return changedStore(store, (method, name) => caught(translated(method, name), name))
}
