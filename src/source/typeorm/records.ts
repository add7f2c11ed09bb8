import type { ObjectLiteral } from 'typeorm'
import { ownValue } from '../../model/objects.ts'
import { type Condition, everything } from '../../query/ast.ts'
import { DEFAULT, type RecordStore, type Row, SourceError } from '../source.ts'
import { whereOf } from '../sql/conditions.ts'
import { countedIn, givenKey, inBatches, insertedByKeys, readInOrder } from '../sql/many.ts'
import type { Statements } from '../sql/orm-source.ts'
import { readsOf } from '../sql/reads.ts'
import { returned, rowOf, valuesOf } from '../sql/selects.ts'
import { type Key, keyAfter, keyCondition, memberOf } from '../sql/tables.ts'
import { change, isSame, literalOf, untouched } from './changes.ts'
import type { MappedEntity } from './describe.ts'
import { isHeard } from './hooks.ts'
import { type BoundScope, newScope, type Place, targetOf } from './place.ts'
import { fetched, MAIN, readerOf, selecting } from './reads.ts'

/** The statements of a model. Writes without listeners are one statement where the database can return what it wrote. */
export const statementsOf = (place: Place, entity: MappedEntity): Statements => {
  const { database, manager } = place
  const { source, family } = database
  const { metadata, model } = entity
  const columns = valuesOf(database, entity)
  const main = database.quoted(MAIN)
  const isSoft = metadata.deleteDateColumn !== undefined
  const raised = model.fields.find((field) => field.raised === true)?.name

  /** The select of a record that meets the guard. */
  const one = (where: Place, key: Key, guard: Condition) => {
    const scope = newScope(where)
    const condition = whereOf(scope, entity, main, keyCondition(model, key), guard)
    return selecting(where, entity, condition).setParameters(scope.parameters)
  }

  const read: RecordStore['read'] = async (key, guard, lock) => {
    const query = one(place, key, guard)
    if (lock !== undefined && family !== 'sqlite') query.setLock('pessimistic_write')
    const [row] = await fetched(query, entity, valuesOf(database, entity, main), place)
    return row
  }

  /** Runs several statements in the open transaction, or in one of their own. */
  const together = <T>(work: (inside: Place) => Promise<T>): Promise<T> =>
    manager.queryRunner?.isTransactionActive === true
      ? work(place)
      : manager.transaction((inner) => work({ ...place, manager: inner }))

  const inside = (where: Place): Statements => (where === place ? own : statementsOf(where, entity))

  /** The condition of a statement that writes, whose table has no alias. */
  const writing = (scope: BoundScope, key: Key, guard: Condition): string => {
    const { table } = entity
    const condition = whereOf(scope, entity, table, keyCondition(model, key), guard)
    return untouched([condition, ...entity.living(table, scope)].join(' and '))
  }

  /** Runs a statement with RETURNING. TypeORM's own knows it on fewer databases, and converts no values. */
  const returning = async (query: {
    getQueryAndParameters(): [string, unknown[]]
  }): Promise<readonly Row[]> => {
    const [sql, parameters] = query.getQueryAndParameters()
    const result: unknown = await manager.query(`${sql} returning ${returned(database, columns)}`, parameters)
    // With PostgreSQL, updates and deletes also return their number. MariaDB returns no list if there are no rows.
    const rows: readonly Record<string, unknown>[] = Array.isArray(result) ? result.flat() : []
    return rows.filter((row) => typeof row === 'object').map((row) => rowOf(entity, columns, row))
  }

  /** The loaded entity of a record that meets the guard, locked until the end of the transaction. */
  const loaded = async (where: Place, key: Key, guard: Condition): Promise<ObjectLiteral | undefined> => {
    const query = one(where, key, guard).select(MAIN)
    if (family !== 'sqlite') query.setLock('pessimistic_write')
    return (await query.getOne()) ?? undefined
  }

  // On PostgreSQL, TypeORM would leave out a given key of a column that counts up.
  const insertedColumns =
    family === 'pg' && metadata.generatedColumns.length > 0
      ? metadata.columns.filter(({ isInsert }) => isInsert).map(({ propertyPath }) => propertyPath)
      : undefined

  const inserting = (where: Place, rows: readonly Row[], hasListeners: boolean) => {
    const scope = newScope(place)
    const records = rows.map((row): ObjectLiteral => {
      const literal = literalOf(database, scope, entity, row, hasListeners)
      return hasListeners ? where.manager.create(metadata.target, literal) : literal
    })
    const query = where.manager
      .createQueryBuilder()
      .insert()
      .into(targetOf(database, entity), insertedColumns)
    return query.values(records).setParameters(scope.parameters)
  }

  const insertedKeys = async (
    where: Place,
    rows: readonly Row[],
    hasListeners: boolean,
  ): Promise<readonly Key[]> => {
    const { identifiers } = await inserting(where, rows, hasListeners).execute()
    return rows.map((row, at) =>
      model.primaryKey.map((name) => {
        const own: unknown = memberOf(entity, name).metadata.getEntityValue(identifiers[at] ?? {})
        // Subscribers may have changed a key. SQL expressions are not values.
        const isKnown = own !== undefined && own !== null && typeof own !== 'function'
        return hasListeners && isKnown ? own : (ownValue(row, name) ?? own)
      }),
    )
  }

  const isCreateHeard = (): boolean => isHeard(source, metadata, 'Insert')

  const create: RecordStore['create'] = async (given) => {
    const hasListeners = isCreateHeard()
    if (!hasListeners && family !== 'mysql')
      return (await returning(inserting(place, [given], false)))[0] ?? {}
    return together(async (where) => {
      const [key = []] = await insertedKeys(where, [given], hasListeners)
      return (await inside(where).read(key, everything)) ?? {}
    })
  }

  const madeAs = (name: string): unknown => memberOf(entity, name).metadata.generationStrategy

  const createBatch = async (rows: readonly Row[]): Promise<readonly Row[]> => {
    if (isCreateHeard()) return readInOrder(model, await insertedKeys(place, rows, true), own)
    if (family !== 'mysql') return returning(inserting(place, rows, false))
    // TypeORM would make them too, but does not return them.
    const uuids = model.primaryKey.filter((name) => madeAs(name) === 'uuid')
    const made = rows.map((row) => ({
      ...row,
      ...Object.fromEntries(uuids.map((name) => [name, ownValue(row, name) ?? crypto.randomUUID()])),
    }))
    const records = made.map((row) => ({ row, key: givenKey(model, row) }))
    return insertedByKeys(records, {
      ...{ model, inForm: countedIn(entity), statements: own, select: (sql) => manager.query(sql) },
      isCounted: model.primaryKey.every((name) => madeAs(name) === 'increment'),
      insert: () => inserting(place, made, false).updateEntity(false).execute(),
    })
  }

  /** TypeORM does not change columns with `update: false`, so that only their own values can be given. */
  const assertKept = async (key: Key, values: Row, guard: Condition): Promise<void> => {
    const kept = Object.entries(values).filter(
      ([name, value]) =>
        value !== undefined && value !== DEFAULT && !memberOf(entity, name).metadata.isUpdate,
    )
    const row = kept.length === 0 ? undefined : await read(key, guard)
    if (row === undefined) return
    const fields = kept
      .filter(([name, value]) => !isSame(memberOf(entity, name).field, ownValue(row, name), value))
      .map(([name]) => name)
    if (fields.length > 0) throw new SourceError('value', { fields })
  }

  const update: RecordStore['update'] = async (key, values, guard) => {
    await assertKept(key, values, guard)
    const given = Object.fromEntries(
      Object.entries(values).filter(
        ([name, value]) => value !== undefined && memberOf(entity, name).metadata.isUpdate,
      ),
    )
    const names = Object.keys(given)
    const isTouched = raised !== undefined && Object.hasOwn(values, raised)
    if (names.length === 0 && !isTouched) return read(key, guard)
    const next = keyAfter(model, key, given)
    const isMoved = names.some((name) => model.primaryKey.includes(name))
    const hasListeners = isHeard(source, metadata, 'Update')
    // TypeORM cannot save a record whose key changes.
    if (hasListeners && !isMoved && names.length > 0)
      return together(async (where) => {
        const record = await loaded(where, key, guard)
        if (record === undefined) return undefined
        const version: unknown = metadata.versionColumn?.getEntityValue(record)
        change(place, record, entity, given)
        await where.manager.save(metadata.target, record, { reload: false })
        const row = await inside(where).read(next, everything)
        // save() does not write anything if the values are the same.
        if (!isTouched || row === undefined || String(ownValue(row, raised)) !== String(version)) return row
        return inside(where).update(next, { [raised]: undefined }, everything)
      })
    const updating = (where: Place) => {
      const scope = newScope(place, { written: entity })
      const changes = literalOf(database, scope, entity, given, false)
      const query = where.manager.createQueryBuilder().update(targetOf(database, entity)).set(changes)
      return query.where(writing(scope, key, guard)).setParameters(scope.parameters)
    }
    if (!hasListeners && (family === 'pg' || family === 'sqlite'))
      return (await returning(updating(place)))[0]
    return together(async (where) => {
      const { affected } = await updating(where).execute()
      return affected === 0 ? undefined : inside(where).read(next, everything)
    })
  }

  const removing = (where: Place, key: Key, guard: Condition) => {
    const scope = newScope(place, { written: entity })
    const builder = where.manager.createQueryBuilder()
    const condition = writing(scope, key, guard)
    const target = targetOf(database, entity)
    const query = isSoft ? builder.softDelete().from(target) : builder.delete().from(target)
    return query.where(condition).setParameters(scope.parameters)
  }

  const isRemoveHeard = (): boolean => isHeard(source, metadata, isSoft ? 'SoftRemove' : 'Remove')

  const removeLoaded = async (where: Place, key: Key, guard: Condition): Promise<boolean> => {
    const record = await loaded(where, key, guard)
    if (record === undefined) return false
    const { target } = metadata
    await (isSoft ? where.manager.softRemove(target, record) : where.manager.remove(target, record))
    return true
  }

  const remove: RecordStore['remove'] = async (key, guard) => {
    if (isRemoveHeard()) return together((where) => removeLoaded(where, key, guard))
    return ((await removing(place, key, guard).execute()).affected ?? 0) > 0
  }

  const take: RecordStore['take'] = async (key, guard) => {
    if (!isRemoveHeard() && !isSoft && family !== 'mysql')
      return (await returning(removing(place, key, guard)))[0]
    return together(async (where) => {
      const statements = inside(where)
      const row = await statements.read(key, guard, 'lock')
      return row !== undefined && (await statements.remove(key, guard)) ? row : undefined
    })
  }

  const own: Statements = {
    ...{ read, create, update, remove, take },
    // Without RETURNING, TypeORM may tell listeners the keys of other records.
    ...((!isCreateHeard() || source.driver.isReturningSqlSupported('insert')) && {
      createMany: (rows: readonly Row[]) => inBatches(rows, columns.length, createBatch),
    }),
    ...readsOf(entity, main, readerOf(place, entity)),
  }
  return own
}
