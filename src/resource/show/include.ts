import { hookContext, hookTitle, runHook } from '../../controller/hooks.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { kinds } from '../../model/kinds/index.ts'
import { type Field, fieldOf, type Model, type Relation } from '../../model/model.ts'
import { type Awaitable, after, isPromise, ownValue, type Values } from '../../model/objects.ts'
import { failedIn } from '../../operation/call.ts'
import { runNested, type Steps, wait } from '../../operation/steps.ts'
import type { Include } from '../../query/ast.ts'
import { relationOf } from '../../query/order.ts'
import { withGuards } from '../../query/related.ts'
import { aroundCount, countedBy } from '../../schema/envelope.ts'
import { hookResultJson, textWith, type WrittenMembers } from '../../schema/serialiser.ts'
import type { RelatedTo, Row } from '../../source/source.ts'
import { takesWhole } from '../parts/record.ts'
import type { Includable, ModelRecords, Resource, ShownRecords } from '../parts/resource.ts'
import { shownPage } from './files.ts'
import type { IncludedList, Including } from './including.ts'
import { presented, shownKeyText } from './presenting.ts'

/** The model of records that include others. */
type Included = Pick<Resource, 'model' | 'records'>

/** The members that includes add to the JSON of records. */
interface IncludedMembers extends WrittenMembers {
  /** How many records they have, for each record. */
  readonly counts: readonly number[]
}

export function* includedMembers(
  resource: Included,
  rows: readonly Row[],
  includes: readonly Include[],
  inside: Including,
): Steps<IncludedMembers> {
  const found = yield* together(includes.map((include) => alongRelation(resource, rows, include, inside)))
  const own = found.map(({ name }) => name)
  const names = found.some(({ about }) => about !== undefined) ? [...own, RELATED] : own
  const texts: string[] = []
  const counts: number[] = []
  for (let at = 0; at < rows.length; at += 1) {
    let [text, about, count] = ['', '', 0]
    for (const along of found) {
      const list = along.list(at)
      text += `${text === '' ? '' : ','}${along.key}${list.text}`
      count += list.records
      if (along.about) about += `${about === '' ? '' : ','}${along.key}${along.about(at)}`
    }
    texts.push(about === '' ? text : `${text},"${RELATED}":{${about}}`)
    counts.push(count)
  }
  if (inside.isInner) inside.budget.fit(own, texts)
  return { names, texts, counts }
}

const RELATED = '_related'

/** Runs steps at the same time, or on a synchronous source one after the other. */
function* together<T>(all: readonly Steps<T>[]): Steps<readonly T[]> {
  const started: Awaitable<T>[] = []
  try {
    for (const steps of all) started.push(runNested(steps))
  } catch (error) {
    // The request ends with this error, whatever becomes of those that have begun.
    for (const one of started) if (isPromise(one)) one.then(undefined, () => undefined)
    throw error
  }
  return started.some(isPromise) ? yield* wait(Promise.all(started)) : (started as readonly T[])
}

/** What one include adds to records, by their places. */
interface Along {
  readonly name: string
  /** `"name":` */
  readonly key: string
  readonly list: (at: number) => IncludedList
  /** What the record says about a list, as JSON. */
  readonly about?: (at: number) => string
}

function* alongRelation(
  resource: Included,
  rows: readonly Row[],
  include: Include,
  inside: Including,
): Steps<Along> {
  const relation = relationOf(resource.model, include.relation)
  const target = inside.reach.related(relation.model)
  if (target === undefined) throw new Error(`${relation.model} is not served.`)
  const isMany = relation.kind === 'to-many'
  const most = isMany ? include.selection.limit : 1
  const { records, placeOf } = recordsOf(resource.model, relation, rows)
  const { reach, budget, isInner } = inside
  const to: RelatedTo = {
    relation: relation.name,
    records,
    guard: reach.guardOf(relation.model),
    ...(relation.through && { link: reach.guardOf(relation.through.model) }),
  }
  const statements = statementsOn(resource.records, target, to, include, inside)
  // A count shows whether there are more.
  const { envelope } = target.bodies
  const [before, after] = aroundCount(envelope)
  const isCounted = include.count === 'exact' && countedBy(envelope).related
  const found = most === 0 && isCounted ? [] : yield* statements.rows(isMany ? most + 1 : 1)
  const counts = isCounted ? yield* statements.counts() : []
  const shown = found.map((list) => (list.length > most ? list.slice(0, most) : list))
  const lists = yield* shownLists(target, shown, include, inside, isMany)
  const none = isMany ? noRecords : noRecord
  const list = (at: number): IncludedList => lists[placeOf(at)] ?? none
  budget.spend(
    include.relation,
    rows.map((_, at) => list(at)),
    isInner === true,
  )
  const { name } = relation
  const along = { name, key: `${JSON.stringify(name)}:`, list }
  if (!isMany) return along
  return {
    ...along,
    about: (at) => {
      const place = placeOf(at)
      const count = counts[place] ?? 0
      const hasMore = (found[place]?.length ?? 0) > most || count > most
      return `{"has_more":${hasMore}${isCounted ? before + count + after : ''}}`
    },
  }
}

const noRecords: IncludedList = Object.freeze({ text: '[]', length: 0, records: 0 })
const noRecord: IncludedList = Object.freeze({ ...noRecords, text: 'null' })

/** The different values by which records refer to others. `placeOf` gives -1 for a record that refers to none. */
const recordsOf = (model: Model, { fields: names }: Relation, rows: readonly Row[]) => {
  const fields = names.map((name) => fieldOf(model, name))
  const places = new Map<unknown, number>()
  const records: (readonly unknown[])[] = []
  const textOf = (field: Field, value: unknown): string => String(kinds[field.kind].write(value, field))
  const [only, ...others] = fields
  const keyOf = (values: readonly unknown[]): unknown => {
    if (only === undefined || others.length > 0)
      return JSON.stringify(fields.map((field, at) => textOf(field, values[at])))
    const [value] = values
    return typeof value === 'number' ? value : textOf(only, value)
  }
  const placeByRow = rows.map((row) => {
    const values = fields.map(({ name }) => ownValue(row, name) ?? null)
    if (values.includes(null)) return -1
    const key = keyOf(values)
    const place = places.get(key) ?? records.push(values) - 1
    places.set(key, place)
    return place
  })
  return { records, placeOf: (row: number): number => placeByRow[row] ?? -1 }
}

const statementsOn = (
  records: ModelRecords,
  target: Pick<Resource, 'model' | 'access' | 'bodies'>,
  to: RelatedTo,
  { relation, selection, fields }: Include,
  { budget, reach, from, takeTurn, held, scoped }: Including,
) => {
  const { model } = target
  const { controller } = target.access
  const filter = withGuards(selection.filter, model, reach)
  const order = selection.order.map((key) => withGuards(key, model, reach))
  // A hook gets whole records.
  const { fields: _fields, ...whole } = selection
  const isWhole = controller?.hooks.afterList !== undefined || takesWhole(target, fields)
  const wanted = { ...(isWhole ? whole : selection), filter, order }
  const reader = records.related(scoped, { from, mayShare: !isWhole })
  return {
    *rows(limit: number): Steps<readonly (readonly Row[])[]> {
      if (to.records.length === 0) return []
      const { admits, most, end } = budget.statement(relation, to.records.length)
      const read = () =>
        after(reader.related({ ...to, most }, { ...wanted, limit }, held(admits)), (rows = []) => {
          end()
          return rows
        })
      return yield* wait(takeTurn(read))
    },
    *counts(): Steps<readonly number[]> {
      if (to.records.length === 0) return []
      return (yield* wait(takeTurn(() => reader.countRelated(to, filter)))) ?? []
    },
  }
}

function* shownLists(
  target: Includable,
  lists: readonly (readonly Row[])[],
  include: Include,
  inside: Including,
  isMany: boolean,
): Steps<readonly IncludedList[]> {
  const rows = lists.length === 1 ? (lists[0] ?? []) : lists.flat()
  if (rows.length === 0) return []
  const members =
    include.include.length === 0
      ? undefined
      : yield* includedMembers(target, rows, include.include, { ...inside, isInner: true })
  const shown = yield* shownRecords(target, rows, include.fields, inside.scoped)
  return target.bodies.serialiser.written(rows, () => {
    let end = 0
    return lists.map((list) => {
      end += list.length
      return listOf(shown, [end - list.length, end], members, isMany)
    })
  })
}

/** The JSON of the records from one place to another. */
const listOf = (
  shown: readonly (Values | undefined)[],
  [from, end]: readonly [from: number, end: number],
  members: IncludedMembers | undefined,
  isMany: boolean,
): IncludedList => {
  if (members === undefined) {
    const all = shown.slice(from, end)
    const kept = all.includes(undefined) ? all.filter((json) => json !== undefined) : all
    const json = isMany ? kept : (kept[0] ?? null)
    return { text: JSON.stringify(json), length: kept.length, records: kept.length }
  }
  const texts: string[] = []
  let records = 0
  for (let at = from; at < end; at += 1) {
    const json = shown[at]
    if (json === undefined) continue
    texts.push(textWith(json, members, at))
    records += 1 + (members.counts[at] ?? 0)
  }
  const text = isMany ? `[${texts.join(',')}]` : (texts[0] ?? 'null')
  return { text, length: texts.length, records }
}

/** The JSON of records as their own list shows them. `undefined`: a hook has left the record out. */
function* shownRecords(
  target: Pick<Resource, 'model' | 'access' | 'bodies'>,
  rows: readonly Row[],
  fields: readonly string[] | undefined,
  scoped: ScopedCall,
): Steps<readonly (Values | undefined)[]> {
  const { model } = target
  const { controller, scopes } = target.access
  const { serialiser, media } = target.bodies
  const { call } = scoped
  const given = yield* runHook(controller, 'afterList', call, (hook) => {
    const copies = rows.map((row) => ({ ...row }))
    return hook(call.request, copies, hookContext(scopes.source, call))
  })
  const made = yield* presented(target, rows, scoped, given, fields)
  const page: ShownRecords = { page: { rows }, ...(made.shown && { shown: made.shown }) }
  const { page: stored, shown } = media === undefined ? page : yield* shownPage(target, page)
  if (shown === undefined) return serialiser.json(stored.rows, fields, made.computed)
  const { places = [] } = made
  if (controller !== undefined && places.includes(-1))
    throw failedIn(call, hookTitle(controller, 'afterList'), new Error(KEYLESS))
  const results: (Values | undefined)[] = rows.map(() => undefined)
  const byKey = new Map<string, Values>()
  for (const [at, record] of shown.entries()) {
    const place = places[at] ?? -1
    const row = rows[place]
    if (row === undefined) continue
    const json = hookResultJson(model, record, fields)
    results[place] = json
    byKey.set(shownKeyText(model, row), json)
  }
  // A hook may return a record once that belongs to several others.
  return results.map((json, at) => json ?? byKey.get(shownKeyText(model, rows[at] as Row)))
}

const KEYLESS =
  'A hook that returns another number of records than it received must return the key of each, so that an include can place them.'
