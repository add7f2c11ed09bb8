import { keyValues } from '../record-keys.ts'
import type { RecordStore, Row } from '../source.ts'
import { isMysql } from '../sql/codecs.ts'
import { readInOrder } from '../sql/many.ts'
import { changesOf, writtenRow } from './changes.ts'
import type { MappedDefined } from './describe.ts'
import type { Execution } from './execution.ts'
import { hasListeners, isRewritten, needsRecord } from './hooks.ts'
import { isSaidAbout } from './reads.ts'
import type { SequelizeDatabase } from './values.ts'

/** Whether nothing hears that Sequelize writes, or replaces it. Hooks may be added at any time. */
export const isUnheard = (
  { sequelize, Model }: SequelizeDatabase,
  { defined, columnsToWrite }: MappedDefined,
  act: 'create' | 'update',
): boolean =>
  columnsToWrite !== undefined &&
  !hasListeners(sequelize, defined, act === 'create' ? 'create' : 'bulk') &&
  defined[act] === Model[act] &&
  Reflect.get(defined.prototype, 'save') === Model.prototype.save

/** Whether getters or hooks show other values than those that are stored. */
const isShown = (database: SequelizeDatabase, mapped: MappedDefined): boolean =>
  hasListeners(database.sequelize, mapped.defined, 'read') ||
  isSaidAbout({ database }, mapped) ||
  isRewritten(mapped.defined)

/** Whether a write is one statement of our own that returns the record, as Sequelize's calls and a read would. */
export const isReturned = (
  database: SequelizeDatabase,
  mapped: MappedDefined,
  act: 'create' | 'update',
): boolean =>
  hasReturning(database) &&
  isUnheard(database, mapped, act) &&
  !isShown(database, mapped) &&
  !(act === 'update' && needsRecord(database.sequelize, mapped.defined))

const hasReturning = ({ family }: SequelizeDatabase): boolean => !isMysql(family)

/** Stores records by statements of the engine, of values that the validators of the model accept. */
export const createMany = async (
  place: Execution,
  mapped: MappedDefined,
  rows: readonly Row[],
  statements: Pick<RecordStore, 'list' | 'read'>,
): Promise<readonly Row[]> => {
  const { database, engine } = place
  const { model } = mapped
  const made: Row[] = []
  for (const row of rows)
    made.push(await writtenRow(database, mapped, 'create', changesOf(database, mapped, row)))
  const stored = await engine.writesOf(place, mapped).createMany(made)
  if (!isShown(database, mapped)) return stored
  const keys = stored.map((row) => keyValues(row, model.primaryKey))
  return readInOrder(model, keys, statements)
}
