import {
  type Capabilities,
  type Condition,
  compareRows,
  compareValues,
  DEFAULT,
  defineSource,
  describeModels,
  type Evaluation,
  type Field,
  holds,
  type Model,
  type ModelSource,
  type RecordStore,
  type Relation,
  type Row,
  type Session,
  SourceError,
  type TableFacts,
} from '../entry/source.ts'

/** The options of {@link memorySource}. */
export interface MemorySourceOptions {
  /** Model name -> the records that exist from the start. @default none */
  readonly records?: Readonly<Record<string, readonly Row[]>>
  /** Model name -> field -> a function that computes the default of a new record, or the value of a generated field. */
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, (values: Row) => unknown>>>>
  /** Capabilities that the source does not have, to test what the service then refuses. @default it has all of them */
  readonly without?: readonly (keyof Capabilities)[]
}

/** Model name -> encoded key -> record. */
type Tables = ReadonlyMap<string, Map<string, Row>>

/** Where statements read and write: the committed tables, or the copy of a transaction. */
interface Place {
  tables: Tables
  hasEnded: boolean
}

/**
 * Creates a source that keeps records in memory, for tests without a database. Integer keys with a default count up; foreign
 * keys, unique constraints and transactions work as in a database.
 *
 * @throws StartError for a mistake in the tables; SourceError for a record that breaks a constraint
 * @example
 * ```ts
 * import { memorySource } from 'modelrest/testing'
 *
 * export const models = memorySource([
 *   {
 *     name: 'Task',
 *     fields: [
 *       { name: 'id', kind: 'integer', hasDefault: true },
 *       { name: 'title', kind: 'text', maxLength: 100 },
 *     ],
 *     primaryKey: ['id'],
 *   },
 * ])
 * ```
 */
export const memorySource = (
  facts: readonly TableFacts[],
  { records = {}, defaults = {}, without = [] }: MemorySourceOptions = {},
): ModelSource => {
  const capabilities: Capabilities = {
    ...{ unicodeCaseFolding: true, transactions: true, rowLocks: true },
    ...{ exactText: true, literalContains: true, databaseDefaults: true },
    ...Object.fromEntries(without.map((name) => [name, false])),
  }
  const models = describeModels(facts, capabilities)
  const byName = new Map(models.map((model) => [model.name, model]))
  const committed: Place = { tables: new Map(models.map(({ name }) => [name, new Map()])), hasEnded: false }
  const counted = new Map<string, number>()

  const modelOf = (name: string): Model => {
    const model = byName.get(name)
    if (model === undefined) throw new Error(`Unknown model ${name}.`)
    return model
  }

  const evaluation = (place: Place, model: Model): Evaluation => ({
    model,
    unicodeCaseFolding: capabilities.unicodeCaseFolding === true,
    related: (row, name) => {
      const relation = model.relations.find((known) => known.name === name)
      const target = relation && modelOf(relation.model)
      const found = target && rowsOf(place, target).find((other) => refers(model, relation, row, other))
      return found && { row: found, by: evaluation(place, target) }
    },
  })

  const matching = (place: Place, model: Model, ...conditions: readonly Condition[]): readonly Row[] => {
    const by = evaluation(place, model)
    return rowsOf(place, model).filter((row) => conditions.every((condition) => holds(condition, row, by)))
  }

  const find = (place: Place, model: Model, key: readonly unknown[], guard: Condition): Row | undefined => {
    const row = tableOf(place, model).get(encode(key))
    return row !== undefined && holds(guard, row, evaluation(place, model)) ? row : undefined
  }

  const defaultOf = (model: Model, field: Field, values: Row): unknown => {
    const compute = own(own(defaults, model.name) ?? {}, field.name)
    if (compute !== undefined) return compute(values)
    if (field.default !== undefined || field.kind !== 'integer' || !field.hasDefault)
      return field.default ?? null
    const next = (counted.get(model.name) ?? 0) + 1
    counted.set(model.name, next)
    return next
  }

  /** The record that results from `values`. @throws SourceError for a value that its field cannot hold */
  const resulting = (model: Model, values: Row, before?: Row): Row => {
    for (const name of Object.keys(values))
      if (model.fields.every((field) => field.name !== name))
        throw new Error(`${model.name} has no field ${name}.`)
    const row: Record<string, unknown> = {}
    for (const field of model.fields) {
      const given = field.generated ? DEFAULT : own(values, field.name)
      if (given === DEFAULT && !field.generated && capabilities.databaseDefaults !== true)
        throw new Error(`This source cannot set ${field.name} to its default.`)
      const value = given ?? (given === undefined && before ? before[field.name] : given)
      row[field.name] =
        value === undefined || value === DEFAULT ? defaultOf(model, field, { ...before, ...row }) : value
      assertValue(field, row[field.name])
    }
    return structuredClone(row)
  }

  /** Writes a record if all constraints hold afterwards. @throws SourceError */
  const put = (place: Place, model: Model, before: Row | undefined, after: Row | undefined): void => {
    const others = rowsOf(place, model).filter((row) => row !== before)
    const rowsAfter = (other: Model): readonly Row[] =>
      other === model ? [...others, ...(after === undefined ? [] : [after])] : rowsOf(place, other)
    if (after !== undefined) {
      for (const fields of [model.primaryKey, ...model.uniques])
        if (others.some((row) => isSame(model, fields, row, after)))
          throw new SourceError('unique', { fields })
      const missing = model.relations.filter(
        (relation) =>
          relation.kind === 'to-one' &&
          relation.fields.every((field) => after[field] !== null) &&
          !rowsAfter(modelOf(relation.model)).some((row) => refers(model, relation, after, row)),
      )
      if (missing.length > 0)
        throw new SourceError('missing-reference', { fields: missing.flatMap(({ fields }) => fields) })
    }
    const holding = model.relations.filter(
      (relation) =>
        relation.kind === 'to-many' &&
        before !== undefined &&
        !(after !== undefined && isSame(model, relation.fields, before, after)) &&
        rowsAfter(modelOf(relation.model)).some((row) => refers(model, relation, before, row)),
    )
    if (holding.length > 0)
      throw new SourceError('still-referenced', {
        models: [...new Set(holding.map((relation) => relation.model))],
        fields: [...new Set(holding.flatMap(({ references }) => references))],
      })
    const table = tableOf(place, model)
    if (before !== undefined) table.delete(encode(keyOf(model, before)))
    if (after !== undefined) table.set(encode(keyOf(model, after)), after)
  }

  const create = (place: Place, model: Model, values: Row): Row => {
    const row = resulting(model, values)
    put(place, model, undefined, row)
    return structuredClone(row)
  }

  const inTurn = turns()

  const storeIn = (place: Place, name: string): RecordStore => {
    const model = modelOf(name)
    const read = async <T>(act: () => T): Promise<T> => {
      if (place.hasEnded) throw new Error('The transaction has ended.')
      return act()
    }
    // A single statement is a transaction of its own, and waits for the running one.
    const write = <T>(act: () => T): Promise<T> => (place === committed ? inTurn(() => read(act)) : read(act))
    const remove = (key: readonly unknown[], guard: Condition): Row | undefined => {
      const before = find(place, model, key, guard)
      if (before !== undefined) put(place, model, before, undefined)
      return before
    }
    return {
      list: ({ filter, order, limit, offset, fields }, guard) =>
        read(() => {
          const sorted = matching(place, model, filter, guard).toSorted(compareRows(order, model))
          return sorted.slice(offset, offset + limit).map((row) => only(fields, structuredClone(row)))
        }),
      count: (filter, guard, atMost = Infinity) =>
        read(() => Math.min(matching(place, model, filter, guard).length, atMost)),
      // Transactions run one after the other, so every record is locked.
      read: (key, guard) => read(() => structuredClone(find(place, model, key, guard))),
      create: (values) => write(() => create(place, model, values)),
      update: (key, values, guard) =>
        write(() => {
          const before = find(place, model, key, guard)
          if (before === undefined) return undefined
          const after = resulting(model, values, before)
          put(place, model, before, after)
          return structuredClone(after)
        }),
      remove: (key, guard) => write(() => remove(key, guard) !== undefined),
      take: (key, guard) => write(() => remove(key, guard)),
    }
  }

  const transaction = async <T>(work: (inside: Session) => T | PromiseLike<T>): Promise<T> => {
    if (capabilities.transactions !== true) throw new Error('This source does not have transactions.')
    const place: Place = { tables: copyOf(committed.tables), hasEnded: false }
    try {
      const result = await work({ db: undefined, store: ({ name }) => storeIn(place, name) })
      committed.tables = place.tables
      return result
    } finally {
      place.hasEnded = true
    }
  }

  for (const [name, rows] of Object.entries(records))
    for (const row of rows) create(committed, modelOf(name), row)
  return defineSource<ModelSource>({
    ...{ models, capabilities, db: undefined },
    store: ({ name }) => storeIn(committed, name),
    transaction: (work) => inTurn(() => transaction(work)),
    ping: async () => undefined,
  })
}

const tableOf = ({ tables }: Place, { name }: Model): Map<string, Row> => tables.get(name) ?? new Map()
const rowsOf = (place: Place, model: Model): readonly Row[] => [...tableOf(place, model).values()]
const copyOf = (tables: Tables): Tables => new Map([...tables].map(([name, rows]) => [name, new Map(rows)]))

/** Names such as `constructor` may be fields. */
const own = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const keyOf = (model: Model, row: Row): readonly unknown[] => model.primaryKey.map((name) => row[name])

const encode = (key: readonly unknown[]): string =>
  JSON.stringify(key.map((value) => (value instanceof Uint8Array ? [...value] : String(value))))

const only = (fields: readonly string[] | undefined, row: Row): Row =>
  fields === undefined
    ? row
    : Object.fromEntries(Object.entries(row).filter(([name]) => fields.includes(name)))

/** Whether two records of a model have the same values in these fields. Null is never the same. */
const isSame = (model: Model, fields: readonly string[], one: Row, other: Row): boolean =>
  fields.every((name) => {
    const field = model.fields.find((known) => known.name === name)
    const [a, b] = [one[name], other[name]]
    return field !== undefined && a !== null && b !== null && compareValues(a, b, field) === 0
  })

/** Whether a record refers to the other one by a relation, from either side. */
const refers = (model: Model, { fields, references }: Relation, row: Row, other: Row): boolean =>
  isSame(
    model,
    fields,
    row,
    Object.fromEntries(fields.map((name, at) => [name, other[references[at] ?? '']])),
  )

const assertValue = (
  { name, nullable, maxLength, minimum, maximum, precision, scale = 0 }: Field,
  value: unknown,
) => {
  if (value === null) {
    if (!nullable) throw new SourceError('not-null', { fields: [name] })
    return
  }
  const isLong = typeof value === 'string' && maxLength !== undefined && [...value].length > maxLength
  const digits = precision === undefined ? 0 : String(value).replace(/^-|\..*$/g, '').length
  if (isLong || (precision !== undefined && digits > precision - scale))
    throw new SourceError('value', { fields: [name] })
  const isBelow = minimum !== undefined && (value as number | bigint) < minimum
  const isAbove = maximum !== undefined && (value as number | bigint) > maximum
  if (isBelow || isAbove) throw new SourceError('check', { fields: [name] })
}

/** Runs work one after the other. */
const turns = (): (<T>(run: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const next = last.then(run)
    last = next.catch(() => undefined)
    return next
  }
}
