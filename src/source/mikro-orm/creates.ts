import { wrap } from '@mikro-orm/core'
import { ownValue } from '../../model/objects.ts'
import type { RecordStore, Row } from '../source.ts'
import { inBatches, insertSql } from '../sql/many.ts'
import { returning } from '../sql/selects.ts'
import { memberOf } from '../sql/tables.ts'
import { changesOf, flushed, madeIn, sqlOf, withTargets } from './changes.ts'
import { isPivot } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { type Change, dataOf, keyIn } from './entities.ts'
import { isHeard } from './hooks.ts'
import { actIn, newScope, type Place, together } from './place.ts'
import { readBack } from './reads.ts'

/** A new record, as an entity that is not stored. */
interface New {
  readonly act: Place
  readonly given: Row
  readonly record: object
  readonly changes: readonly Change[]
}

/** Stores records by inserts of many, or by one flush for many if hooks or subscribers hear of them. */
export const creatingIn = (
  place: Place,
  entity: MappedEntity,
): Required<Pick<RecordStore, 'create' | 'createMany'>> => {
  const { database } = place
  const { model, members } = entity
  const createMany = async (rows: readonly Row[]): Promise<readonly Row[]> => {
    const hasListeners = isHeard(database, entity, 'Create')
    /** The columns that the database may not fill in for only some records of a statement. */
    const shapeOf = ({ changes }: New): string =>
      changes
        .map(({ member }) => member.field.name)
        .filter((name) => hasListeners || database.family === 'sqlite' || model.primaryKey.includes(name))
        .join()
    const storing = async (act: Place): Promise<readonly Row[]> => {
      const made: New[] = []
      for (const given of rows) made.push(await newRecord(act, entity, given, hasListeners))
      return inBatches(
        made,
        members.size,
        (batch) => (hasListeners ? flush : insert)(batch[0]?.act ?? act, entity, batch),
        (one, other) => one.act === other.act && shapeOf(one) === shapeOf(other),
      )
    }
    const act = actIn(place)
    return hasListeners || database.family === 'mysql' ? together(act, storing) : storing(act)
  }
  return { create: async (row) => (await createMany([row]))[0] ?? {}, createMany }
}

const newRecord = async (
  act: Place,
  entity: MappedEntity,
  given: Row,
  hasListeners: boolean,
): Promise<New> => {
  const { metadata } = entity
  const { manager } = act
  const changes = changesOf(act, entity, given)
  if (isPivot(metadata)) return { act, given, record: {}, changes }
  const own = dataOf(entity, changes, {}, hasListeners)
  const data = hasListeners ? await withTargets(manager, changes, own) : own
  const record = manager.create(metadata.class, data, { persist: false }) as object
  if (!hasListeners)
    return { act, given, record, changes: [...changes, ...madeIn(record, entity, given, manager)] }
  // MikroORM takes a record to which another one refers as stored.
  return wrap(record).isManaged()
    ? newRecord(actIn(act), entity, given, hasListeners)
    : { act, given, record, changes }
}

const flush = async (act: Place, entity: MappedEntity, made: readonly New[]): Promise<readonly Row[]> => {
  const records = made.map(({ record }) => record)
  for (const record of records) act.manager.persist(record)
  await flushed(act.manager, new Set(records))
  return readBack(
    act,
    entity,
    made.map(({ record, given }) => keyIn(record, entity, (name) => ownValue(given, name))),
  )
}

const insert = async (act: Place, entity: MappedEntity, made: readonly New[]): Promise<readonly Row[]> => {
  const { family, platform, quoted } = act.database
  const scope = newScope(act, { isFiltered: false })
  const cells = made.map(({ changes }) =>
    changes.map((change) => [quoted(change.member.column), sqlOf(platform, scope, change)] as const),
  )
  const sql = insertSql(scope, scope.tableOf(entity.model.name), cells)
  if (family !== 'mysql') return returning(scope, entity, (end) => scope.rows(`${sql} ${end}`))
  const { insertId } = await scope.run(sql)
  const step = made.length > 1 ? await stepOf(act) : 1
  const keys = made.map(({ record, given }, at) =>
    keyIn(record, entity, (name) => {
      const counted = insertId && memberOf(entity, name).codec.decode(insertId + at * step)
      return ownValue(given, name) ?? counted
    }),
  )
  return readBack(act, entity, keys)
}

/** How far the keys that MySQL counts for one insert are apart. It reserves them together. */
const stepOf = async ({ database, manager }: Place): Promise<number> => {
  const found = await database.execute(manager, 'select @@session.auto_increment_increment as step')
  return Number(Object(found)[0]?.step)
}
