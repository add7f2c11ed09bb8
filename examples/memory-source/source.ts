import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Capabilities,
  type Condition,
  constantDefault,
  DEFAULT,
  defineSource,
  describeModels,
  type Evaluation,
  type Field,
  holds,
  type Model,
  type ModelSource,
  type RecordStore,
  type Row,
  SourceError,
  type TableFacts,
} from 'modelrest/source'
import { assertFields, chosen, copyOf, memoryReads } from './memory-reads.ts'
import { evaluationIn, type RelatedRecords, valuesOf, withValues } from './memory-relations.ts'

/** The options of {@link memorySource}. */
export interface MemorySourceOptions {
  /** Model name -> the records that exist from the start. @default none */
  readonly records?: Readonly<Record<string, readonly Row[]>>
  /** Model name -> field -> computes its default or generated value. @default keys count up, or are random UUIDs */
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, (values: Row) => unknown>>>>
  /** Capabilities that the source does not have, to test what the service then refuses. @default none */
  readonly without?: readonly (keyof Capabilities)[]
}

/** Where statements read and write: the saved records by the name of their model, or those of a transaction until it ends. */
type Place = { tables: ReadonlyMap<string, readonly Row[]> | undefined }

/** Conditions can look inside JSON, and find the elements of lists of text. */
const withInside = (table: TableFacts): TableFacts => ({
  ...table,
  fields: table.fields.map((field) => ({
    ...field,
    ...(field.kind === 'json' && { jsonPaths: true }),
    ...(field.element?.kind === 'text' && { comparesElements: true }),
  })),
})

/**
 * Creates a source that keeps records in memory, for tests without a database. Foreign keys, unique constraints and
 * transactions work as in a database. Transactions run one after the other, so in one, write only through its handle.
 *
 * @throws StartError for a mistake in the tables; SourceError for a record that breaks a constraint
 * @example
 * ```ts
 * import { memorySource } from 'modelrest/testing'
 *
 * export const models = memorySource([
 *   { name: 'Task', fields: [{ name: 'id', kind: 'integer', hasDefault: true }], primaryKey: ['id'] },
 * ])
 * ```
 */
export const memorySource = (
  facts: readonly TableFacts[],
  { records = {}, defaults = {}, without = [] }: MemorySourceOptions = {},
): ModelSource<{
  readonly db: (model: string) => RecordStore
  readonly condition: (record: Row) => boolean
}> => {
  const capabilities: Capabilities = {
    ...{ unicodeCaseFolding: true, transactions: true, rowLocks: true },
    ...{ exactText: true, literalContains: true, databaseDefaults: true, relations: true, aggregates: true },
    ...{ startsWith: true, equalsIgnoringCase: true, jsonPaths: true, arrayElements: true },
    ...{ exactKeys: true, relatedSort: true, dateParts: true, countDistinct: true, having: true },
    ...Object.fromEntries(without.map((name) => [name, false])),
  }
  const models = describeModels(facts.map(withInside), capabilities)
  const saved: Place = { tables: new Map() }
  const lastKeys = new Map<string, number>()
  const running = new AsyncLocalStorage<Place>()
  let last: Promise<unknown> = Promise.resolve()

  const inTurn = async <T>(run: () => Promise<T>): Promise<T> => {
    if (running.getStore()?.tables !== undefined)
      throw new Error('A transaction must write through its handle, context.db, or it waits for its own end.')
    const next = last.then(run)
    last = next.catch(() => undefined)
    return next
  }

  const modelOf = (name: string): Model => {
    const model = models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`Unknown model ${name}.`)
    return model
  }

  const recordsIn = (place: Place): RelatedRecords => ({
    modelOf,
    unicodeCaseFolding: capabilities.unicodeCaseFolding === true,
    rowsOf: ({ name }) => {
      if (place.tables === undefined) throw new Error('The transaction has ended.')
      return place.tables.get(name) ?? []
    },
  })

  const evaluation = (place: Place, model: Model): Evaluation => evaluationIn(recordsIn(place), model)

  const find = (place: Place, model: Model, key: readonly unknown[], guard: Condition): Row | undefined =>
    withValues(recordsIn(place), model, model.primaryKey, key).find((row) =>
      holds(guard, row, evaluation(place, model)),
    )

  const defaultOf = (place: Place, model: Model, field: Field, values: Row): unknown => {
    const compute = own(own(defaults, model.name) ?? {}, field.name)
    if (compute !== undefined) return compute(values)
    const isKey = model.primaryKey.includes(field.name) && field.hasDefault
    if (!isKey || field.default !== undefined) return constantDefault(field) ?? null
    if (field.kind === 'uuid') return crypto.randomUUID()
    const keys = recordsIn(place)
      .rowsOf(model)
      .map((row) => Number(row[field.name]))
    const next = keys.reduce((most, key) => Math.max(most, key), lastKeys.get(model.name) ?? 0) + 1
    lastKeys.set(model.name, next)
    return constantDefault({ ...field, default: field.kind === 'integer' ? next : String(next) })
  }

  /** The record that results from `values`. @throws SourceError for a value that its field cannot hold */
  const resulting = (place: Place, model: Model, values: Row, before?: Row): Row => {
    assertFields(model, Object.keys(values))
    const row: Record<string, unknown> = {}
    for (const field of model.fields) {
      const given = field.generated ? DEFAULT : own(values, field.name)
      if (given === DEFAULT && !field.generated && capabilities.databaseDefaults !== true)
        throw new Error(`This source cannot set ${field.name} to its default.`)
      const value = given === undefined && before !== undefined ? before[field.name] : given
      const isDefault = value === undefined || value === DEFAULT
      row[field.name] = copyOf(isDefault ? defaultOf(place, model, field, { ...before, ...row }) : value)
      assertValue(field, row[field.name])
    }
    return row
  }

  /** Writes a record if all constraints hold afterwards. @throws SourceError */
  const put = (place: Place, model: Model, before?: Row, after?: Row): void => {
    const others = recordsIn(place)
      .rowsOf(model)
      .filter((row) => row !== before)
    const rows = after === undefined ? others : [...others, after]
    const next: Place = { tables: new Map(place.tables).set(model.name, rows) }
    const counted = (row: Row, of: Model, fields: readonly string[], names = fields): number =>
      withValues(recordsIn(next), of, names, valuesOf(row, fields)).length
    const taken = [model.primaryKey, ...model.uniques].find((key) => after && counted(after, model, key) > 1)
    if (taken !== undefined) throw new SourceError('unique', { fields: taken })
    const referred = (row: Row, { fields, references, model: name }: Model['relations'][number]): boolean =>
      counted(row, modelOf(name), fields, references) > 0
    const missing = model.relations.filter((relation) => {
      if (relation.kind === 'to-many' || relation.unchecked || after === undefined) return false
      return !valuesOf(after, relation.fields).includes(null) && !referred(after, relation)
    })
    if (missing.length > 0)
      throw new SourceError('missing-reference', { fields: missing.flatMap(({ fields }) => fields) })
    const held = model.relations.filter((relation) => {
      if (relation.kind === 'to-one' || relation.unchecked || relation.through || !before) return false
      return counted(before, model, relation.fields) === 0 && referred(before, relation)
    })
    if (held.length > 0)
      throw new SourceError('still-referenced', {
        models: [...new Set(held.map((relation) => relation.model))],
        fields: [...new Set(held.flatMap(({ references }) => references))],
      })
    place.tables = next.tables
  }

  const change = (place: Place, model: Model, values: Row, before?: Row): Row => {
    const after = resulting(place, model, values, before)
    put(place, model, before, after)
    return chosen(model, after)
  }

  const storeIn = (place: Place, name: string): RecordStore => {
    const model = modelOf(name)
    // A single statement is a transaction of its own, and waits for the running one.
    const write = async <T>(act: () => T): Promise<T> => (place === saved ? inTurn(async () => act()) : act())
    const take = (key: readonly unknown[], guard: Condition): Row | undefined => {
      const before = find(place, model, key, guard)
      if (before !== undefined) put(place, model, before)
      return before
    }
    const copied = (row: Row | undefined) => row && chosen(model, row)
    return {
      ...memoryReads(() => recordsIn(place), model, capabilities),
      // Transactions run one after the other, so every record is locked.
      read: async (key, guard) => copied(find(place, model, key, guard)),
      create: (values) => write(() => change(place, model, values)),
      createMany: (all) => write(() => all.map((values) => change(place, model, values))),
      update: (key, values, guard) =>
        write(() => {
          const before = find(place, model, key, guard)
          return before && change(place, model, values, before)
        }),
      remove: (key, guard) => write(() => take(key, guard) !== undefined),
      take: (key, guard) => write(() => take(key, guard)),
    }
  }

  for (const [name, rows] of Object.entries(records))
    for (const row of rows) change(saved, modelOf(name), row)
  const sessionIn = (place: Place) => ({
    db: (name: string) => storeIn(place, name),
    store: ({ name }: Model) => storeIn(place, name),
  })
  return defineSource({
    models,
    capabilities,
    ...sessionIn(saved),
    ping: async () => undefined,
    conditionOf:
      ({ name }, condition) =>
      (record: Row) =>
        holds(condition, record, evaluation(saved, modelOf(name))),
    transaction: (work) =>
      inTurn(async () => {
        if (capabilities.transactions !== true) throw new Error('This source does not have transactions.')
        const place: Place = { tables: saved.tables }
        try {
          const result = await running.run(place, async () => work(sessionIn(place)))
          saved.tables = place.tables
          return result
        } finally {
          place.tables = undefined
        }
      }),
  })
}

/** Names such as `constructor` may be fields. */
const own = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const assertValue = (field: Field, value: unknown): void => {
  const { name, nullable, maxLength = Infinity, minimum, maximum, precision = Infinity, scale = 0 } = field
  if (value === null && !nullable) throw new SourceError('not-null', { fields: [name] })
  const isLong = typeof value === 'string' && [...value].length > maxLength
  const digits = Number.isFinite(precision) ? String(value).replace(/^-|\..*$/g, '').length : 0
  if (isLong || digits > precision - scale) throw new SourceError('value', { fields: [name] })
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (isNumber && ((minimum ?? value) > value || (maximum ?? value) < value))
    throw new SourceError('check', { fields: [name] })
}
