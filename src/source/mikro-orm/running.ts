import { onceFor } from '../../model/objects.ts'
import { SourceError } from '../source.ts'
import { isMysql } from '../sql/codecs.ts'
import { type Database as Running, spellingOf } from '../sql/database.ts'
import { dialectOfFamily, engineDatabase, engineTable } from '../sql/mapped-table.ts'
import type { Engine } from '../sql/orm-source.ts'
import { stringSql } from '../sql/strings.ts'
import { sql } from '../sql/text.ts'
import { isPivot, type SqlManager, tableIn } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { isHeard } from './hooks.ts'
import { actIn, filterFor, type Place, together } from './place.ts'

/** What stands in the statements of the engine for what only the manager of an act knows. */
const marks = {
  value: ':modelrest value:',
  table: (at: number) => `:modelrest table ${at}:`,
  filter: (at: number, alias: string) => `:modelrest filter ${at}:${alias}:modelrest end:`,
}

const TABLE = /:modelrest table (\d+):/g
const FILTER = /:modelrest filter (\d+):(.*?):modelrest end:/g

/** Runs the statements of the engine where a manager runs its own, in the schema and with the filters of the request. */
const runningIn = (place: Place, entities: readonly MappedEntity[], sharesReads: boolean): Running => {
  const { database, manager } = place
  const { family, platform } = database
  const entityAt = (at: string): MappedEntity => entities.at(Number(at)) as MappedEntity

  const literal = (value: unknown): string => {
    if (typeof value !== 'string' || !value.includes('\0') || isMysql(family))
      return platform.quoteValue(value)
    // PostgreSQL cannot store it, and a statement of SQLite ends there.
    if (family === 'pg') throw new SourceError('value', { fields: [] })
    return stringSql(family, value)
  }

  const complete = async (act: Place, text: string, values: readonly unknown[]): Promise<string> => {
    const filterOf = onceFor((entity: MappedEntity) => filterFor(act, entity))
    const named = text.replace(TABLE, (_, at: string) =>
      tableIn(database, entityAt(at).metadata, act.manager.schema),
    )
    const filters = new Map<string, string>()
    for (const [mark, at = '', alias = ''] of named.matchAll(FILTER))
      filters.set(mark, (await filterOf(entityAt(at)))(alias))
    const [start = '', ...rest] = named.split(marks.value)
    const filtered = (part: string): string => part.replace(FILTER, (mark) => filters.get(mark) ?? mark)
    return filtered(start) + rest.map((part, at) => literal(values[at]) + filtered(part)).join('')
  }

  return engineDatabase({
    ...{ family, sharesReads, handle: manager, inTransaction: manager !== (database.orm.em as object) },
    spelling: { ...spellingOf({ dialect: dialectOfFamily(family) }), parameter: () => marks.value },
    rows: async (text, values) => {
      const act = actIn(place)
      return (await database.execute(act.manager, await complete(act, text, values))) as readonly object[]
    },
    transaction: (work) => together(place, async (inside) => work(runningIn(inside, entities, sharesReads))),
  })
}

/** @param sharesReads whether concurrent requests share reads */
export const engineOf = (
  placeOf: (manager: SqlManager) => Place,
  entities: readonly MappedEntity[],
  { database }: Pick<Place, 'database'>,
  sharesReads: boolean,
): Engine<SqlManager, MappedEntity> => ({
  databaseOf: onceFor((manager: SqlManager) => runningIn(placeOf(manager), entities, sharesReads)),
  tableOf: (entity) => {
    const at = entities.indexOf(entity)
    const { metadata, indexed } = entity
    return engineTable(
      { ...entity, table: marks.table(at) },
      {
        ...{ isView: Boolean(metadata.view), indexed, foreignKeys: [] },
        ...(!isPivot(metadata) && { filter: (alias) => sql.made(alias, (text) => marks.filter(at, text)) }),
      },
    )
  },
  hears: (entity) => (isHeard(database, entity, 'Load') ? 'records' : undefined),
})
