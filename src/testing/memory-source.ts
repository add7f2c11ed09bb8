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
  /**
   * Model name -> field -> a function that computes the default of a new record, or the value of a generated field.
   * @default integer keys count up, and UUID keys are random
   */
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, (values: Row) => unknown>>>>
  /** Capabilities that the source does not have, to test what the service then refuses. @default it has all of them */
  readonly without?: readonly (keyof Capabilities)[]
}

/** Model name -> encoded key -> record. */
type Tables = ReadonlyMap<string, Map<string, Row>>

/** Where statements read and write: the saved tables, or the copy of a transaction. */
interface Place {
  tables: Tables
  hasEnded: boolean
}

/**
 * Creates a source that keeps records in memory, for tests without a database. Foreign keys, unique constraints and
 * transactions work as in a database. Transactions run one after the other, so within one, write only through its session.
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
  const saved: Place = { tables: new Map(models.map(({ name }) => [name, new Map()])), hasEnded: false }
  const lastKeys = new Map<string, number>()
  const inTurn = turns()

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
    if (!model.primaryKey.includes(field.name) || !field.hasDefault) return field.default ?? null
    if (field.kind === 'uuid') return crypto.randomUUID()
    const next = (lastKeys.get(model.name) ?? 0) + 1
    lastKeys.set(model.name, next)
    return next
  }

  /** The record that results from `values`. @throws SourceError for a value that its field cannot hold */
  const resulting = (model: Model, values: Row, before?: Row): Row => {
    assertFields(model, Object.keys(values))
    const row: Record<string, unknown> = {}
    for (const field of model.fields) {
      const given = field.generated ? DEFAULT : own(values, field.name)
      if (given === DEFAULT && !field.generated && capabilities.databaseDefaults !== true)
        throw new Error(`This source cannot set ${field.name} to its default.`)
      const value = given === undefined && before !== undefined ? before[field.name] : given
      const isDefault = value === undefined || value === DEFAULT
      row[field.name] = copyOf(isDefault ? defaultOf(model, field, { ...before, ...row }) : value)
      assertValue(field, row[field.name])
    }
    return row
  }

  /** Writes a record if all constraints hold afterwards. @throws SourceError */
  const put = (place: Place, model: Model, before: Row | undefined, after: Row | undefined): void => {
    const others = rowsOf(place, model).filter((row) => row !== before)
    const referred = (relation: Relation, row: Row): boolean => {
      const target = modelOf(relation.model)
      const rows = target === model ? (after ? [...others, after] : others) : rowsOf(place, target)
      return rows.some((other) => refers(model, relation, row, other))
    }
    const taken = [model.primaryKey, ...model.uniques].find(
      (fields) => after !== undefined && others.some((row) => isSame(model, fields, row, after)),
    )
    if (taken !== undefined) throw new SourceError('unique', { fields: taken })
    const missing = model.relations.filter(
      (relation) =>
        relation.kind === 'to-one' &&
        after !== undefined &&
        relation.fields.every((field) => after[field] !== null) &&
        !referred(relation, after),
    )
    if (missing.length > 0)
      throw new SourceError('missing-reference', { fields: missing.flatMap(({ fields }) => fields) })
    const holding = model.relations.filter(
      (relation) =>
        relation.kind === 'to-many' &&
        before !== undefined &&
        !(after !== undefined && isSame(model, relation.fields, before, after)) &&
        referred(relation, before),
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

  const change = (place: Place, model: Model, values: Row, before?: Row): Row => {
    const after = resulting(model, values, before)
    put(place, model, before, after)
    return chosen(model, after)
  }

  const remove = (place: Place, model: Model, key: readonly unknown[], guard: Condition): Row | undefined => {
    const before = find(place, model, key, guard)
    if (before !== undefined) put(place, model, before, undefined)
    return before
  }

  const storeIn = (place: Place, { name }: Pick<Model, 'name'>): RecordStore => {
    const model = modelOf(name)
    const read = async <T>(act: () => T): Promise<T> => {
      if (place.hasEnded) throw new Error('The transaction has ended.')
      return act()
    }
    // A single statement is a transaction of its own, and waits for the running one.
    const write = <T>(act: () => T): Promise<T> => (place === saved ? inTurn(() => read(act)) : read(act))
    return {
      list: ({ filter, order, limit, offset, fields }, guard) =>
        read(() => {
          const sorted = matching(place, model, filter, guard).toSorted(compareRows(order, model))
          return sorted.slice(offset, offset + limit).map((row) => chosen(model, row, fields))
        }),
      count: (filter, guard, atMost = Infinity) =>
        read(() => Math.min(matching(place, model, filter, guard).length, atMost)),
      // Transactions run one after the other, so every record is locked.
      read: (key, guard) =>
        read(() => {
          const row = find(place, model, key, guard)
          return row && chosen(model, row)
        }),
      create: (values) => write(() => change(place, model, values)),
      update: (key, values, guard) =>
        write(() => {
          const before = find(place, model, key, guard)
          return before && change(place, model, values, before)
        }),
      remove: (key, guard) => write(() => remove(place, model, key, guard) !== undefined),
      take: (key, guard) => write(() => remove(place, model, key, guard)),
    }
  }

  const transaction = async <T>(work: (inside: Session) => T | PromiseLike<T>): Promise<T> => {
    if (capabilities.transactions !== true) throw new Error('This source does not have transactions.')
    const tables = new Map([...saved.tables].map(([name, rows]) => [name, new Map(rows)]))
    const place: Place = { tables, hasEnded: false }
    try {
      const result = await work({ db: undefined, store: (model) => storeIn(place, model) })
      saved.tables = tables
      return result
    } finally {
      place.hasEnded = true
    }
  }

  for (const [name, rows] of Object.entries(records))
    for (const row of rows) change(saved, modelOf(name), row)
  return defineSource<ModelSource>({
    ...{ models, capabilities, db: undefined },
    store: (model) => storeIn(saved, model),
    transaction: (work) => inTurn(() => transaction(work)),
    ping: async () => undefined,
  })
}

const tableOf = ({ tables }: Place, { name }: Model): Map<string, Row> => tables.get(name) ?? new Map()
const rowsOf = (place: Place, model: Model): readonly Row[] => [...tableOf(place, model).values()]

/** Names such as `constructor` may be fields. */
const own = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const keyOf = (model: Model, row: Row): readonly unknown[] => model.primaryKey.map((name) => row[name])

const encode = (key: readonly unknown[]): string =>
  JSON.stringify(key.map((value) => (value instanceof Uint8Array ? [...value] : String(value))))

/** A `PreciseDate` has more digits than a copy of it would have. */
const copyOf = (value: unknown): unknown => (value instanceof Date ? value : structuredClone(value))

const assertFields = (model: Model, names: readonly string[]): void => {
  const unknown = names.find((name) => model.fields.every((field) => field.name !== name))
  if (unknown !== undefined) throw new Error(`${model.name} has no field ${unknown}.`)
}

/** A copy of a record with some fields, in the order of the model. */
const chosen = (model: Model, row: Row, fields = Object.keys(row) as readonly string[]): Row => {
  assertFields(model, fields)
  const names = Object.keys(row).filter((name) => fields.includes(name))
  return Object.fromEntries(names.map((name) => [name, copyOf(row[name])]))
}

/** Whether two records of a model have the same values in these fields. Null is never the same. */
const isSame = (model: Model, fields: readonly string[], one: Row, other: Row): boolean =>
  fields.every((name) => {
    const field = model.fields.find((known) => known.name === name)
    const [a, b] = [one[name], other[name]]
    return field !== undefined && a !== null && b !== null && compareValues(a, b, field) === 0
  })

/** Whether a record refers to the other one by a relation, from either side. */
const refers = (model: Model, { fields, references }: Relation, row: Row, other: Row): boolean => {
  const referred = fields.map((name, at) => [name, other[references[at] ?? '']])
  return isSame(model, fields, row, Object.fromEntries(referred))
}

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

/** Runs work one after the other. */
const turns = (): (<T>(run: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const next = last.then(run)
    last = next.catch(() => undefined)
    return next
  }
}
