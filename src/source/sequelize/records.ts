import { isDeepStrictEqual } from 'node:util'
import type { Model as Instance, WhereOptions } from 'sequelize'
import { ownValue } from '../../model/objects.ts'
import { type Condition, everything } from '../../query/ast.ts'
import type { Key } from '../record-keys.ts'
import type { RecordStore, Row } from '../source.ts'
import { isMysql } from '../sql/codecs.ts'
import { conditionSql } from '../sql/condition.ts'
import { keyAfter, keyCondition, memberOf, valueSql } from '../sql/tables.ts'
import type { Sql } from '../sql/text.ts'
import { changesOf, withComputedKey, writtenRow } from './changes.ts'
import { createMany, isReturned, isUnheard } from './creates.ts'
import type { MappedDefined } from './describe.ts'
import { rethrow } from './errors.ts'
import { type Execution, inOneTransaction, sqlText, within } from './execution.ts'
import { hasListeners, isDestroyHeard, needsRecord } from './hooks.ts'
import { keeping, scoped } from './kept.ts'
import { shownIn } from './reads.ts'
import type { SequelizeDatabase } from './values.ts'

/** The statements of a model. A write and the read of what it stored are one transaction. */
export const statementsOf = (place: Execution, mapped: MappedDefined): RecordStore => {
  const { database, engine } = place
  const { sequelize, family, sequelizeLiteral, eq } = database
  const { model, defined, unscoped } = mapped
  const raised = model.fields.find((field) => field.raised === true)?.name
  const reads = engine.readsOf(place, mapped)
  const read = (where: Execution, ...about: Parameters<RecordStore['read']>) =>
    engine.readsOf(where, mapped).read(...about)

  /** The condition of a statement that writes, whose table has no alias. */
  const written = (key: Key, guard: Condition): Sql =>
    conditionSql(engine.tableOf(mapped), [keyCondition(model, key), guard])

  /** The condition of a statement that writes a locked record, which hooks may turn into a select. */
  const locked = (key: Key) => {
    const values = model.primaryKey.map((name, at) => {
      const value = valueSql(memberOf(mapped, name), key[at])
      return [name, { [eq]: sequelizeLiteral(sqlText(database, value)) }]
    })
    return { where: Object.fromEntries(values) as WhereOptions }
  }

  /** The instance of a record that meets the guard, locked until the end of the transaction. */
  const loaded = async (where: Execution, key: Key, guard: Condition): Promise<Instance | undefined> => {
    const table = engine.tableOf(mapped).as(defined.name)
    const condition = conditionSql(table, [keyCondition(model, key), guard])
    const options = {
      ...scoped(database, mapped, condition),
      lock: family !== 'sqlite',
      ...within(where),
    }
    // The application may have set `raw` for all queries.
    return (await keeping(unscoped).findAll({ ...options, raw: false }))[0]
  }

  /** The record that was just written, which the default scope or hooks of finds may hide from others. */
  const stored = async (where: Execution, key: Key): Promise<Row> => {
    const row = await read(where, key, everything)
    if (row !== undefined) return row
    const hidden = await engine.storedReadsOf(where, mapped).read(key, everything)
    if (hidden === undefined) throw new Error(`${model.name}: the database stored another primary key.`)
    return (await shownIn(where, mapped, [hidden], everything, false))[0] ?? hidden
  }

  const create: RecordStore['create'] = async (given) => {
    const changes = changesOf(database, mapped, given)
    if (isReturned(database, mapped, 'create')) {
      const row = await writtenRow(database, mapped, 'create', changes)
      return engine.writesOf(place, mapped).create(row)
    }
    return inOneTransaction(place, async (where) => {
      const made = await defined.create(await withComputedKey(where, mapped, changes), within(where))
      // Setters and hooks may change it.
      return stored(
        where,
        model.primaryKey.map((name) => made.getDataValue(name as never)),
      )
    })
  }

  const update: RecordStore['update'] = async (key, given, guard) => {
    const old = new Map(model.primaryKey.map((name, at) => [name, key[at]]))
    const changed = Object.entries(changesOf(database, mapped, given)).filter(
      ([name]) => !old.has(name) || !isDeepStrictEqual(ownValue(given, name), old.get(name)),
    )
    const isTouched = raised !== undefined && Object.hasOwn(given, raised)
    if (changed.length === 0 && !isTouched) return read(place, key, guard)
    if (isReturned(database, mapped, 'update')) {
      const row = await writtenRow(database, mapped, 'update', Object.fromEntries(changed))
      return engine.writesOf(place, mapped).update(key, row, guard)
    }
    // Sequelize keeps the key of an instance.
    const isOfKey = ([name]: readonly [string, unknown]): boolean => model.primaryKey.includes(name)
    const [moves, others] = [changed.filter(isOfKey), changed.filter((change) => !isOfKey(change))]
    const next = keyAfter(model, key, given)
    const isRecord = needsRecord(sequelize, defined)
    return inOneTransaction(place, async (where) => {
      if (isRecord) {
        const record = await loaded(where, key, guard)
        if (record === undefined) return undefined
        const version = raised && record.getDataValue(raised as never)
        await record.update(Object.fromEntries(others), within(where))
        const isOther = isTouched || moves.length > 0
        // Sequelize does not save anything if the values are the same, or if only the key changes.
        if (raised !== undefined && isOther && record.getDataValue(raised as never) === version) {
          record.changed(raised as never, true)
          await record.save({ fields: [raised as never], ...within(where) })
        }
      } else if ((await read(where, key, guard, 'lock')) === undefined) return undefined
      const rest = isRecord ? moves : changed
      if (rest.length > 0)
        await unscoped.update(Object.fromEntries(rest), { ...locked(key), ...within(where) })
      return stored(where, next)
    })
  }

  const removed = async (where: Execution, key: Key, guard: Condition): Promise<boolean> => {
    if (isDestroyHeard(sequelize, defined)) {
      const record = await loaded(where, key, guard)
      // Sequelize escapes the keys of the records that it deletes for one mode of the server.
      if (isMysql(family)) await database.rightSession(within(where))
      await record?.destroy(within(where))
      return record !== undefined
    }
    const isLocked = hasListeners(sequelize, defined, 'bulkDestroy')
    if (isLocked && (await read(where, key, guard, 'lock')) === undefined) return false
    const condition = isLocked ? locked(key) : scoped(database, mapped, written(key, guard))
    return (await unscoped.destroy({ ...condition, ...within(where) })) > 0
  }

  const remove: RecordStore['remove'] = async (key, guard) =>
    isOneStatement(database, mapped, 'remove')
      ? removed(place, key, guard)
      : inOneTransaction(place, (where) => removed(where, key, guard))

  const take: RecordStore['take'] = (key, guard) =>
    inOneTransaction(place, async (where) => {
      const row = await read(where, key, guard, 'lock')
      return row !== undefined && (await removed(where, key, everything)) ? row : undefined
    })

  /** With the errors of the driver. Those of Sequelize carry statements and values. */
  const plainly =
    <Args extends unknown[], T>(act: (...args: Args) => T | PromiseLike<T>) =>
    async (...args: Args): Promise<T> => {
      try {
        return await act(...args)
      } catch (error) {
        return rethrow(error, (name) => mapped.members.has(name))
      }
    }

  const own: RecordStore = {
    create: plainly(create),
    ...(isUnheard(database, mapped, 'create') && {
      createMany: plainly((rows: readonly Row[]) => createMany(place, mapped, rows, own)),
    }),
    update: plainly(update),
    remove: plainly(remove),
    take: plainly(take),
    ...{ read: plainly(reads.read), list: plainly(reads.list), count: plainly(reads.count) },
    ...{ aggregate: plainly(reads.aggregate), estimate: reads.estimate },
    ...{ related: plainly(reads.related), countRelated: plainly(reads.countRelated) },
  }
  return own
}

/** Whether a write is one statement, for which no transaction is needed. */
export const isOneStatement = (
  database: SequelizeDatabase,
  mapped: MappedDefined,
  act: 'create' | 'update' | 'remove',
): boolean => {
  if (act !== 'remove') return isReturned(database, mapped, act)
  const { sequelize } = database
  return !isDestroyHeard(sequelize, mapped.defined) && !hasListeners(sequelize, mapped.defined, 'bulkDestroy')
}
