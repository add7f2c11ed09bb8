import { ownValue } from '../../model/objects.ts'
import { type Condition, everything } from '../../query/ast.ts'
import type { Key } from '../record-keys.ts'
import type { RecordStore, Row } from '../source.ts'
import { asMany } from '../sql/many.ts'
import { sql } from '../sql/text.ts'
import { assign, changesOf, flushed, needsEntity, touchedBy, withTargets, writtenRow } from './changes.ts'
import { creatingIn } from './creates.ts'
import { isPivot } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { dataOf, entityKey } from './entities.ts'
import { actIn, type Execution, inOneTransaction } from './execution.ts'
import { ownedBy } from './foreign-keys.ts'
import { hasListeners } from './hooks.ts'
import { loadedOf, readBack, shownAfter } from './reads.ts'

/** The statements of a model. The engine writes what no hook and no subscriber hears. */
export const statementsOf = (place: Execution, entity: MappedEntity): RecordStore => {
  const { database, engine, manager } = place
  const { metadata, model } = entity
  const version = [...entity.members.values()].find(({ property }) => property === metadata.versionProperty)
  const reads = engine.readsOf(manager, entity)
  const writes = engine.writesOf(manager, entity)

  /** The loaded entity of a record that meets the guard, locked until the end of the transaction. */
  const loaded = async (act: Execution, key: Key, guard: Condition) => {
    const row = await engine.plainReadsOf(act.manager, entity).read(key, guard, 'lock')
    return row && loadedOf(act.manager, entity, row)
  }

  const update: RecordStore['update'] = async (key, values, guard) => {
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
    const names = Object.keys(given)
    const raised = version?.field.raised === true ? version.field.name : undefined
    if (names.length === 0 && (raised === undefined || !Object.hasOwn(values, raised)))
      return reads.read(key, guard)
    const isMoved = names.some((name) => model.primaryKey.includes(name))
    // MikroORM finds a record by its key, so it cannot save one whose key changes.
    if ((hasListeners(database, entity, 'Update') || needsEntity(entity, given)) && !isMoved)
      return inOneTransaction(place, async (inside) => {
        const { record, row } = (await loaded(inside, key, guard)) ?? {}
        if (record === undefined || row === undefined) return undefined
        const changes = changesOf(inside, entity, given)
        const data = dataOf(entity, changes, row, true)
        assign(inside.manager, record, changes, await withTargets(inside.manager, changes, data))
        await flushed(inside.manager, new Set([record]))
        const next = entityKey(record, entity, (name) => ownValue(row, name))
        const [stored] = await readBack(inside, entity, [next])
        // MikroORM does not write a record whose values are the same.
        const isKept = raised !== undefined && ownValue(row, raised) === ownValue(stored, raised)
        return isKept ? updateQuietly(inside, next, {}, everything) : stored
      })
    return updateQuietly(place, key, given, guard)
  }

  const updateQuietly = async (where: Execution, key: Key, given: Row, guard: Condition) => {
    const act = actIn(where)
    const changes = [...changesOf(act, entity, given), ...touchedBy(entity, given, act.manager)]
    const row = { ...writtenRow(database, changes), ...raising(given) }
    const write = ({ manager }: Execution) => engine.writesOf(manager, entity).update(key, row, guard)
    return (await shownAfter(where, entity, asMany(write)))[0]
  }

  const raising = (given: Row): Row => {
    if (version === undefined || ownValue(given, version.field.name) !== undefined) return {}
    const { name, kind } = version.field
    return { [name]: kind === 'integer' ? sql`${sql.identifier(version.column)} + 1` : new Date() }
  }

  /** A record that is deleted with those that it refers to needs its entity. */
  const isRemoveHeard = (): boolean =>
    hasListeners(database, entity, 'Delete') ||
    ownedBy(metadata).some(
      ({ cascade, orphanRemoval }) =>
        !isPivot(metadata) && (orphanRemoval || cascade?.some((act) => act === 'remove' || act === 'all')),
    )

  const takeLoaded: RecordStore['take'] = (key, guard) =>
    inOneTransaction(place, async (inside) => {
      const { record, row } = (await loaded(inside, key, guard)) ?? {}
      if (record !== undefined) await inside.manager.remove(record).flush()
      return row
    })

  const takeQuietly = async (key: Key, guard: Condition): Promise<Row | undefined> => {
    const write = ({ manager }: Execution) => engine.writesOf(manager, entity).take(key, guard)
    return (await shownAfter(place, entity, asMany(write)))[0]
  }

  return {
    ...{ ...reads, ...creatingIn(place, entity), update },
    remove: async (key, guard) =>
      isRemoveHeard() ? (await takeLoaded(key, guard)) !== undefined : await writes.remove(key, guard),
    take: async (key, guard) => (isRemoveHeard() ? takeLoaded(key, guard) : takeQuietly(key, guard)),
  }
}
