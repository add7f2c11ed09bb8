import { raw } from '@mikro-orm/core'
import { onceFor } from '../../model/objects.ts'
import type { Condition } from '../../query/ast.ts'
import { SourceError } from '../source.ts'
import { isMysql } from '../sql/codecs.ts'
import { conditionIn } from '../sql/condition.ts'
import { type Database as Running, spellingOf } from '../sql/database.ts'
import { dialectOfFamily, engineDatabase, engineTable } from '../sql/mapped-table.ts'
import { type OrmEngine, ormEngine } from '../sql/orm-engine.ts'
import { stringSql } from '../sql/strings.ts'
import { filled, queryOf, type Sql, sql } from '../sql/text.ts'
import { type Database, isPivot, type SqlManager, tableIn } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { classFilterFor, type Filter, filterFor } from './filters.ts'
import { isHeard } from './hooks.ts'
import { actIn, type Place, together } from './place.ts'
import { loadedOf } from './reads.ts'

/** What stands in the statements of the engine for what only the manager of an act knows. */
const marks = {
  value: ':modelrest value:',
  table: (at: number) => `:modelrest table ${at}:`,
  filter: (at: number, alias: string) => `:modelrest filter ${at}:${alias}:modelrest end:`,
}

const TABLE = /:modelrest table (\d+):/g
const FILTER = /:modelrest filter (\d+):(.*?):modelrest end:/g

type Where = Pick<Place, 'database' | 'manager'>

const spellingIn = ({ family }: Pick<Database, 'family'>) => ({
  ...spellingOf({ dialect: dialectOfFamily(family) }),
  parameter: () => marks.value,
})

/** @throws SourceError `value` for a string that the database cannot store */
const literalIn =
  ({ family, platform }: Database) =>
  (value: unknown): string => {
    if (typeof value !== 'string' || !value.includes('\0') || isMysql(family))
      return platform.quoteValue(value)
    // PostgreSQL cannot store it, and a statement of SQLite ends there.
    if (family === 'pg') throw new SourceError('value', { fields: [] })
    return stringSql(family, value)
  }

/** A statement of the engine for the manager of an act, and the filters that it asks for. */
const marked = ({ database, manager }: Where, entities: readonly MappedEntity[], text: string) => {
  const entityAt = (at: string): MappedEntity => entities.at(Number(at)) as MappedEntity
  const named = text.replace(TABLE, (_, at: string) =>
    tableIn(database, entityAt(at).metadata, manager.schema),
  )
  return {
    asked: new Set([...named.matchAll(FILTER)].map(([, at = '']) => entityAt(at))),
    complete: (values: readonly unknown[], filterOf: (entity: MappedEntity) => Filter): string => {
      const filtered = (part: string): string =>
        part.replace(FILTER, (_, at: string, alias: string) => filterOf(entityAt(at))(alias))
      const [start = '', ...rest] = named.split(marks.value)
      const literal = literalIn(database)
      return filtered(start) + rest.map((part, at) => literal(values[at]) + filtered(part)).join('')
    },
  }
}

/** Runs the statements of the engine where a manager runs its own, in the schema and with the filters of the request. */
const runningIn = (place: Where, entities: readonly MappedEntity[], sharesReads: boolean): Running => {
  const { database, manager } = place
  const { family } = database

  const complete = async (act: Where, text: string, values: readonly unknown[]): Promise<string> => {
    const statement = marked(act, entities, text)
    const filters = new Map<MappedEntity, Filter>()
    for (const entity of statement.asked) filters.set(entity, await filterFor(act.manager, entity, database))
    return statement.complete(values, (entity) => filters.get(entity) ?? (() => ''))
  }

  const run = async (text: string, values: readonly unknown[], method?: 'run'): Promise<unknown> => {
    const act = actIn(place)
    return await database.execute(act.manager, await complete(act, text, values), method)
  }

  return engineDatabase({
    ...{ family, sharesReads, handle: manager, inTransaction: manager !== (database.orm.em as object) },
    spelling: spellingIn(database),
    rows: async (text, values) => (await run(text, values)) as readonly object[],
    outcome: async (text, values) => {
      const { affectedRows, insertId } = (await run(text, values, 'run')) as {
        readonly affectedRows: number
        readonly insertId?: unknown
      }
      return [affectedRows, insertId]
    },
    transaction: (work) => together(place, async (inside) => work(runningIn(inside, entities, sharesReads))),
  })
}

/** @param sharesReads whether concurrent requests share reads */
export const engineOf = (
  database: Database,
  outside: SqlManager,
  models: readonly MappedEntity[],
  sharesReads: boolean,
): OrmEngine<SqlManager, MappedEntity> =>
  ormEngine<SqlManager, MappedEntity>(
    {
      ...{ models, shownBy: 'fields' },
      databaseOf: onceFor((manager: SqlManager) => runningIn({ database, manager }, models, sharesReads)),
      tableOf: (entity) => {
        const at = models.indexOf(entity)
        const { metadata, indexed, members } = entity
        return engineTable(
          { ...entity, table: marks.table(at) },
          {
            ...{ isView: Boolean(metadata.view), indexed, foreignKeys: [] },
            counted: [...members.values()]
              .filter(({ declared }) => declared.autoincrement === true)
              .map(({ field }) => field.name),
            ...(!isPivot(metadata) && {
              filter: (alias: Sql) => sql.made(alias, (text) => marks.filter(at, text)),
            }),
          },
        )
      },
      heard: (entity) => ({ records: isHeard(database, entity, 'Load'), conditions: false }),
      shown: async (manager, entity, rows) => {
        const act = actIn({ database, manager })
        const shown = []
        for (const stored of rows) shown.push((await loadedOf(act.manager, entity, stored)).row)
        return shown
      },
    },
    outside,
  )

/**
 * A condition for queries of the application, whose own filters apply to the records that it reads.
 *
 * @throws Error for a related model with filters, which may need to wait
 */
export const conditionFor = (
  { database, engine, manager }: Place,
  models: readonly MappedEntity[],
  entity: MappedEntity,
  condition: Condition,
): { readonly [fragment: symbol]: readonly never[] } => {
  const query = queryOf(conditionIn(engine.tableOf(entity), ALIAS, condition), spellingIn(database))
  const { complete } = marked({ database, manager }, models, query.text)
  const text = complete(filled(query, []), (other) => classFilterFor(manager, other, database))
  // MikroORM replaces question marks by values of the query.
  return { [raw(`(${text.replaceAll('?', '\\?')})`) as never]: [] }
}

/** What MikroORM replaces by the alias of the query. */
const ALIAS = raw((alias) => alias).sql
