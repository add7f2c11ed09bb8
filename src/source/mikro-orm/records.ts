import { ownValue } from '../../model/objects.ts'
import { type Condition, everything } from '../../query/ast.ts'
import type { RecordStore, Row } from '../source.ts'
import { whereOne } from '../sql/conditions.ts'
import type { Statements } from '../sql/orm-source.ts'
import { returning } from '../sql/selects.ts'
import { type Key, keyAfter, type Scope } from '../sql/tables.ts'
import { assign, changesOf, flushed, needsEntity, sqlOf, touchedBy, withTargets } from './changes.ts'
import { creatingIn } from './creates.ts'
import { isPivot } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { dataOf, keyIn } from './entities.ts'
import { ownedBy } from './foreign-keys.ts'
import { isHeard } from './hooks.ts'
import { actIn, newScope, type Place, together } from './place.ts'
import { found, loadedOf, readBack, readsIn } from './reads.ts'

type Verb = (table: string, scope: Scope) => string

/** The statements of a model. Writes without hooks are one statement where the database can return what it wrote. */
export const statementsOf = (place: Place, entity: MappedEntity): Statements => {
  const { database } = place
  const { family, quoted } = database
  const { metadata, model } = entity
  const version = [...entity.members.values()].find(({ property }) => property === metadata.versionProperty)

  /** The loaded entity of a record that meets the guard, locked until the end of the transaction. */
  const loaded = async (act: Place, key: Key, guard: Condition) => {
    const row = await found(act, entity, key, guard, { isLocked: true, isShown: false })
    return row && loadedOf(act.manager, entity, row)
  }

  /** @param verb the statement without its condition. Its table has no alias */
  const writing = (act: Place, key: Key, guard: Condition, verb: Verb) => {
    const scope = newScope(act, { written: entity })
    const { table, living } = scope.tableOf(model.name)
    const where = [...living(table, scope), whereOne(scope, entity, table, key, guard)].join(' and ')
    return { scope, sql: `${verb(table, scope)} where ${where}` }
  }

  const written = async (...given: Parameters<typeof writing>): Promise<Row | undefined> => {
    const { scope, sql } = writing(...given)
    return (await returning(scope, entity, (end) => scope.rows(`${sql} ${end}`)))[0]
  }

  const isWritten = async (...given: Parameters<typeof writing>): Promise<boolean> => {
    const { scope, sql } = writing(...given)
    return (await scope.run(sql)).affectedRows > 0
  }

  const update: RecordStore['update'] = async (key, values, guard) => {
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
    const names = Object.keys(given)
    const raised = version?.field.raised === true ? version.field.name : undefined
    if (names.length === 0 && (raised === undefined || !Object.hasOwn(values, raised)))
      return found(place, entity, key, guard)
    const isMoved = names.some((name) => model.primaryKey.includes(name))
    // MikroORM finds a record by its key, so it cannot save one whose key changes.
    if ((isHeard(database, entity, 'Update') || needsEntity(entity, given)) && !isMoved)
      return together(place, async (inside) => {
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
    return updateQuietly(place, key, given, guard)
  }

  const updateQuietly = async (
    where: Place,
    key: Key,
    given: Row,
    guard: Condition,
  ): Promise<Row | undefined> => {
    const act = actIn(where)
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

  const raising = (scope: Scope, given: Row): readonly string[] => {
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
    together(place, async (inside) => {
      const { record, row } = (await loaded(inside, key, guard)) ?? {}
      if (record !== undefined) await inside.manager.remove(record).flush()
      return row
    })

  return {
    ...{ ...creatingIn(place, entity), ...readsIn(place, entity), update },
    read: (key, guard, lock) => found(place, entity, key, guard, { isLocked: lock !== undefined }),
    remove: async (key, guard) =>
      isRemoveHeard() ? (await takeLoaded(key, guard)) !== undefined : isWritten(place, key, guard, deleting),
    take: async (key, guard) => {
      if (isRemoveHeard()) return takeLoaded(key, guard)
      if (family !== 'mysql') return written(place, key, guard, deleting)
      return together(place, async (inside) => {
        const row = await found(inside, entity, key, guard, { isLocked: true })
        // The record is locked, and meets the guard.
        return row && (await isWritten(inside, key, everything, deleting)) ? row : undefined
      })
    },
  }
}

const deleting: Verb = (table) => `delete from ${table}`
