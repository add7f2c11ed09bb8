import { EventType } from '@mikro-orm/core'
import { ownValue } from '../../model/objects.ts'
import { type Condition, everything } from '../../query/ast.ts'
import { sizeOf } from '../sizing.ts'
import type { Row } from '../source.ts'
import { readInOrder } from '../sql/many.ts'
import { type Reader, readsOf, type Select } from '../sql/reads.ts'
import { columnAt, decoded, returned, rowOf, valuesOf } from '../sql/selects.ts'
import { type Key, keyCondition } from '../sql/tables.ts'
import type { SqlManager } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { stateOf, valueIn } from './entities.ts'
import { isHeard } from './hooks.ts'
import { actIn, newScope, type Place, type StatementScope } from './place.ts'

/** The name in SQL of the records that a statement reads. */
const MAIN = 't'

/** @param columns in SQL, with their names in the result */
const selectSql = (
  { model }: MappedEntity,
  columns: string,
  { scope, where, groups = [], order, limit, offset = 0 }: Select,
): string => {
  const at = scope.quoted(MAIN)
  const { table, living } = scope.tableOf(model.name)
  const keys = order.map(({ sql, direction }) => `${sql} ${direction}`)
  return [
    `select ${columns} from ${table} ${at} where ${[...living(at, scope), where].join(' and ')}`,
    ...(groups.length > 0 ? [`group by ${groups.join(', ')}`] : []),
    ...(keys.length > 0 ? [`order by ${keys.join(', ')}`] : []),
    ...(limit === Number.POSITIVE_INFINITY ? [] : [`limit ${limit}`]),
    ...(offset > 0 ? [`offset ${offset}`] : []),
  ].join(' ')
}

/** A stored record as MikroORM loads it, with what `onLoad` hooks and subscribers change. */
export const loadedOf = async (
  manager: SqlManager,
  mapped: MappedEntity,
  stored: Row,
): Promise<{ readonly record: object; readonly row: Row }> => {
  const { metadata, members, model } = mapped
  const record = manager.merge(metadata.class, stateOf(mapped, stored)) as object
  await manager.getEventManager().dispatchEvent(EventType.onLoad, { entity: record, em: manager }, metadata)
  const heard = [...members.values()].flatMap((member): readonly (readonly [string, unknown])[] => {
    const { name } = member.field
    const value = valueIn(record, member)
    if (member.parts !== undefined || value === undefined) return []
    const found = decoded(member, value, () => model.name, member.codec.ofEntity)
    return isSameTime(found, ownValue(stored, name)) ? [] : [[name, found]]
  })
  return { record, row: { ...stored, ...Object.fromEntries(heard) } }
}

/** Entities have times of milliseconds. */
const isSameTime = (value: unknown, stored: unknown): boolean =>
  value instanceof Date && stored instanceof Date && value.getTime() === stored.getTime()

/** How records are read. */
interface ReadOptions {
  /** @default false */
  readonly isLocked?: boolean
  /** Whether the filters of the entity hold. A record that was just written need not meet them. @default true */
  readonly isFiltered?: boolean
  /** Whether `onLoad` hooks and subscribers may change it. @default true */
  readonly isShown?: boolean
}

const readerOf = (
  place: Place,
  entity: MappedEntity,
  { isLocked = false, isShown = true, ...options }: ReadOptions,
): Reader<StatementScope> => ({
  newScope: () => newScope(place, options),
  records: async (select, asked, admits) => {
    const { scope } = select
    // Entities are made only for `onLoad` hooks and subscribers, and have all fields.
    const isLoaded = isShown && isHeard(place.database, entity, 'Load')
    const values = isLoaded
      ? [
          ...valuesOf(scope, entity, scope.quoted(MAIN)),
          ...asked.filter(({ name }) => !entity.members.has(name)),
        ]
      : asked
    const lock = isLocked && scope.family !== 'sqlite' ? ' for update' : ''
    const raws = await scope.rows(`${selectSql(entity, returned(scope, values), select)}${lock}`)
    if ((await admits?.(raws.map(sizeOf))) === false) return []
    const rows = raws.map((raw) => rowOf(entity, values, raw))
    if (!isLoaded) return rows
    const { manager } = actIn(place)
    const heard: Row[] = []
    for (const stored of rows) {
      const { row } = await loadedOf(manager, entity, stored)
      heard.push(Object.fromEntries(asked.map(({ name }) => [name, ownValue(row, name)])))
    }
    return heard
  },
  rows: (select, columns) => {
    const { quoted, rows } = select.scope
    const named = columns.map((sql, at) => `${sql} as ${quoted(columnAt(at))}`)
    return rows(selectSql(entity, named.join(', '), select))
  },
  count: async (select) => {
    const sql = `select count(*) as total from (${selectSql(entity, '1', select)}) counted`
    const [row] = await select.scope.rows(sql)
    return Number(row?.['total'] ?? 0)
  },
})

/** Lists, numbers and groups of records. */
export const readsIn = (
  place: Place,
  entity: MappedEntity,
  options: ReadOptions = {},
): ReturnType<typeof readsOf> =>
  readsOf(entity, place.database.quoted(MAIN), readerOf(place, entity, options))

/** A record that meets a guard. */
export const found = async (
  place: Place,
  entity: MappedEntity,
  key: Key,
  guard: Condition,
  options?: ReadOptions,
): Promise<Row | undefined> => {
  const filter = keyCondition(entity.model, key)
  const rows = await readsIn(place, entity, options).list({ filter, order: [], limit: 1, offset: 0 }, guard)
  return rows[0]
}

/** The records with these keys, in their order, as they were just stored. */
export const readBack = (
  place: Place,
  entity: MappedEntity,
  keys: readonly Key[],
): Promise<readonly Row[]> => {
  const options = { isFiltered: false }
  return readInOrder(entity.model, keys, {
    ...readsIn(place, entity, options),
    read: (key) => found(place, entity, key, everything, options),
  })
}
