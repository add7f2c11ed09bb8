import { isDeepStrictEqual } from 'node:util'
import { EventType } from '@mikro-orm/core'
import { ownValue } from '../../model/objects.ts'
import type { Condition } from '../../query/ast.ts'
import type { Awaitable, RecordStore, Row } from '../source.ts'
import { whereOf } from '../sql/conditions.ts'
import { readInOrder } from '../sql/many.ts'
import { type Reader, readsOf, type Select } from '../sql/reads.ts'
import { columnAt, decoded, returned, rowOf, sizeOf, valuesOf } from '../sql/selects.ts'
import { type Key, keyCondition } from '../sql/tables.ts'
import { forkOf, type SqlManager } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { stateOf, valueIn } from './entities.ts'
import { isHeard } from './hooks.ts'
import { actIn, type BoundScope, livingWhere, type Place, rowsOf, withScope } from './place.ts'

/** The name in SQL of the records that a statement reads. */
const MAIN = 't'

type Rest = Pick<Select, 'where'> & Partial<Select>

/** @param columns in SQL, with their names in the result */
const selectSql = (
  scope: BoundScope,
  entity: MappedEntity,
  columns: string,
  { where, groups = [], order = [], limit = Infinity, offset = 0 }: Rest,
): string => {
  const at = scope.quoted(MAIN)
  const keys = order.map(({ sql, direction }) => `${sql} ${direction}`)
  return [
    `select ${columns} from ${scope.tableOf(entity.model.name).table} ${at}`,
    `where ${livingWhere(scope, entity, at, where)}`,
    ...(groups.length > 0 ? [`group by ${groups.join(', ')}`] : []),
    ...(keys.length > 0 ? [`order by ${keys.join(', ')}`] : []),
    ...(limit === Infinity ? [] : [`limit ${limit}`]),
    ...(offset > 0 ? [`offset ${offset}`] : []),
  ].join(' ')
}

/** A stored record as MikroORM loads it, with what `onLoad` hooks and subscribers change. */
export const loadedOf = async (
  manager: SqlManager,
  mapped: MappedEntity,
  stored: Row,
): Promise<{ readonly record: object; readonly row: Row }> => {
  const { metadata, members } = mapped
  const record = manager.merge(metadata.class, stateOf(mapped, stored)) as object
  await manager.getEventManager().dispatchEvent(EventType.onLoad, { entity: record, em: manager }, metadata)
  const heard: [string, unknown][] = []
  for (const member of members.values()) {
    const { name } = member.field
    const value = valueIn(record, member)
    if (member.parts !== undefined || value === undefined) continue
    const found = decoded(member, value, () => mapped.model.name, member.codec.ofEntity)
    if (!isSame(found, ownValue(stored, name))) heard.push([name, found])
  }
  return { record, row: { ...stored, ...Object.fromEntries(heard) } }
}

/** The records in rows. Entities are made only for `onLoad` hooks and subscribers. */
const shown = async (act: Place, entity: MappedEntity, rows: readonly Row[]): Promise<readonly Row[]> => {
  if (!isHeard(act.database, entity, 'Load')) return rows
  const manager = forkOf(act.manager, true)
  const heard: Row[] = []
  for (const row of rows) heard.push((await loadedOf(manager, entity, row)).row)
  return heard
}

/** Entities have times of milliseconds. */
const isSame = (value: unknown, stored: unknown): boolean =>
  value instanceof Date && stored instanceof Date
    ? value.getTime() === stored.getTime()
    : isDeepStrictEqual(value, stored)

/** How records are read that a condition names. */
interface ReadOptions {
  /** @default false */
  readonly isLocked?: boolean
  /** Whether the filters of the entity hold. A record that was just written need not meet them. @default true */
  readonly isFiltered?: boolean
  /** Whether `onLoad` hooks and subscribers may change it. @default true */
  readonly isShown?: boolean
}

/** The records that meet a condition, in any order. */
export const found = (
  act: Place,
  entity: MappedEntity,
  condition: Condition,
  { isLocked = false, isFiltered = true, isShown = true }: ReadOptions = {},
): Promise<readonly Row[]> =>
  withScope(
    act,
    async (scope) => {
      const at = scope.quoted(MAIN)
      const values = valuesOf(scope, entity, at)
      const where = whereOf(scope, entity, at, condition)
      const sql = selectSql(scope, entity, returned(scope, values), { where })
      const lock = isLocked && act.database.family !== 'sqlite' ? ' for update' : ''
      const rows = (await rowsOf(act, scope, `${sql}${lock}`)).map((raw) => rowOf(entity, values, raw))
      return isShown ? shown(act, entity, rows) : rows
    },
    { isFiltered },
  )

/** The records with these keys, in their order, as they were just stored. */
export const readBack = async (
  act: Place,
  entity: MappedEntity,
  keys: readonly Key[],
): Promise<readonly Row[]> => {
  const { model } = entity
  if (keys.some((key) => key.includes(undefined)))
    throw new Error(
      `${model.name}: MikroORM does not learn the key that the database makes. Make it with onCreate.`,
    )
  const read = (condition: Condition) => found(act, entity, condition, { isFiltered: false })
  return readInOrder(model, keys, {
    list: ({ filter }) => read(filter),
    read: async (key) => (await read(keyCondition(model, key)))[0],
  })
}

/** Lists, numbers and groups of records. */
export const readingIn = (
  place: Place,
  entity: MappedEntity,
): Required<Pick<RecordStore, 'list' | 'count' | 'aggregate'>> => {
  const within = <T>(work: (reads: ReturnType<typeof readsOf>) => Awaitable<T>): Promise<T> => {
    const act = actIn(place)
    return withScope(act, async (scope) =>
      work(readsOf(entity, scope.quoted(MAIN), readerOf(act, entity, scope))),
    )
  }
  return {
    count: (...given) => within((reads) => reads.count(...given)),
    aggregate: (...given) => within((reads) => reads.aggregate(...given)),
    list: async ({ fields, ...selection }, guard, admits) => {
      const isLoaded = isHeard(place.database, entity, 'Load')
      const asked = { ...selection, ...(fields && !isLoaded && { fields }) }
      const rows = await within((reads) => reads.list(asked, guard, admits))
      if (!isLoaded || fields === undefined) return rows
      const isAsked = (name: string): boolean => !entity.members.has(name) || fields.includes(name)
      return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => isAsked(name))))
    },
  }
}

const readerOf = (act: Place, entity: MappedEntity, scope: BoundScope): Reader<BoundScope> => ({
  newScope: () => scope,
  records: async (select, values, admits) => {
    const raws = await rowsOf(act, scope, selectSql(scope, entity, returned(scope, values), select))
    if (admits?.(raws.map(sizeOf)) === false) return []
    return shown(
      act,
      entity,
      raws.map((raw) => rowOf(entity, values, raw)),
    )
  },
  rows: (select, columns) => {
    const named = columns.map((sql, at) => `${sql} as ${scope.quoted(columnAt(at))}`)
    return rowsOf(act, scope, selectSql(scope, entity, named.join(', '), select))
  },
  count: async (select) => {
    const inner = selectSql(scope, entity, '1', select)
    const [row] = await rowsOf(act, scope, `select count(*) as total from (${inner}) counted`)
    return Number(row?.['total'] ?? 0)
  },
})
