import type { ObjectLiteral } from 'typeorm'
import { ownValue } from '../../model/objects.ts'
import { type Condition, everything } from '../../query/ast.ts'
import type { Key } from '../record-keys.ts'
import { DEFAULT, type RecordStore, type Row, SourceError } from '../source.ts'
import { conditionSql } from '../sql/condition.ts'
import { asMany } from '../sql/many.ts'
import { keyAfter, keyCondition, memberOf } from '../sql/tables.ts'
import type { Sql } from '../sql/text.ts'
import { change, isStoredAs, literalOf, writtenRow } from './changes.ts'
import { tableOf } from './classes.ts'
import { creatingIn } from './creates.ts'
import type { MappedEntity } from './describe.ts'
import { bound, type Execution, inOneTransaction, targetOf } from './execution.ts'
import { hasListeners, isSpatial } from './hooks.ts'
import { untouched } from './internals.ts'
import { selecting, shownAfter } from './reads.ts'

/** Whether TypeORM can write these fields only by the metadata of the table: the metadata of a class lack such columns. */
const isKeyOfTable = (entity: MappedEntity, names: readonly string[]): boolean =>
  tableOf(entity.metadata) !== entity.metadata &&
  names.some((name) => memberOf(entity, name).metadata.relationMetadata?.embeddedMetadata !== undefined)

/** The statements of a model. Writes without listeners are one statement where the database can return what it wrote. */
export const statementsOf = (place: Execution, entity: MappedEntity): RecordStore => {
  const { database, engine } = place
  const { source, family } = database
  const { metadata, model } = entity
  const isSoft = metadata.deleteDateColumn !== undefined
  const raised = model.fields.find((field) => field.raised === true)?.name
  const reads = engine.readsOf(place.manager, entity)
  const { read } = reads

  const inside = (where: Execution): RecordStore => (where === place ? own : statementsOf(where, entity))

  /** The condition of a statement that writes, whose table has no alias. */
  const writing = (key: Key, guard: Condition): Sql =>
    conditionSql(engine.tableOf(entity), [keyCondition(model, key), guard])

  /** The loaded entity of a record that meets the guard, locked until the end of the transaction. */
  const loaded = async (where: Execution, key: Key, guard: Condition): Promise<ObjectLiteral | undefined> => {
    const query = selecting(where, entity, [keyCondition(model, key), guard])
    if (family !== 'sqlite') query.setLock('pessimistic_write')
    return (await query.getOne()) ?? undefined
  }

  const isUpdated = (name: string): boolean => memberOf(entity, name).metadata.isUpdate

  /** TypeORM does not change columns with `update: false`, so that only their own values can be given. */
  const assertKept = async (key: Key, values: Row, guard: Condition): Promise<void> => {
    const kept = Object.entries(values).filter(([name, value]) => value !== DEFAULT && !isUpdated(name))
    const row = kept.length === 0 ? undefined : await read(key, guard)
    if (row === undefined) return
    const fields = kept
      .filter(([name, value]) => !isStoredAs(memberOf(entity, name).field, ownValue(row, name), value))
      .map(([name]) => name)
    if (fields.length > 0) throw new SourceError('value', { fields })
  }

  const update: RecordStore['update'] = async (key, values, guard) => {
    const all = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
    await assertKept(key, all, guard)
    const given = Object.fromEntries(Object.entries(all).filter(([name]) => isUpdated(name)))
    const names = Object.keys(given)
    const isTouched = raised !== undefined && Object.hasOwn(values, raised)
    if (names.length === 0 && !isTouched) return read(key, guard)
    const next = keyAfter(model, key, given)
    const isMoved = names.some((name) => model.primaryKey.includes(name))
    const isByOrm = hasListeners(source, metadata, 'Update') || isSpatial(source, metadata)
    // TypeORM cannot save a record whose key changes.
    if (isByOrm && !isMoved && names.length > 0)
      return inOneTransaction(place, async (where) => {
        const record = await loaded(where, key, guard)
        if (record === undefined) return undefined
        const version: unknown = metadata.versionColumn?.getEntityValue(record)
        change(database, record, entity, given)
        await where.manager.save(metadata.target, record, { reload: false })
        const row = await inside(where).read(next, everything)
        // save() does not write anything if the values are the same.
        if (!isTouched || row === undefined || String(ownValue(row, raised)) !== String(version)) return row
        return inside(where).update(next, { [raised]: undefined }, everything)
      })
    if (!isByOrm) {
      const row = writtenRow(database, entity, given)
      const write = ({ manager }: Execution) => engine.writesOf(manager, entity).update(key, row, guard)
      return (await shownAfter(place, entity, asMany(write)))[0]
    }
    return inOneTransaction(place, async (where) => {
      const target = targetOf(
        database,
        isKeyOfTable(entity, names) ? { metadata: tableOf(metadata) } : entity,
      )
      const { text, parameters } = bound(database)
      const query = where.manager
        .createQueryBuilder()
        .update(target)
        .set(literalOf(database, entity, given))
      const { affected } = await query
        .where(untouched(text(writing(key, guard))))
        .setParameters(parameters)
        .execute()
      return affected === 0 ? undefined : inside(where).read(next, everything)
    })
  }

  /** TypeORM marks records that it deletes softly. */
  const isRemovedSoftly = async (key: Key, guard: Condition): Promise<boolean> => {
    const { text, parameters } = bound(database)
    const query = place.manager.createQueryBuilder().softDelete().from(targetOf(database, entity))
    const condition = untouched(text(writing(key, guard)))
    return ((await query.where(condition).setParameters(parameters).execute()).affected ?? 0) > 0
  }

  const isRemoveHeard = (): boolean => hasListeners(source, metadata, isSoft ? 'SoftRemove' : 'Remove')

  const remove: RecordStore['remove'] = async (key, guard) => {
    if (!isRemoveHeard())
      return isSoft
        ? isRemovedSoftly(key, guard)
        : await engine.writesOf(place.manager, entity).remove(key, guard)
    return inOneTransaction(place, async (where) => {
      const record = await loaded(where, key, guard)
      const { target } = metadata
      if (record !== undefined)
        await (isSoft ? where.manager.softRemove(target, record) : where.manager.remove(target, record))
      return record !== undefined
    })
  }

  const take: RecordStore['take'] = async (key, guard) => {
    if (!isRemoveHeard() && !isSoft && !hasListeners(source, metadata, 'Load'))
      return await engine.writesOf(place.manager, entity).take(key, guard)
    return inOneTransaction(place, async (where) => {
      const statements = inside(where)
      const row = await statements.read(key, guard, 'lock')
      return row !== undefined && (await statements.remove(key, guard)) ? row : undefined
    })
  }

  const own: RecordStore = {
    ...{ ...reads, update, remove, take, ...creatingIn(place, entity) },
  }
  return own
}
