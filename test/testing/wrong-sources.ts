import {
  type Aggregation,
  type Condition,
  everything,
  type Model,
  type ModelSource,
  type RecordStore,
  type RelatedTo,
  type Row,
  type Selection,
  SourceError,
} from '../../src/entry/source.ts'
import { libraryTables, memorySource, type OpenedSource } from '../../src/testing/index.ts'
import { meanings } from '../../src/testing/source/meanings.ts'

const titleLength = ({ title }: Row) => (typeof title === 'string' ? [...title].length : null)

type Records = Readonly<Record<string, readonly Row[]>>

const writableTables = libraryTables.filter(({ readOnly }) => readOnly !== true)

export const rightSource = (records: Records = {}, tables = writableTables): ModelSource =>
  memorySource(tables, { records, defaults: { Book: { titleLength } } })

const tablesWithKeysAgain = writableTables.map((table) => ({
  ...table,
  fields: table.fields.map((field) =>
    field.name === 'id' ? { ...field, comesAgain: true as const } : field,
  ),
}))

/** It declares that the keys of deleted records come again. */
const withKeysAgain = (records?: Records): ModelSource => rightSource(records, tablesWithKeysAgain)

/** The records of some models, as they are in another process. @param stored what the source writes of a record */
const reopened = (
  stored: (row: Row) => Row | undefined,
  open: (records?: Records) => ModelSource = withKeysAgain,
): OpenedSource => {
  const source = open()
  const rowsOf = async (name: string): Promise<readonly Row[]> => {
    const [model] = source.models.filter((known) => known.name === name)
    if (model === undefined) throw new Error(`There is no ${name}.`)
    const page = { filter: everything, order: [], limit: 9999, offset: 0 }
    const rows = await source.store(model).list(page, everything)
    return rows.map(stored).filter((row) => row !== undefined)
  }
  return {
    source,
    close: () => undefined,
    reopen: async () => open({ Author: await rowsOf('Author'), Book: await rowsOf('Book') }),
  }
}

export const durableSource = (): OpenedSource => reopened((row) => row)

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A source some of whose methods are replaced, outside of transactions. */
const withStores = (
  change: (store: RecordStore, model: Model) => Partial<RecordStore>,
  source = rightSource(),
): ModelSource => ({
  ...source,
  store: (model) => {
    const store = source.store(model)
    const own = source.models.find(({ name }) => name === model.name) ?? model
    return { ...store, ...change(store, own) }
  },
})

type CreateMany = NonNullable<RecordStore['createMany']>

/** A source that creates several records in another way. */
const creating = (change: (createMany: CreateMany, store: RecordStore) => CreateMany): ModelSource => {
  const source = rightSource()
  return {
    ...source,
    transaction: (work) =>
      source.transaction((inside) =>
        work({
          db: inside.db,
          store: (model) => {
            const store = inside.store(model)
            return { ...store, ...(store.createMany && { createMany: change(store.createMany, store) }) }
          },
        }),
      ),
  }
}

/** A source that understands conditions in another way. */
const translating = (translate: (condition: Condition) => Condition): ModelSource =>
  withStores(({ list, count }) => ({
    list: (selection, guard) => list({ ...selection, filter: translate(selection.filter) }, translate(guard)),
    count: (filter, guard, atMost) => count(translate(filter), translate(guard), atMost),
  }))

const inside = (condition: Condition, translate: (inner: Condition) => Condition): Condition => {
  if ('conditions' in condition) return { ...condition, conditions: condition.conditions.map(translate) }
  return 'condition' in condition ? { ...condition, condition: translate(condition.condition) } : condition
}

/** As in SQL, where the negation of a comparison with null is not true. */
const threeValued = (condition: Condition): Condition => {
  if (condition.op !== 'not' || !('field' in condition.condition)) return inside(condition, threeValued)
  return { op: 'and', conditions: [{ op: 'is-not-null', field: condition.condition.field }, condition] }
}

const withoutEmptyIn = (condition: Condition): Condition =>
  condition.op === 'in' && condition.values.length === 0 ? everything : inside(condition, withoutEmptyIn)

const ignoringCase = (condition: Condition): Condition =>
  condition.op === 'eq' && condition.field === 'title'
    ? { ...condition, op: 'contains' }
    : inside(condition, ignoringCase)

/** As in a statement where what follows a quote is SQL. */
const injected = (condition: Condition): Condition =>
  'value' in condition && String(condition.value).includes('or 1=1')
    ? everything
    : inside(condition, injected)

const withWildcards = (condition: Condition): Condition => {
  if (condition.op !== 'contains') return inside(condition, withWildcards)
  const parts = String(condition.value).split(/[%_]/)
  return { op: 'and', conditions: parts.map((value) => ({ ...condition, value })) }
}

/** As a source that keeps all values as text. */
const asText = (condition: Condition): Condition => {
  if (!('field' in condition && 'value' in condition) || condition.op === 'contains')
    return inside(condition, asText)
  const { op, field, value } = condition
  if (op === 'tie' || field === 'title' || !(op === 'lt' || op === 'gt')) return inside(condition, asText)
  const values = (meanings[field] ?? []).filter((one) =>
    op === 'lt' ? String(one) < String(value) : String(one) > String(value),
  )
  return { op: 'in', field, values }
}

/** As a source that keeps times as milliseconds. */
const inMilliseconds = (condition: Condition): Condition => {
  if (condition.op !== 'eq' || condition.field !== 'soldAt') return inside(condition, inMilliseconds)
  const at = Number(condition.value)
  const between = (op: 'ge' | 'lt', value: number): Condition => ({
    ...condition,
    op,
    value: new Date(value),
  })
  return { op: 'and', conditions: [between('ge', at), between('lt', at + 1)] }
}

/** Transactions on one connection: every statement takes part, and a rollback undoes them all. */
const joined = (source = rightSource()): ModelSource => ({
  ...source,
  transaction: async (work) => {
    const [author] = source.models.filter(({ name }) => name === 'Author')
    if (author === undefined) throw new Error('There is no Author.')
    const store = source.store(author)
    const page = { filter: everything, order: [], limit: 99, offset: 0 }
    const before = await store.list(page, everything)
    try {
      return await work({ db: undefined, store: source.store })
    } catch (error) {
      for (const { id } of await store.list(page, everything)) await store.remove([id], everything)
      for (const row of before) await store.create(row)
      throw error
    }
  },
})

/** What a driver does that writes the clock of the process, without its offset. */
const localClock = (value: unknown): unknown => {
  if (!(value instanceof Date)) return value
  const parts = [value.getFullYear(), value.getMonth(), value.getDate()] as const
  const clock = [value.getHours(), value.getMinutes(), value.getSeconds(), value.getMilliseconds()] as const
  const read = new Date(...parts, ...clock)
  read.setFullYear(value.getFullYear())
  return value.toISOString().length > 24 ? value : read
}

const leaking = (source: ModelSource, leak: (error: SourceError, values: Row) => Error): ModelSource =>
  withStores(
    ({ create }) => ({
      create: async (values) => {
        try {
          return await create(values)
        } catch (error) {
          throw error instanceof SourceError ? leak(error, values) : error
        }
      },
    }),
    source,
  )

/** Each `related` in a condition, translated from the inside. */
const inRelated = (
  condition: Condition,
  translate: (related: Extract<Condition, { op: 'related' }>) => Condition,
): Condition => {
  const inner = inside(condition, (each) => inRelated(each, translate))
  return inner.op === 'related' ? translate(inner) : inner
}

/** As a join to the related table: every part of a condition may be about another record. */
const partByPart = (condition: Condition): Condition =>
  inRelated(condition, (related) => {
    const { condition: inner } = related
    if (inner.op !== 'and' || inner.conditions.length < 2) return related
    return { op: 'and', conditions: inner.conditions.map((each) => ({ ...related, condition: each })) }
  })

/** As the negation of a join: the records of which one related record does not meet the condition. */
const negatedInside = (condition: Condition): Condition => {
  if (condition.op !== 'not' || condition.condition.op !== 'related') return inside(condition, negatedInside)
  const { condition: related } = condition
  return { ...related, condition: { op: 'not', condition: related.condition } }
}

const withoutLink = (condition: Condition): Condition =>
  inRelated(condition, ({ link: _link, ...related }) => related)

/** A source whose lists of related records differ. */
const relating = (change: (lists: Lists, to: RelatedTo, selection: Selection) => Lists): ModelSource =>
  withStores(({ related }) => ({
    related: async (to, selection, admits) =>
      change((await related?.(to, selection, admits)) ?? [], to, selection),
  }))

type Lists = readonly (readonly Row[])[]

/** A source whose aggregations differ. */
const aggregating = (
  change: (rows: readonly Row[], aggregation: Aggregation) => readonly Row[],
): ModelSource =>
  withStores(({ aggregate }) => ({
    aggregate: async (aggregation, guard) =>
      change((await aggregate?.(aggregation, guard)) ?? [], aggregation),
  }))

const mapValues = (row: Row, change: (value: unknown, name: string) => unknown): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value, name)]))

/** What sources get wrong -> the source, and the titles of the tests that must fail. */
export const wrongSources: Readonly<
  Record<string, readonly [() => ModelSource | OpenedSource, ...string[]]>
> = {
  'conditions on relations whose parts are about different records': [
    () => translating(partByPart),
    'related over a to-many relation means at least one, and its negation none',
  ],
  'negations of relations that mean another record': [
    () => translating(negatedInside),
    'related over a to-many relation means at least one, and its negation none',
    'related through a join table asks its record too',
    'relations over several fields compare all of them',
  ],
  'join tables whose records are not asked': [
    () => translating(withoutLink),
    'related through a join table asks its record too',
  ],
  'a limit for all records together': [
    () =>
      relating((lists, _to, { limit }) => {
        let left = limit
        return lists.map((rows) => {
          const kept = rows.slice(0, left)
          left -= kept.length
          return kept
        })
      }),
    'lists of related records have their order, limit, filter and fields',
    'lists of a to-one relation have the record, or none',
  ],
  'lists in another order than the records': [
    () => relating((lists) => lists.toSorted((a, b) => b.length - a.length)),
    'lists of related records have their order, limit, filter and fields',
    'related through a join table asks its record too',
    'relations over several fields compare all of them',
  ],
  'lists only of the records that have related ones': [
    () => relating((lists) => lists.filter((rows) => rows.length > 0)),
    'lists of related records have their order, limit, filter and fields',
    'lists of a to-one relation have the record, or none',
    'related through a join table asks its record too',
    'relations over several fields compare all of them',
  ],
  'related records without their guard': [
    () =>
      withStores(({ related, countRelated }) => ({
        related: async (to, selection) => (await related?.({ ...to, guard: everything }, selection)) ?? [],
        countRelated: async (to, filter) =>
          (await countRelated?.({ ...to, guard: everything }, filter)) ?? [],
      })),
    'lists of related records have their order, limit, filter and fields',
    'lists of a to-one relation have the record, or none',
  ],
  'counts only of the records that have related ones': [
    () =>
      withStores(({ countRelated }) => ({
        countRelated: async (to, filter) =>
          ((await countRelated?.(to, filter)) ?? []).filter((count) => count > 0),
      })),
    'lists of related records have their order, limit, filter and fields',
    'related through a join table asks its record too',
    'relations over several fields compare all of them',
  ],
  'hops without their guard': [
    () =>
      withStores(({ list }) => ({
        list: (selection, guard) => {
          const order = selection.order.map((key) => {
            const via = key.via?.map(({ relation }) => ({ relation }))
            return { ...key, ...(via && { via }) }
          })
          return list({ ...selection, order }, guard)
        },
      })),
    'a sort key behind a relation is null without a related record',
  ],
  'rows without the sort values of other tables': [
    () =>
      withStores(({ list }, { fields }) => ({
        list: async (selection, guard) =>
          (await list(selection, guard)).map((row) =>
            Object.fromEntries(
              Object.entries(row).filter(([name]) => fields.some((field) => field.name === name)),
            ),
          ),
      })),
    'a sort key behind a relation is null without a related record',
  ],
  'aggregates as floating-point numbers': [
    () =>
      aggregating((rows) =>
        rows.map((row) =>
          mapValues(row, (value, name) =>
            /^(?:sum|avg)_/.test(name) && value !== null ? Number(value) : value,
          ),
        ),
      ),
    'without groups are one row, also of no records',
    'sums and averages of integers and decimals are exact',
  ],
  'no row without records': [
    () => aggregating((rows) => rows.filter(({ count }) => count !== 0)),
    'without groups are one row, also of no records',
  ],
  'groups that ignore case': [
    () =>
      aggregating((rows) => {
        const merged = new Map<string, Row>()
        for (const row of rows) {
          const key = JSON.stringify(
            mapValues(row, (value, name) => (name === 'count' ? 0 : value)),
          ).toLowerCase()
          merged.set(key, { ...row, count: Number(merged.get(key)?.['count'] ?? 0) + Number(row['count']) })
        }
        return [...merged.values()]
      }),
    'strings are the same group only if their bytes are',
  ],
  'parts of instants in UTC only': [
    () =>
      withStores(({ aggregate }) => ({
        aggregate: async (aggregation, guard) =>
          (await aggregate?.({ ...aggregation, timezone: 'UTC' }, guard)) ?? [],
      })),
    'parts of instants are those of the time zone',
  ],
  'aggregates of all records': [
    () =>
      withStores(({ aggregate }) => ({
        aggregate: async (aggregation) => (await aggregate?.(aggregation, everything)) ?? [],
      })),
    'group by values, with null as a group of its own',
  ],
  'nulls as the smallest group': [
    () =>
      aggregating((rows) =>
        rows.toSorted((a, b) => Number(b['rating'] !== null) - Number(a['rating'] !== null)),
      ),
    'group by values, with null as a group of its own',
  ],
  'numbers that are compared as text': [
    () => translating(asText),
    ...['price', 'discount', 'rating', 'pages', 'copies'].map(
      (name) => `${name} is compared and sorted by its meaning`,
    ),
  ],
  'times that are compared by their milliseconds': [
    () => translating(inMilliseconds),
    'soldAt is compared and sorted by its meaning',
  ],
  'an order by text': [
    () =>
      withStores(({ list }) => ({
        list: async (selection, guard) => {
          const rows = await list({ ...selection, limit: 9999, offset: 0 }, guard)
          const [key] = selection.order
          if (key?.field !== 'price') return list(selection, guard)
          const sign = key.direction === 'asc' ? 1 : -1
          return rows.toSorted((a, b) => (String(a['price']) < String(b['price']) ? -sign : sign))
        },
      })),
    'price is compared and sorted by its meaning',
    'price sorts by value in both directions, with null as the largest',
  ],
  'defaults in their JSON form': [
    () =>
      withStores(({ create }, { name }) => ({
        create: async (values) => {
          if (name !== 'Shelf') return create(values)
          const raw = { capacity: '9007199254740993', builtAt: '2026-01-31T23:59:59.123Z' }
          return { ...(await create(values)), ...raw }
        },
      })),
    'the default of capacity has the form of its field',
    'the default of builtAt has the form of its field',
  ],
  'created records in another order': [
    () => creating((createMany) => async (all) => (await createMany(all)).toReversed()),
    'returns the records as stored, in their order',
    'stores records with different fields',
    'fills in defaults of each record',
    'stores records with and without their key',
    'stores records whose key is text',
    'stores records whose key has two fields',
    'does not take inherited members for values',
    'stores every value',
    'stores 1200 records',
    'of concurrent transactions returns their own records',
  ],
  'a record less than it was given': [
    () => creating((createMany) => (all) => createMany(all.slice(0, Math.max(1, all.length - 1)))),
    'returns the records as stored, in their order',
    'stores 1200 records',
  ],
  'an empty record for none': [
    () => creating((createMany) => (all) => createMany(all.length === 0 ? [{ name: '' }] : all)),
    'of no records does not store any',
  ],
  'fewer created records than it stores': [
    () => creating((createMany) => async (all) => (await createMany(all)).slice(0, 1000)),
    'stores 1200 records',
  ],
  'only the fields of the first record': [
    () =>
      creating(
        (createMany) => (all) =>
          createMany(
            all.map((row) => Object.fromEntries(Object.keys(all[0] ?? {}).map((name) => [name, row[name]]))),
          ),
      ),
    'stores records with different fields',
    'fills in defaults of each record',
    'does not take inherited members for values',
    'stores every value',
    'with an unknown field throws, and names the field',
  ],
  'null for what a record omits': [
    () =>
      creating((createMany) => (all) => {
        const names = [...new Set(all.flatMap((row) => Object.keys(row)))]
        return createMany(
          all.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null]))),
        )
      }),
    'fills in defaults of each record',
    'stores records with and without their key',
    'stores records whose key is text',
    'stores every value',
  ],
  'the given values in place of the stored ones': [
    () =>
      creating((createMany) => async (all) => {
        await createMany(all)
        return all
      }),
    'returns the records as stored, in their order',
    'stores records with different fields',
    'fills in defaults of each record',
    'stores records with and without their key',
    'stores records whose key is text',
    'stores records whose key has two fields',
    'does not take inherited members for values',
    'stores every value',
    'stores 1200 records',
    'of concurrent transactions returns their own records',
  ],
  'the records that are not refused': [
    () =>
      creating((_createMany, { create }) => async (all) => {
        const stored: Row[] = []
        for (const values of all)
          try {
            stored.push(await create(values))
          } catch (error) {
            if (!(error instanceof SourceError)) throw error
          }
        return stored
      }),
    'refuses a value that another record has with all records',
    'refuses a value twice with all records',
    'refuses a foreign key without its record with all records',
    'refuses null for a required field with all records',
    'refuses no value for a required field with all records',
  ],
  'stores of transactions without createMany': [
    () =>
      withStores(() => ({}), {
        ...rightSource(),
        transaction: (work) =>
          rightSource().transaction((inside) =>
            work({
              db: inside.db,
              store: (model) => {
                const { createMany: _createMany, ...store } = inside.store(model)
                return store
              },
            }),
          ),
      }),
    'returns the records as stored, in their order',
  ],
  'records that are not stored durably': [
    () => reopened(() => undefined),
    'has its records when it is opened again',
  ],
  'the key of a deleted record for a new one': [
    () => reopened((row) => row, rightSource),
    'has its records when it is opened again',
  ],
  'bytes that are stored as text': [
    () =>
      reopened((row) => ({
        ...row,
        ...(row['cover'] instanceof Uint8Array && {
          cover: Buffer.from(Buffer.from(row['cover']).toString()),
        }),
      })),
    'has its records when it is opened again',
  ],
  'a guard that is only asked before the write': [
    () =>
      withStores(({ read, update, remove, take }) => ({
        update: async (key, values, guard) => {
          if ((await read(key, guard)) === undefined) return undefined
          await later()
          return update(key, values, everything)
        },
        remove: async (key, guard) => {
          const row = await read(key, guard)
          await later()
          await remove(key, everything)
          return row !== undefined
        },
        take: async (key, guard) => {
          const row = await read(key, guard)
          await later()
          return row && ((await take(key, everything)) ?? row)
        },
      })),
    'only one of several concurrent updates with the same guard wins',
    'only one of several concurrent deletes wins',
    'update asks its guard again after it waited for a transaction',
    'remove asks its guard again after it waited for a transaction',
    'take asks its guard again after it waited for a transaction',
  ],
  'updates without a guard': [
    () => withStores(({ update }) => ({ update: (key, values) => update(key, values, everything) })),
    'update does not change a record outside of the guard',
    'only one of several concurrent updates with the same guard wins',
  ],
  'negations that are not true of null': [
    () => translating(threeValued),
    'negated `contains` finds null',
    'rating compares values, and null is neither equal nor less nor greater',
    'copies compares values, and null is neither equal nor less nor greater',
    'find what `holds` finds, in the order of `compareRows`',
  ],
  'an empty `in` that is dropped': [
    () => translating(withoutEmptyIn),
    'title compares values, and null is neither equal nor less nor greater',
  ],
  'equality that ignores case': [
    () => translating(ignoringCase),
    '`eq` and `ne` compare strings byte for byte',
  ],
  'strings that end a condition early': [
    () => translating(injected),
    'in conditions and guards',
    'in conditions on related records',
  ],
  'wildcards in `contains`': [() => translating(withWildcards), '`contains` takes %, _ and \\ literally'],
  'transactions that other statements join': [
    joined,
    'are not joined by the statements of other requests',
    'with a lock on a record, let other transactions wait for their end',
    'refuse their stores after their end',
  ],
  'times in the zone of the process': [
    () =>
      withStores(({ create, update }) => {
        const local = (values: Row): Row =>
          Object.fromEntries(Object.entries(values).map(([name, value]) => [name, localClock(value)]))
        return {
          create: (values) => create(local(values)),
          update: (key, values, guard) => update(key, local(values), guard),
        }
      }),
    'printedAt returns values as they were stored',
  ],
  'an update that counts changed records': [
    () =>
      withStores(({ read, update }) => ({
        update: async (key, values, guard) => {
          const before = await read(key, guard)
          const after = await update(key, values, guard)
          return JSON.stringify(before, shown) === JSON.stringify(after, shown) ? undefined : after
        },
      })),
    'an update that changes nothing returns the record',
  ],
  'values in the message of an error': [
    () =>
      leaking(rightSource(), ({ kind, fields }, values) => {
        const error = new SourceError(kind, { fields })
        error.message += ` ${values['email']}`
        return error
      }),
    'unique',
  ],
  'values in the cause of an error': [
    () =>
      leaking(rightSource(), ({ kind, fields }, values) => {
        const cause = Object.assign(new Error('duplicate key'), { parameters: Object.values(values) })
        return new SourceError(kind, { fields, cause })
      }),
    'unique',
    'not-null',
    'check',
    'value',
    'missing-reference',
  ],
  'inherited members as values': [
    () =>
      withStores(({ create }, { fields }) => ({
        create: (values) => create(Object.fromEntries(fields.map(({ name }) => [name, values[name]]))),
      })),
    'are null without a value, and keep their value if an update omits them',
  ],
  'DEFAULT without the capability': [
    () => ({ ...rightSource(), capabilities: { ...rightSource().capabilities, databaseDefaults: false } }),
    'update refuses DEFAULT',
  ],
  'transactions without the capability': [
    () => ({ ...rightSource(), capabilities: { ...rightSource().capabilities, transactions: false } }),
    'transaction throws, and does not run its work',
  ],
  'models that offer more than the source can': [
    () => ({
      ...rightSource(),
      capabilities: { ...rightSource().capabilities, exactText: false, exactKeys: false },
    }),
    'the models do not offer what the source cannot do',
  ],
  'promises from a synchronous source': [
    () => ({ ...rightSource(), capabilities: { ...rightSource().capabilities, synchronous: true } }),
    'every method returns a promise, or its result if the source is synchronous',
    'errors reject the promise, or are thrown if the source is synchronous',
    'returns a promise, or its result if the source is synchronous',
  ],
  'letters that are folded without the capability': [
    () => ({ ...rightSource(), capabilities: { ...rightSource().capabilities, unicodeCaseFolding: false } }),
    '`contains` folds other letters than ASCII as unicodeCaseFolding says',
  ],
}

const shown = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
