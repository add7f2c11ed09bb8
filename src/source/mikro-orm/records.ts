import { ownValue } from '../../model/objects.ts'
import { both, type Condition, everything } from '../../query/ast.ts'
import type { RecordStore, Row } from '../source.ts'
import type { Statements } from '../sql/orm-source.ts'
import { returned, rowOf, valuesOf } from '../sql/selects.ts'
import { type Key, keyCondition, type Scope } from '../sql/tables.ts'
import {
  assign,
  changesOf,
  dataOfChanges,
  flushed,
  needsEntity,
  sqlOf,
  touchedBy,
  withTargets,
} from './changes.ts'
import { creatingIn } from './creates.ts'
import { isPivot } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { keyIn } from './entities.ts'
import { ownedBy } from './foreign-keys.ts'
import { isHeard } from './hooks.ts'
import { aggregated, counted, found, listed, loadedOf, readBack } from './reads.ts'
import { actIn, livingWhere, type Place, rowsOf, run, together } from './statements.ts'

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

  /** Writes, and returns the record that the statement itself returns. */
  const returning = async (act: Place, build: (scope: Scope) => string): Promise<Row | undefined> => {
    const { built, raws } = await rowsOf(
      act,
      (scope) => {
        const values = valuesOf(scope, entity)
        return { values, sql: `${build(scope)} returning ${returned(scope, values)}` }
      },
      { written: entity },
    )
    return raws[0] && rowOf(entity, built.values, raws[0])
  }

  const isWritten = async (act: Place, build: (scope: Scope) => string): Promise<boolean> =>
    (await run(act, build, { written: entity })).affectedRows > 0

  /** The table and the condition of a statement that writes, whose table has no alias. */
  const writing = (scope: Scope, key: Key, guard: Condition) => {
    const { table } = scope.tableOf(model.name)
    return { table, where: livingWhere(scope, entity, table, keyCondition(model, key), guard) }
  }

  const update: RecordStore['update'] = async (key, values, guard) => {
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
    const names = Object.keys(given)
    const act = actIn(place)
    const isRaised = version?.field.raised === true && Object.hasOwn(values, version.field.name)
    if (names.length === 0 && !isRaised) return readOne(act, key, guard, false)
    const isMoved = names.some((name) => model.primaryKey.includes(name))
    // MikroORM finds a record by its key, so it cannot save one whose key changes.
    if ((isHeard(database, entity, 'Update') || needsEntity(entity, given)) && !isMoved)
      return together(act, async (inside) => {
        const { record, row } = (await loaded(inside, key, guard)) ?? {}
        if (record === undefined || row === undefined) return undefined
        const changes = changesOf(inside, entity, given)
        const data = dataOfChanges(entity, changes, row, true)
        assign(inside.manager, record, changes, await withTargets(inside.manager, changes, data))
        await flushed(inside.manager, new Set([record]))
        const next = keyIn(record, entity, (name) => ownValue(row, name))
        const [stored] = await readBack(inside, entity, [next])
        const isSame = isRaised && ownValue(row, version.field.name) === ownValue(stored, version.field.name)
        return isSame ? updateQuietly(inside, next, {}, everything) : stored
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
    const updating = (scope: Scope): string => {
      const { table, where } = writing(scope, key, guard)
      const sets = changes.map(
        (change) => `${quoted(change.member.column)} = ${sqlOf(database, scope, change)}`,
      )
      return `update ${table} set ${[...sets, ...raised(scope, given)].join(', ')} where ${where}`
    }
    if (family === 'pg' || family === 'sqlite') return returning(act, updating)
    const next = model.primaryKey.map((name, at) => ownValue(given, name) ?? key[at])
    return together(act, async (inside) =>
      (await isWritten(inside, updating)) ? (await readBack(inside, entity, [next]))[0] : undefined,
    )
  }

  const raised = (scope: Scope, given: Row): readonly string[] => {
    if (version === undefined || ownValue(given, version.field.name) !== undefined) return []
    const column = quoted(version.column)
    const next =
      version.field.kind === 'integer'
        ? `${column} + 1`
        : sqlOf(database, scope, { member: version, value: new Date() })
    return [`${column} = ${next}`]
  }

  const deleting =
    (key: Key, guard: Condition) =>
    (scope: Scope): string => {
      const { table, where } = writing(scope, key, guard)
      return `delete from ${table} where ${where}`
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
    ...creatingIn(place, entity),
    update,
    read: (key, guard, lock) => readOne(actIn(place), key, guard, lock !== undefined),
    remove: async (key, guard) =>
      isRemoveHeard()
        ? (await takeLoaded(key, guard)) !== undefined
        : isWritten(actIn(place), deleting(key, guard)),
    take: async (key, guard) => {
      if (isRemoveHeard()) return takeLoaded(key, guard)
      if (family !== 'mysql') return returning(actIn(place), deleting(key, guard))
      return together(actIn(place), async (inside) => {
        const row = await readOne(inside, key, guard, true)
        // The record is locked, and meets the guard.
        return row && (await isWritten(inside, deleting(key, everything))) ? row : undefined
      })
    },
    list: (selection, guard, admits) => listed(actIn(place), entity, selection, guard, admits),
    count: (filter, guard, atMost) => counted(actIn(place), entity, [filter, guard], atMost),
    aggregate: (aggregation, guard, admits) => aggregated(actIn(place), entity, aggregation, guard, admits),
  }
}
