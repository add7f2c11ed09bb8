import { wrap } from '@mikro-orm/core'
import { ownValue } from '../../model/objects.ts'
import type { RecordStore, Row } from '../source.ts'
import { asMany, inBatches } from '../sql/many.ts'
import { changesOf, flushed, madeIn, withTargets, writtenRow } from './changes.ts'
import { isPivot } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { dataOf, entityKey } from './entities.ts'
import { actIn, type Execution, inOneTransaction } from './execution.ts'
import { hasListeners } from './hooks.ts'
import { readBack, shownAfter } from './reads.ts'

/** Stores records by inserts of many, or by one flush for many if hooks or subscribers hear of them. */
export const creatingIn = (
  place: Execution,
  entity: MappedEntity,
): Required<Pick<RecordStore, 'create' | 'createMany'>> => {
  const { database, engine } = place
  const isCreateHeard = (): boolean => hasListeners(database, entity, 'Create')
  const flushing = (rows: readonly Row[]): Promise<readonly Row[]> =>
    inOneTransaction(actIn(place), (act) => flushMany(act, entity, rows))
  return {
    create: async (row) => {
      if (isCreateHeard()) return (await flushing([row]))[0] ?? {}
      const made = madeBy(actIn(place), entity, row)
      const write = ({ manager }: Execution) => engine.writesOf(manager, entity).create(made)
      return (await shownAfter(place, entity, asMany(write)))[0] ?? {}
    },
    createMany: async (rows) => {
      if (isCreateHeard()) return flushing(rows)
      const act = actIn(place)
      const made = rows.map((row) => madeBy(act, entity, row))
      return shownAfter(place, entity, ({ manager }) => engine.writesOf(manager, entity).createMany(made))
    },
  }
}

/** A new record with what its entity sets itself. */
const madeBy = (act: Execution, entity: MappedEntity, given: Row): Row => {
  const { metadata } = entity
  const { database, manager } = act
  const changes = changesOf(act, entity, given)
  if (isPivot(metadata)) return writtenRow(database, changes)
  const data = dataOf(entity, changes, {}, false)
  const record = manager.create(metadata.class, data, { persist: false }) as object
  return writtenRow(database, [...changes, ...madeIn(record, entity, given, data, manager)])
}

/** A new record, as an entity that is not stored. */
interface New {
  readonly act: Execution
  readonly given: Row
  readonly record: object
  /** The fields that it has. MikroORM would fill in those of others. */
  readonly shape: string
}

const flushMany = async (
  act: Execution,
  entity: MappedEntity,
  rows: readonly Row[],
): Promise<readonly Row[]> => {
  const made: New[] = []
  for (const given of rows) made.push(await newRecord(act, entity, given))
  return inBatches(
    made,
    entity.members.size,
    (batch) => flush(batch[0]?.act ?? act, entity, batch),
    (one, other) => one.act === other.act && one.shape === other.shape,
  )
}

const newRecord = async (act: Execution, entity: MappedEntity, given: Row): Promise<New> => {
  const { manager } = act
  const changes = changesOf(act, entity, given)
  const data = await withTargets(manager, changes, dataOf(entity, changes, {}, true))
  const record = manager.create(entity.metadata.class, data, { persist: false }) as object
  // MikroORM takes a record to which another one refers as stored.
  return wrap(record).isManaged()
    ? newRecord(actIn(act), entity, given)
    : { act, given, record, shape: changes.map(({ member }) => member.field.name).join() }
}

const flush = async (act: Execution, entity: MappedEntity, made: readonly New[]): Promise<readonly Row[]> => {
  const records = made.map(({ record }) => record)
  for (const record of records) act.manager.persist(record)
  await flushed(act.manager, new Set(records))
  return readBack(
    act,
    entity,
    made.map(({ record, given }) => entityKey(record, entity, (name) => ownValue(given, name))),
  )
}
