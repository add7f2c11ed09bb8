import { kinds, timeIn } from '../model/kinds/index.ts'
import { type Field, type Model, versionField } from '../model/model.ts'
import { after, ownValue } from '../model/objects.ts'
import { isCounter } from '../model/version.ts'
import { both, type Condition, fixedValues } from '../query/ast.ts'
import { layeredSource } from './layer.ts'
import {
  type Awaitable,
  assertTransactions,
  type ModelSource,
  type RecordStore,
  type Row,
  SourceError,
} from './source.ts'
import { wrappedStore } from './wrapped.ts'

/**
 * A source whose writes raise the versions of records. The ORM itself does so for fields that are `raised`.
 *
 * @param models the configured models
 * @throws StartError if the source cannot keep the versions of a model
 */
export const withVersions = <Types>(
  source: ModelSource<Types>,
  models: readonly Model[],
): ModelSource<Types> => {
  const fields = new Map<string, Field>()
  for (const model of models) {
    const field = versionField(model)
    const place = `modelConfig.${model.name}`
    if (field !== undefined && field.raised !== true) fields.set(model.name, field)
    if (field !== undefined && !isCounter(field))
      assertTransactions(source, `${place}.version: the timestamp ${field.name} needs`)
    if (field === undefined && model.requireIfMatch === true)
      assertTransactions(source, `${place}.requireIfMatch without an integer column as version needs`)
  }
  return fields.size === 0 ? source : versionedSource(source, fields)
}

type Fields = ReadonlyMap<string, Field>

const versionedSource = <Types>(source: ModelSource<Types>, fields: Fields): ModelSource<Types> => {
  const lock = source.capabilities.rowLocks === true ? 'lock' : undefined
  const versioned =
    (updateOf: (store: RecordStore, field: Field, model: Model) => Update) =>
    (store: RecordStore, model: Model): RecordStore => {
      const field = fields.get(model.name)
      return field === undefined ? store : versionedStore(store, field, updateOf(store, field, model))
    }
  return layeredSource(source, (below) => ({
    outside: versioned((store, field, model) => updateAlone(below, model, store, field)),
    inside: versioned((store, field) => raising(store, field, lock)),
  }))
}

type Update = RecordStore['update']

const versionedStore = (store: RecordStore, field: Field, update: Update): RecordStore => {
  const versioned = (values: Row): Row => ({ ...values, [field.name]: firstVersion(field) })
  return wrappedStore(store, {
    create: (create) => (values) => create(versioned(values)),
    createMany: (createMany) => (all) => createMany(all.map(versioned)),
    update: (unversioned) => (key, values, guard) => {
      const act = changesNothing(values, field) ? unversioned : update
      return act(key, values, guard)
    },
  })
}

/** A version among the values, whatever it is, asks for a new one. */
const changesNothing = (values: Row, { name }: Field): boolean =>
  !Object.hasOwn(values, name) && Object.values(values).every((value) => value === undefined)

/** Outside of transactions. Databases round times, so the time that was read cannot be the guard of a statement. */
const updateAlone = (source: ModelSource, model: Model, store: RecordStore, field: Field): Update =>
  isCounter(field)
    ? raising(store, field)
    : (key, values, guard) =>
        source.transaction((inside) => {
          const update = raising(inside.store(model), field, 'lock')
          return update(key, values, guard)
        })

/** How often a counter may be raised by others between its read and the write. */
const MOST_ATTEMPTS = 100

/**
 * An update that also raises the version.
 *
 * @param lock keeps others from raising it between its read and the write. @default the version that was read is the guard of the
 * write, which is tried again if others were faster
 */
const raising = (store: RecordStore, field: Field, lock?: 'lock'): Update => {
  const { name } = field
  const next = stepOf(field)
  const raised = (values: Row, before: unknown): Row => ({ ...values, [name]: next(before) })
  const attempt = (left: number, ...[key, values, guard]: Parameters<Update>): Awaitable<Row | undefined> =>
    after(store.read(key, guard, lock), (row) => {
      if (row === undefined) return undefined
      const before = ownValue(row, name)
      if (lock !== undefined) return store.update(key, raised(values, before), guard)
      const same: Condition = { op: 'eq', field: name, value: before }
      return after(store.update(key, raised(values, before), both(guard, same)), (stored) => {
        if (stored !== undefined) return stored
        if (left === 0) throw new SourceError('contended')
        return attempt(left - 1, key, values, guard)
      })
    })
  return (key, values, guard) => {
    const known = isCounter(field) ? (fixedValues(guard).get(name) ?? undefined) : undefined
    return known === undefined
      ? attempt(MOST_ATTEMPTS, key, values, guard)
      : store.update(key, raised(values, known), guard)
  }
}

const firstVersion = (field: Field): unknown =>
  isCounter(field) ? inForm(field, 1n) : timeIn(field, flooredTo(unitOf(field), Date.now()))

/** Each version is greater than the one before, even if the clock is not. */
const stepOf = (field: Field): ((before: unknown) => unknown) => {
  if (isCounter(field)) return (before) => inForm(field, BigInt(before as bigint) + 1n)
  const unit = unitOf(field)
  return (before) => {
    const text = String(kinds[field.kind].write(before, field))
    const past = Date.parse(text.endsWith('Z') ? text : `${text}Z`)
    return timeIn(field, flooredTo(unit, Math.max(Date.now(), past + unit)))
  }
}

const inForm = ({ form }: Field, count: bigint): unknown => {
  if (form === 'bigint') return count
  return form === 'string' ? String(count) : Number(count)
}

/** Milliseconds. */
const unitOf = ({ fractionDigits = 3 }: Field): number => 10 ** (3 - Math.min(3, fractionDigits))

const flooredTo = (unit: number, time: number): number => Math.floor(time / unit) * unit
