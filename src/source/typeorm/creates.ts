import { ownValue } from '../../model/objects.ts'
import { everything } from '../../query/ast.ts'
import type { Key } from '../record-keys.ts'
import type { RecordStore, Row } from '../source.ts'
import { asMany, inBatches, readInOrder } from '../sql/many.ts'
import { memberOf } from '../sql/tables.ts'
import { literalOf, newRow } from './changes.ts'
import type { MappedEntity } from './describe.ts'
import { type Execution, inOneTransaction, targetOf } from './execution.ts'
import { hasListeners, isSpatial } from './hooks.ts'
import { shownAfter } from './reads.ts'

/** New records. The engine writes those that no listener hears. */
export const creatingIn = (
  place: Execution,
  entity: MappedEntity,
): Pick<RecordStore, 'create' | 'createMany'> => {
  const { database, engine, manager } = place
  const { source, family } = database
  const { metadata, model } = entity

  // On PostgreSQL, TypeORM would leave out a given key of a column that counts up.
  const insertedColumns =
    family === 'pg' && metadata.generatedColumns.length > 0
      ? metadata.columns.filter(({ isInsert }) => isInsert).map(({ propertyPath }) => propertyPath)
      : undefined

  /** Inserts entities, of which listeners hear. */
  const insertedKeys = async (where: Execution, rows: readonly Row[]): Promise<readonly Key[]> => {
    const records = rows.map((row) => where.manager.create(metadata.target, literalOf(database, entity, row)))
    const query = where.manager
      .createQueryBuilder()
      .insert()
      .into(targetOf(database, entity), insertedColumns)
    const { identifiers } = await query.values(records).execute()
    return rows.map((row, at) =>
      model.primaryKey.map((name) => {
        const own: unknown = memberOf(entity, name).metadata.getEntityValue(identifiers[at] ?? {})
        // Subscribers may have changed a key. SQL expressions are not values.
        const isKnown = own !== undefined && own !== null && typeof own !== 'function'
        return isKnown ? own : (ownValue(row, name) ?? own)
      }),
    )
  }

  const isCreateHeard = (): boolean => hasListeners(source, metadata, 'Insert') || isSpatial(source, metadata)

  const create: RecordStore['create'] = async (given) => {
    if (!isCreateHeard()) {
      const row = newRow(database, entity, given)
      const write = ({ manager }: Execution) => engine.writesOf(manager, entity).create(row)
      return (await shownAfter(place, entity, asMany(write)))[0] ?? {}
    }
    return inOneTransaction(place, async (where) => {
      const [key = []] = await insertedKeys(where, [given])
      return (await engine.readsOf(where.manager, entity).read(key, everything)) ?? {}
    })
  }

  const createMany = (rows: readonly Row[]): Promise<readonly Row[]> => {
    if (isCreateHeard())
      return inBatches(rows, entity.members.size, async (batch) =>
        readInOrder(model, await insertedKeys(place, batch), engine.readsOf(manager, entity)),
      )
    const made = rows.map((row) => newRow(database, entity, row))
    return shownAfter(place, entity, (where) => engine.writesOf(where.manager, entity).createMany(made))
  }

  return {
    create,
    // Without RETURNING, TypeORM may tell listeners the keys of other records.
    ...((!isCreateHeard() || source.driver.isReturningSqlSupported('insert')) && { createMany }),
  }
}
