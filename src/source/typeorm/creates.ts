import type { ObjectLiteral } from 'typeorm'
import { ownValue } from '../../model/objects.ts'
import { everything } from '../../query/ast.ts'
import type { RecordStore, Row } from '../source.ts'
import { countedIn, givenKey, inBatches, insertedByKeys, readInOrder } from '../sql/many.ts'
import type { Statements } from '../sql/orm-source.ts'
import { type Key, memberOf } from '../sql/tables.ts'
import { literalOf } from './changes.ts'
import type { MappedEntity } from './describe.ts'
import { isHeard } from './hooks.ts'
import { bound, type Place, returning, targetOf, together } from './place.ts'

/** @param statementsIn all statements of the entity, which read what was stored */
export const creatingIn = (
  place: Place,
  entity: MappedEntity,
  statementsIn: (where: Place) => Statements,
): Pick<RecordStore, 'create' | 'createMany'> => {
  const { database, manager } = place
  const { source, family } = database
  const { metadata, model } = entity

  // On PostgreSQL, TypeORM would leave out a given key of a column that counts up.
  const insertedColumns =
    family === 'pg' && metadata.generatedColumns.length > 0
      ? metadata.columns.filter(({ isInsert }) => isInsert).map(({ propertyPath }) => propertyPath)
      : undefined

  const inserting = (where: Place, rows: readonly Row[], hasListeners: boolean) => {
    const { text, parameters } = bound(database)
    const records = rows.map((row): ObjectLiteral => {
      const literal = literalOf(database, text, entity, row, hasListeners)
      return hasListeners ? where.manager.create(metadata.target, literal) : literal
    })
    const query = where.manager
      .createQueryBuilder()
      .insert()
      .into(targetOf(database, entity), insertedColumns)
    return query.values(records).setParameters(parameters)
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
      return (await returning(place, entity, inserting(place, [given], false)))[0] ?? {}
    return together(place, async (where) => {
      const [key = []] = await insertedKeys(where, [given], hasListeners)
      return (await statementsIn(where).read(key, everything)) ?? {}
    })
  }

  const madeAs = (name: string): unknown => memberOf(entity, name).metadata.generationStrategy

  const createBatch = async (rows: readonly Row[]): Promise<readonly Row[]> => {
    if (isCreateHeard()) return readInOrder(model, await insertedKeys(place, rows, true), statementsIn(place))
    if (family !== 'mysql') return returning(place, entity, inserting(place, rows, false))
    // TypeORM would make them too, but does not return them.
    const uuids = model.primaryKey.filter((name) => madeAs(name) === 'uuid')
    const made = rows.map((row) => ({
      ...row,
      ...Object.fromEntries(uuids.map((name) => [name, ownValue(row, name) ?? crypto.randomUUID()])),
    }))
    const records = made.map((row) => ({ row, key: givenKey(model, row) }))
    return insertedByKeys(records, {
      ...{ model, inForm: countedIn(entity), statements: statementsIn(place) },
      select: (sql) => manager.query(sql),
      isCounted: model.primaryKey.every((name) => madeAs(name) === 'increment'),
      insert: () => inserting(place, made, false).updateEntity(false).execute(),
    })
  }

  return {
    create,
    // Without RETURNING, TypeORM may tell listeners the keys of other records.
    ...((!isCreateHeard() || source.driver.isReturningSqlSupported('insert')) && {
      createMany: (rows: readonly Row[]) => inBatches(rows, entity.members.size, createBatch),
    }),
  }
}
