import { ownValue } from '../../model/objects.ts'
import { both, type Condition, everything } from '../../query/ast.ts'
import type { RecordStore, Row } from '../source.ts'
import { whereOf } from '../sql/conditions.ts'
import type { Statements } from '../sql/orm-source.ts'
import { type Key, keyAfter, keyCondition } from '../sql/tables.ts'
import { assign, changesOf, flushed, needsEntity, sqlOf, touchedBy, withTargets } from './changes.ts'
import { creatingIn } from './creates.ts'
import { isPivot } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { dataOf, keyIn } from './entities.ts'
import { ownedBy } from './foreign-keys.ts'
import { isHeard } from './hooks.ts'
import {
  actIn,
  type BoundScope,
  livingWhere,
  type Place,
  returning,
  run,
  together,
  withScope,
} from './place.ts'
import { found, loadedOf, readBack, readingIn } from './reads.ts'

type Verb = (table: string, scope: BoundScope) => string

/** The statements of a model. Writes without hooks are one statement where the database can return what it wrote. */
export const statementsOf = (place: Place, entity: MappedEntity): Statements => {
  const { database } = place
  const { family, quoted } = database
  const { metadata, model } = entity
  const version = [...entity.members.values()].find(({ property }) => property === metadata.versionProperty)

  const one = (key: Key, guard: Condition): Condition => both(keyCondition(model, key), guard)

  const readOne = async (
    act: Place,
    key: Key,
    guard: Condition,
    isLocked: boolean,
  ): Promise<Row | undefined> => (await found(act, entity, one(key, guard), { isLocked }))[0]

  /** The loaded entity of a record that meets the guard, locked until the end of the transaction. */
  const loaded = async (act: Place, key: Key, guard: Condition) => {
    const [row] = await found(act, entity, one(key, guard), { isLocked: true, isShown: false })
    return row && loadedOf(act.manager, entity, row)
  }

  /** @param verb the statement without its condition. Its table has no alias */
  const writeSql = (scope: BoundScope, key: Key, guard: Condition, verb: Verb): string => {
    const { table } = scope.tableOf(model.name)
    const condition = whereOf(scope, entity, table, one(key, guard))
    return `${verb(table, scope)} where ${livingWhere(scope, entity, table, condition)}`
  }

  const written = (act: Place, key: Key, guard: Condition, verb: Verb): Promise<Row | undefined> =>
    withScope(
      act,
      async (scope) => (await returning(act, entity, scope, writeSql(scope, key, guard, verb)))[0],
      { written: entity },
    )

  const isWritten = (act: Place, key: Key, guard: Condition, verb: Verb): Promise<boolean> =>
    withScope(
      act,
      async (scope) => (await run(act, scope, writeSql(scope, key, guard, verb))).affectedRows > 0,
      { written: entity },
    )

  const update: RecordStore['update'] = async (key, values, guard) => {
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
    const names = Object.keys(given)
    const act = actIn(place)
    const raised = version?.field.raised === true ? version.field.name : undefined
    if (names.length === 0 && (raised === undefined || !Object.hasOwn(values, raised)))
      return readOne(act, key, guard, false)
    const isMoved = names.some((name) => model.primaryKey.includes(name))
    // MikroORM finds a record by its key, so it cannot save one whose key changes.
    if ((isHeard(database, entity, 'Update') || needsEntity(entity, given)) && !isMoved)
      return together(act, async (inside) => {
        const { record, row } = (await loaded(inside, key, guard)) ?? {}
        if (record === undefined || row === undefined) return undefined
        const changes = changesOf(inside, entity, given)
        const data = dataOf(entity, changes, row, true)
        assign(inside.manager, record, changes, await withTargets(inside.manager, changes, data))
        await flushed(inside.manager, new Set([record]))
        const next = keyIn(record, entity, (name) => ownValue(row, name))
        const [stored] = await readBack(inside, entity, [next])
        // MikroORM does not write a record whose values are the same.
        const isKept = raised !== undefined && ownValue(row, raised) === ownValue(stored, raised)
        return isKept ? updateQuietly(inside, next, {}, everything) : stored
      })
    return updateQuietly(act, key, given, guard)
  }

  const updateQuietly = async (
    act: Place,
    key: Key,
    given: Row,
    guard: Condition,
  ): Promise<Row | undefined> => {
    const changes = [...changesOf(act, entity, given), ...touchedBy(entity, given, act.manager)]
    const updating: Verb = (table, scope) => {
      const sets = changes.map(
        (change) => `${quoted(change.member.column)} = ${sqlOf(database.platform, scope, change)}`,
      )
      return `update ${table} set ${[...sets, ...raising(scope, given)].join(', ')}`
    }
    if (family === 'pg' || family === 'sqlite') return written(act, key, guard, updating)
    const next = keyAfter(model, key, given)
    return together(act, async (inside) =>
      (await isWritten(inside, key, guard, updating))
        ? (await readBack(inside, entity, [next]))[0]
        : undefined,
    )
  }

  const raising = (scope: BoundScope, given: Row): readonly string[] => {
    if (version === undefined || ownValue(given, version.field.name) !== undefined) return []
    const column = quoted(version.column)
    const isNumber = version.field.kind === 'integer'
    const now = { member: version, value: new Date() }
    return [`${column} = ${isNumber ? `${column} + 1` : sqlOf(database.platform, scope, now)}`]
  }

  /** A record that is deleted with those that it refers to needs its entity. */
  const isRemoveHeard = (): boolean =>
    isHeard(database, entity, 'Delete') ||
    ownedBy(metadata).some(
      ({ cascade, orphanRemoval }) =>
        !isPivot(metadata) && (orphanRemoval || cascade?.some((act) => act === 'remove' || act === 'all')),
    )

  const takeLoaded: RecordStore['take'] = (key, guard) =>
    together(actIn(place), async (inside) => {
      const { record, row } = (await loaded(inside, key, guard)) ?? {}
      if (record !== undefined) await inside.manager.remove(record).flush()
      return row
    })

  return {
    ...{ ...creatingIn(place, entity), ...readingIn(place, entity), update },
    read: (key, guard, lock) => readOne(actIn(place), key, guard, lock !== undefined),
    remove: async (key, guard) =>
      isRemoveHeard()
        ? (await takeLoaded(key, guard)) !== undefined
        : isWritten(actIn(place), key, guard, deleting),
    take: async (key, guard) => {
      if (isRemoveHeard()) return takeLoaded(key, guard)
      if (family !== 'mysql') return written(actIn(place), key, guard, deleting)
      return together(actIn(place), async (inside) => {
        const row = await readOne(inside, key, guard, true)
        // The record is locked, and meets the guard.
        return row && (await isWritten(inside, key, everything, deleting)) ? row : undefined
      })
    },
  }
}

const deleting: Verb = (table) => `delete from ${table}`
