import { mayJoinTwice } from '../model/foreign-keys.ts'
import type { Model, Relation } from '../model/model.ts'
import { both, type Condition, everything, haveValues, type Selection } from '../query/ast.ts'
import { relationOf } from '../query/order.ts'
import { relationToEnd, relationToJoin } from './join-relations.ts'
import { amongKeys, type Key, keyText, keyValues, mostKeys } from './record-keys.ts'
import { type RowTally, tallyOf } from './row-tally.ts'
import type { Awaitable, RecordStore, RelatedTo, Row } from './source.ts'

/** What lists of related records are made of. */
type ListingStore = Pick<RecordStore, 'list' | 'count' | 'aggregate'>

/** More records than this for each that is asked for are not read in one statement, but each list by a statement of its own. */
const SPARE = 4

/** One statement reads at least as many records, if there are as many. */
const ALWAYS = 1000

/**
 * `related` and `countRelated` of a model, made of `list` and `aggregate`, for an ORM that cannot limit related records for each
 * record in the database. One statement reads the lists of many records, two over a join table. If there are many more related
 * records than the limits allow, each list is read by its own statement, so records beyond the limits are hardly read.
 */
export const relatedByLists = (
  owner: Model,
  modelOf: (name: string) => Model,
  storeOf: (model: Model) => ListingStore,
): Required<Pick<RecordStore, 'related' | 'countRelated'>> => ({
  related: async (to, selection, admits) => {
    const relation = relationOf(owner, to.relation)
    const place = { relation, target: modelOf(relation.model), modelOf, storeOf }
    const along =
      relation.through === undefined ? directly(place, to) : throughJoin(place, to, relation.through)
    const tally = tallyOf(admits, to.most)
    return inChunks(to, relation, async (records) =>
      tally.isRefused() ? records.map(() => []) : along(records, selection, tally),
    )
  },
  countRelated: async (to, filter) => {
    const relation = relationOf(owner, to.relation)
    const target = modelOf(relation.model)
    const { through } = relation
    const [counted, fields] =
      through === undefined ? [target, relation.references] : [modelOf(through.model), through.fields]
    const matching = both(filter, to.guard)
    const condition =
      through === undefined
        ? matching
        : both(to.link ?? everything, {
            ...{ op: 'related', relation: relationToEnd(counted, through.references, target.name).name },
            condition: matching,
          })
    if (through !== undefined && mayJoinTwice(counted, through)) {
      const back = relationToJoin(target, relation.references, through.model, through.references)
      return inChunks(to, relation, (records) =>
        each(records, (key) => {
          const joined = both(haveValues(through.fields, key), to.link ?? everything)
          return storeOf(target).count(matching, { op: 'related', relation: back.name, condition: joined })
        }),
      )
    }
    return inChunks(to, relation, (records) =>
      countsOf(storeOf(counted), counted, fields, records, condition),
    )
  },
})

interface ListedRelation {
  readonly relation: Relation
  readonly target: Model
  readonly modelOf: (name: string) => Model
  readonly storeOf: (model: Model) => ListingStore
}

type Lists = (
  records: readonly Key[],
  selection: Selection,
  tally: RowTally,
) => Promise<readonly (readonly Row[])[]>

const inChunks = async <T>(
  { records }: RelatedTo,
  { fields }: Relation,
  read: (records: readonly Key[]) => Promise<readonly T[]>,
): Promise<readonly T[]> => {
  const most = mostKeys(fields)
  const all: T[] = []
  for (let at = 0; at < records.length; at += most) all.push(...(await read(records.slice(at, at + most))))
  return all
}

/** One of the two models has the foreign key. */
const directly =
  ({ relation: { kind, references }, target, storeOf }: ListedRelation, to: RelatedTo): Lists =>
  async (records, selection, tally) => {
    const store = storeOf(target)
    const filter = both(selection.filter, to.guard)
    const reads = { ...withFields(selection, references), filter, offset: 0 }
    const most = boundOf(records, selection, to)
    const lists = await listsOf({
      ...{ store, selection, tally, most, isExact: kind === 'to-one' },
      reads: { ...reads, limit: most + 1 },
      among: amongKeys(references, records),
      ownersOf: (row) => [keyText(keyValues(row, references))],
    })
    if (lists !== undefined) return records.map((key) => lists(keyText(key)))
    return each(records, async (key) => {
      if (tally.isRefused()) return []
      const limited = { ...reads, limit: selection.limit }
      const own = await store.list(limited, haveValues(references, key), tally.exactly())
      return own.map((row) => shown(row, selection))
    })
  }

/** The records of the join table first, then those that they lead to. */
const throughJoin =
  (
    { relation: { references }, target, modelOf, storeOf }: ListedRelation,
    to: RelatedTo,
    through: NonNullable<Relation['through']>,
  ): Lists =>
  async (records, selection, tally) => {
    const join = modelOf(through.model)
    const store = storeOf(target)
    const filter = both(selection.filter, to.guard)
    const link = to.link ?? everything
    const most = boundOf(records, selection, to)
    const far: Condition = {
      ...{ op: 'related', relation: relationToEnd(join, through.references, target.name).name },
      condition: filter,
    }
    const fields = [...new Set([...through.fields, ...through.references, ...join.primaryKey])]
    const order = join.primaryKey.map((field) => ({ field, direction: 'asc' as const }))
    const joining = both(link, far)
    const links = await storeOf(join).list(
      { filter: joining, order, fields, limit: most + 1, offset: 0 },
      amongKeys(through.fields, records),
    )
    const reads = { ...withFields(selection, references), filter, offset: 0 }
    const alone = async (key: Key): Promise<readonly Row[]> => {
      if (tally.isRefused()) return []
      const back = relationToJoin(target, references, through.model, through.references)
      const condition = both(haveValues(through.fields, key), link)
      const guard: Condition = { op: 'related', relation: back.name, condition }
      const own = await store.list({ ...reads, limit: selection.limit }, guard, tally.exactly())
      return own.map((row) => shown(row, selection))
    }
    if (links.length > most) return each(records, alone)
    const endsOf = Map.groupBy(links, (row) => keyText(keyValues(row, through.fields)))
    const together = async (part: readonly Key[]): Promise<readonly (readonly Row[])[]> => {
      const ends = new Map<string, Key>()
      const owners = new Map<string, Set<string>>()
      for (const key of part)
        for (const row of endsOf.get(keyText(key)) ?? []) {
          const end = keyValues(row, through.references)
          const text = keyText(end)
          ends.set(text, end)
          owners.set(text, (owners.get(text) ?? new Set()).add(keyText(key)))
        }
      if (ends.size === 0) return part.map(() => [])
      const [first, ...more] = part
      if (ends.size > mostKeys(references)) {
        if (first !== undefined && more.length === 0) return [await alone(first)]
        const middle = Math.ceil(part.length / 2)
        return [...(await together(part.slice(0, middle))), ...(await together(part.slice(middle)))]
      }
      const lists = await listsOf({
        ...{ store, selection, tally, most: ends.size, isExact: false },
        reads: { ...reads, limit: ends.size },
        among: amongKeys(references, [...ends.values()]),
        ownersOf: (row) => [...(owners.get(keyText(keyValues(row, references))) ?? [])],
      })
      return lists === undefined ? each(part, alone) : part.map((key) => lists(keyText(key)))
    }
    return together(records)
  }

const boundOf = (records: readonly Key[], { limit }: Selection, { most = Infinity }: RelatedTo): number =>
  Math.min(Math.max(ALWAYS, SPARE * limit * records.length), most)

/** One after the other, so that a request takes one connection. */
const each = async <T, R>(all: readonly T[], act: (one: T) => Awaitable<R>): Promise<readonly R[]> => {
  const results: R[] = []
  for (const one of all) results.push(await act(one))
  return results
}

const withFields = (selection: Selection, more: readonly string[]): Selection =>
  selection.fields === undefined
    ? selection
    : { ...selection, fields: [...new Set([...selection.fields, ...more])] }

/** One statement that reads the lists of several records. */
interface Joint {
  readonly store: ListingStore
  readonly selection: Selection
  readonly reads: Selection
  readonly among: Condition
  readonly ownersOf: (row: Row) => readonly string[]
  /** All rows are within the limits. */
  readonly isExact: boolean
  /** More rows than this are not kept. */
  readonly most: number
  readonly tally: RowTally
}

/** Rows by the records that they belong to, in their order. `undefined`: there are too many, or they are too large. */
const listsOf = async ({
  store,
  selection,
  reads,
  among,
  ownersOf,
  isExact,
  most,
  tally,
}: Joint): Promise<((key: string) => readonly Row[]) | undefined> => {
  let sizes: readonly number[] = []
  let memory: number | undefined
  let isRefused = false
  const rows = await store.list(reads, among, async (found, taken) => {
    sizes = found
    memory = taken
    isRefused = found.length > most || !(await tally.fits(found, taken))
    if (isRefused && isExact) await tally.keep(found, taken)
    return !isRefused
  })
  if (isRefused || rows.length > most) return undefined
  const lists = new Map<string, Row[]>()
  const shownSizes: number[] = []
  for (const [at, row] of rows.entries()) {
    let isShown = false
    for (const owner of ownersOf(row)) {
      const list = lists.get(owner) ?? []
      lists.set(owner, list)
      if (list.length === selection.limit) continue
      list.push(shown(row, selection))
      isShown = true
    }
    if (isShown) shownSizes.push(sizes[at] ?? 0)
  }
  await tally.keep(shownSizes, memory)
  return (key) => lists.get(key) ?? []
}

/** Without the values that only connect records. Sort values of other models stay. */
const shown = (row: Row, { fields }: Selection): Row => {
  if (fields === undefined) return row
  const wanted = new Set(fields)
  return Object.fromEntries(Object.entries(row).filter(([name]) => wanted.has(name) || name.includes('.')))
}

const countsOf = async (
  store: ListingStore,
  model: Model,
  fields: readonly string[],
  records: readonly Key[],
  condition: Condition,
): Promise<readonly number[]> => {
  // A group has all strings that the database takes as equal, under one of them.
  const isVague = model.fields.some(
    ({ name, conditions }) => conditions === 'inexact' && fields.includes(name),
  )
  if (store.aggregate === undefined || isVague)
    return each(records, (key) => store.count(condition, haveValues(fields, key)))
  const groups = fields.map((field) => ({ field }))
  const rows = await store.aggregate(
    {
      ...{ filter: condition, groups, aggregates: [{ fn: 'count' }], timezone: 'UTC' },
      order: fields.map((column) => ({ column, direction: 'asc' })),
      limit: records.length,
    },
    amongKeys(fields, records),
  )
  const counts = new Map(rows.map((row) => [keyText(keyValues(row, fields)), Number(row['count'])]))
  return records.map((key) => counts.get(keyText(key)) ?? 0)
}
