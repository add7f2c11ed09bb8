import { isDeepStrictEqual } from 'node:util'
import { EventType } from '@mikro-orm/core'
import { ownValue } from '../../model/objects.ts'
import type { Aggregation, Condition, Selection } from '../../query/ast.ts'
import type { Admits, Row } from '../source.ts'
import { aggregating } from '../sql/aggregates.ts'
import { readInOrder } from '../sql/many.ts'
import { columnAt, decoded, listing, rowOf, type SortKey, sizeOf, valuesOf } from '../sql/selects.ts'
import { type Key, keyCondition, type Scope } from '../sql/tables.ts'
import { forkOf, type SqlManager } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { stateOf, valueIn } from './entities.ts'
import { isHeard } from './hooks.ts'
import { livingWhere, type Place, rowsOf } from './statements.ts'

/** The name in SQL of the records that a statement reads. */
const MAIN = 't'

const selectOf = (
  scope: Scope,
  entity: MappedEntity,
  columns: readonly string[],
  ...conditions: readonly Condition[]
): string => {
  const at = scope.quoted(MAIN)
  const list = columns.map((sql, place) => `${sql} as ${scope.quoted(columnAt(place))}`).join(', ')
  return `select ${list} from ${scope.tableOf(entity.model.name).table} ${at} where ${livingWhere(scope, entity, at, ...conditions)}`
}

const orderOf = (keys: readonly SortKey[]): string =>
  keys.length === 0 ? '' : ` order by ${keys.map(({ sql, direction }) => `${sql} ${direction}`).join(', ')}`

/** A stored record as MikroORM loads it, and as those who hear that leave it. */
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

/** The records in rows. Entities are made only if someone hears that they are loaded. */
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
  /** Whether those who hear that it is loaded may change it. @default true */
  readonly isShown?: boolean
}

/** The records that meet a condition, in any order. */
export const found = async (
  act: Place,
  entity: MappedEntity,
  condition: Condition,
  { isLocked = false, isFiltered = true, isShown = true }: ReadOptions = {},
): Promise<readonly Row[]> => {
  const lock = isLocked && act.database.family !== 'sqlite' ? ' for update' : ''
  const { built, raws } = await rowsOf(
    act,
    (scope) => {
      const values = valuesOf(scope, entity, scope.quoted(MAIN))
      const columns = values.map(({ sql }) => sql)
      return { values, sql: `${selectOf(scope, entity, columns, condition)}${lock}` }
    },
    { isFiltered },
  )
  const rows = raws.map((raw) => rowOf(entity, built.values, raw))
  return isShown ? shown(act, entity, rows) : rows
}

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

/** A list: its fields, its order with what it needs of other tables, and its limits. */
export const listed = async (
  act: Place,
  entity: MappedEntity,
  selection: Selection,
  guard: Condition,
  admits?: Admits,
): Promise<readonly Row[]> => {
  const { filter, limit, offset, fields } = selection
  if (limit === 0) return []
  const { built, raws } = await rowsOf(act, (scope) => {
    const { values, order } = listing(scope, entity, scope.quoted(MAIN), {
      order: selection.order,
      ...(fields && !isHeard(act.database, entity, 'Load') && { fields }),
    })
    const columns = values.map(({ sql }) => sql)
    const end = `${orderOf(order)} limit ${limit}${offset > 0 ? ` offset ${offset}` : ''}`
    return { values, sql: `${selectOf(scope, entity, columns, filter, guard)}${end}` }
  })
  if (admits?.(raws.map(sizeOf)) === false) return []
  const stored = raws.map((raw) => rowOf(entity, built.values, raw))
  const rows = await shown(act, entity, stored)
  const isAsked = (name: string): boolean => !entity.members.has(name) || fields?.includes(name) !== false
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => isAsked(name))))
}

export const counted = async (
  act: Place,
  entity: MappedEntity,
  conditions: readonly Condition[],
  atMost?: number,
): Promise<number> => {
  if (atMost === 0) return 0
  const {
    raws: [row],
  } = await rowsOf(act, (scope) => {
    const limit = atMost === undefined ? '' : ` limit ${atMost}`
    const inner = `${selectOf(scope, entity, ['1'], ...conditions)}${limit}`
    return {
      sql: `select count(*) as ${scope.quoted(columnAt(0))} from (${inner}) ${scope.quoted('counted')}`,
    }
  })
  return Number(ownValue(row ?? {}, columnAt(0)) ?? 0)
}

export const aggregated = async (
  act: Place,
  entity: MappedEntity,
  aggregation: Aggregation,
  guard: Condition,
  admits?: Admits,
): Promise<readonly Row[]> => {
  const { filter, limit } = aggregation
  if (limit === 0) return []
  const { built, raws } = await rowsOf(act, (scope) => {
    const {
      selects,
      groups,
      order,
      rowOf: ofRaw,
    } = aggregating(scope, entity, scope.quoted(MAIN), aggregation)
    const grouped = groups.length === 0 ? '' : ` group by ${groups.join(', ')}`
    const sql = `${selectOf(scope, entity, selects, filter, guard)}${grouped}${orderOf(order)} limit ${limit}`
    return { sql, ofRaw }
  })
  return admits?.(raws.map(sizeOf)) === false ? [] : raws.map(built.ofRaw)
}
