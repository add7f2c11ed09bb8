import { isRaw, raw } from '@mikro-orm/core'
import { ownValue } from '../../model/objects.ts'
import { type Condition, everything } from '../../query/ast.ts'
import { DEFAULT, type RecordStore, type Row, SourceError } from '../source.ts'
import { isMysql } from '../sql/codecs.ts'
import type { Statements } from '../sql/orm-source.ts'
import { columnAt, rowOf, valuesOf } from '../sql/selects.ts'
import { type Key, keyCondition, memberOf, type Scope } from '../sql/tables.ts'
import { type Change, fitting, flushed, forget, heldAs, madeIn, refer, withTargets } from './changes.ts'
import { isPivot, type SqlManager } from './database.ts'
import type { MappedEntity, Member } from './describe.ts'
import { dataOf, entityValue, keyIn } from './entities.ts'
import { ownedBy } from './foreign-keys.ts'
import { isHeard } from './hooks.ts'
import { aggregated, counted, listed, loadedOf, readOne } from './reads.ts'
import { livingWhere, managerOf, type Place, prepared, rowsOf } from './statements.ts'

/** The statements of a model. Writes without hooks are one statement where the database can return what it wrote. */
export const statementsOf = (place: Place, entity: MappedEntity): Statements => {
  const { database } = place
  const { orm, family, platform, quoted } = database
  const { metadata, model } = entity
  const versionOf: string | undefined = metadata.versionProperty
  const events = orm.em.getEventManager()
  const canReturn = family !== 'mysql'

  /** Runs several statements in the open transaction, or in one of their own. */
  const together = <T>(work: (inside: Place) => Promise<T>): Promise<T> => {
    const manager = managerOf(place)
    if (manager.isInTransaction()) return work({ ...place, manager, isInside: true })
    return database.transaction(manager, (inner) => work({ ...place, manager: inner, isInside: true }))
  }

  const readBack = async (inside: Place, key: Key): Promise<Row | undefined> => {
    const isKnown = !key.includes(undefined)
    const row = isKnown ? await readOne(inside, entity, key, everything, { isFiltered: false }) : undefined
    if (row === undefined)
      throw new Error(
        `${model.name}: MikroORM does not learn the key that the database makes. Make it with onCreate.`,
      )
    return row
  }

  const read: RecordStore['read'] = (key, guard, lock) =>
    readOne(place, entity, key, guard, { isLocked: lock !== undefined })

  /** The loaded entity of a record that meets the guard, locked until the end of the transaction. */
  const loaded = async (inside: Place, manager: SqlManager, key: Key, guard: Condition) => {
    const row = await readOne(inside, entity, key, guard, { isLocked: true, isShown: false })
    return row && loadedOf(manager, entity, row)
  }

  const tableOf = (scope: Scope): string => scope.tableOf(model.name).table

  const sqlOf = (scope: Scope, { member: { codec, field }, value }: Change): string => {
    if (value === null) return 'null'
    if (isRaw(value)) return platform.formatQuery(value.sql, value.params)
    const written = scope.value(codec.param(value), field.name)
    return codec.around?.(written) ?? written
  }

  const returned = (scope: Scope): string =>
    valuesOf(scope, entity)
      .map(({ sql }, at) => `${sql} as ${quoted(columnAt(at))}`)
      .join(', ')

  const returning = async (
    manager: SqlManager,
    build: (scope: Scope) => string,
    written?: MappedEntity,
  ): Promise<Row | undefined> => {
    const statement = await prepared(
      place,
      manager,
      (scope) => ({ sql: `${build(scope)} returning ${returned(scope)}`, values: valuesOf(scope, entity) }),
      { ...(written && { written }) },
    )
    const [found] = await rowsOf(manager, statement)
    return found && rowOf(entity, statement.values, found)
  }

  const run = async (
    manager: SqlManager,
    build: (scope: Scope) => string,
    written?: MappedEntity,
  ): Promise<{ readonly affectedRows: number; readonly insertId?: number }> => {
    const statement = await prepared(place, manager, (scope) => ({ sql: build(scope) }), {
      ...(written && { written }),
    })
    const { sql, parameters } = statement
    return (await manager.execute(sql, parameters, 'run')) as { affectedRows: number; insertId?: number }
  }

  const changesOf = (given: Row, manager: SqlManager): readonly Change[] =>
    Object.entries(given).flatMap(([name, value]) => {
      const member = memberOf(entity, name)
      if (value === undefined) return []
      if (value === null && !member.field.nullable) throw new SourceError('not-null', { fields: [name] })
      if (value === DEFAULT) return [{ member, value: defaultOf(member, manager) }]
      return [fitting({ member, value })]
    })

  const defaultOf = ({ declared, codec }: Member, manager: SqlManager): unknown => {
    if (declared.onCreate !== undefined) return heldAs(declared.onCreate({}, manager), codec)
    return raw(family === 'sqlite' ? (declared.defaultRaw ?? 'null') : 'default')
  }

  const dataOfChanges = (changes: readonly Change[], row: Row, isWhole = true): Record<string, unknown> =>
    dataOf(
      entity,
      new Map(changes.map(({ member, value }) => [member, entityValue(member, value)])),
      ({ field }) => ownValue(row, field.name),
      isWhole,
    )

  const create: RecordStore['create'] = async (given) => {
    const isLoud = isHeard(events, metadata, 'Create')
    const creating = async (manager: SqlManager, inside: Place): Promise<Row | undefined> => {
      const changes = changesOf(given, manager)
      const own = dataOfChanges(changes, {}, isLoud)
      const data = isLoud ? await withTargets(manager, changes, own) : own
      const record = isPivot(metadata)
        ? {}
        : (manager.create(metadata.class, data, { persist: false }) as object)
      if (isLoud) {
        await flushed(manager.persist(record), record)
        return readBack(
          inside,
          keyIn(record, entity, (name) => ownValue(given, name)),
        )
      }
      const all = [...changes, ...madeIn(record, entity, given, manager).map(fitting)]
      const inserting = (scope: Scope): string => {
        const columns = all.map(({ member }) => quoted(member.column)).join(', ')
        const values = all.map((change) => sqlOf(scope, change)).join(', ')
        const isEmpty = all.length === 0 && !isMysql(family)
        return `insert into ${tableOf(scope)} ${isEmpty ? 'default values' : `(${columns}) values (${values})`}`
      }
      if (canReturn) return returning(manager, inserting)
      const { insertId } = await run(manager, inserting)
      return readBack(
        inside,
        keyIn(record, entity, (name) => ownValue(given, name) ?? insertId),
      )
    }
    const row =
      isLoud || !canReturn
        ? await together((inside) => creating(managerOf(inside), inside))
        : await creating(managerOf(place), place)
    return row ?? {}
  }

  /** What MikroORM changes itself. `undefined`: it needs the entity. */
  const touched = (given: Row, manager: SqlManager): readonly Change[] | undefined => {
    const own = [...entity.members.values()].filter(
      ({ declared, field }) => declared.onUpdate !== undefined && ownValue(given, field.name) === undefined,
    )
    if (own.some(({ declared }) => (declared.onUpdate?.length ?? 0) > 0)) return undefined
    return own.map((member) => ({
      ...fitting({ member, value: heldAs(member.declared.onUpdate?.({}, manager), member.codec) }),
    }))
  }

  const update: RecordStore['update'] = async (key, values, guard) => {
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
    const names = Object.keys(given)
    if (names.length === 0) return read(key, guard)
    const isMoved = names.some((name) => model.primaryKey.includes(name))
    const next = model.primaryKey.map((name, at) => ownValue(given, name) ?? key[at])
    const manager = managerOf(place)
    const own = touched(given, manager)
    // MikroORM finds a record by its key, so it cannot save one whose key changes.
    if ((isHeard(events, metadata, 'Update') || own === undefined) && !isMoved)
      return together(async (inside) => {
        const one = managerOf(inside)
        const found = await loaded(inside, one, key, guard)
        if (found === undefined) return undefined
        const { record, row } = found
        const changes = changesOf(given, one)
        const data = await withTargets(one, changes, dataOfChanges(changes, row))
        for (const { member } of changes) forget(record, member)
        one.assign(record, data, { mergeObjectProperties: false })
        for (const { member } of changes) refer(record, member)
        await flushed(one, record)
        return readBack(
          inside,
          keyIn(record, entity, (name) => ownValue(row, name)),
        )
      })
    const updating = (scope: Scope): string => {
      const changes = [...changesOf(given, manager), ...(own ?? [])].map(
        (change) => `${quoted(change.member.column)} = ${sqlOf(scope, change)}`,
      )
      const version = [...entity.members.values()].find(
        ({ property, field }) => property === versionOf && ownValue(given, field.name) === undefined,
      )
      const raised = version === undefined ? [] : [raisedSql(scope, version)]
      return `update ${tableOf(scope)} set ${[...changes, ...raised].join(', ')} where ${writing(scope, key, guard)}`
    }
    if (family === 'pg' || family === 'sqlite') return returning(manager, updating, entity)
    return together(async (inside) => {
      const { affectedRows } = await run(managerOf(inside), updating, entity)
      return affectedRows === 0 ? undefined : readBack(inside, next)
    })
  }

  const raisedSql = (scope: Scope, member: Member): string => {
    const column = quoted(member.column)
    const isNumber = member.field.kind === 'integer'
    return `${column} = ${isNumber ? `${column} + 1` : sqlOf(scope, { member, value: new Date() })}`
  }

  /** The condition of a statement that writes, whose table has no alias. */
  const writing = (scope: Scope, key: Key, guard: Condition): string =>
    livingWhere(scope, entity, tableOf(scope), keyCondition(model, key), guard)

  const deleting =
    (key: Key, guard: Condition) =>
    (scope: Scope): string =>
      `delete from ${tableOf(scope)} where ${writing(scope, key, guard)}`

  /** A record that is deleted with those that it refers to needs its entity. */
  const isRemoveHeard = (): boolean =>
    isHeard(events, metadata, 'Delete') ||
    ownedBy(metadata).some(
      ({ cascade, orphanRemoval }) =>
        !isPivot(metadata) && (orphanRemoval || cascade?.some((act) => act === 'remove' || act === 'all')),
    )

  const remove: RecordStore['remove'] = async (key, guard) => {
    if (!isRemoveHeard()) {
      const { affectedRows } = await run(managerOf(place), deleting(key, guard), entity)
      return affectedRows > 0
    }
    return together(async (inside) => (await removeLoaded(inside, key, guard)) !== undefined)
  }

  const removeLoaded = async (inside: Place, key: Key, guard: Condition): Promise<Row | undefined> => {
    const manager = managerOf(inside)
    const found = await loaded(inside, manager, key, guard)
    if (found === undefined) return undefined
    await manager.remove(found.record).flush()
    return found.row
  }

  const take: RecordStore['take'] = async (key, guard) => {
    if (isRemoveHeard()) return together((inside) => removeLoaded(inside, key, guard))
    if (canReturn) return returning(managerOf(place), deleting(key, guard), entity)
    return together(async (inside) => {
      const row = await readOne(inside, entity, key, guard, { isLocked: true })
      if (row === undefined) return undefined
      // The record is locked, and meets the guard.
      const { affectedRows } = await run(managerOf(inside), deleting(key, everything), entity)
      return affectedRows > 0 ? row : undefined
    })
  }

  return {
    ...{ read, create, update, remove, take },
    list: (selection, guard, admits) => listed(place, entity, selection, guard, admits),
    count: (filter, guard, atMost) => counted(place, entity, [filter, guard], atMost),
    aggregate: (aggregation, guard, admits) => aggregated(place, entity, aggregation, guard, admits),
  }
}
