import { raw } from '@mikro-orm/core'
import { onceFor } from '../../model/objects.ts'
import type { Condition } from '../../query/ast.ts'
import { conditionIn } from '../sql/condition.ts'
import type { Database, Sending } from '../sql/database.ts'
import { engineDatabase, engineTable } from '../sql/mapped-table.ts'
import type { Described } from '../sql/mapping.ts'
import { type OrmEngine, ormEngine } from '../sql/orm-engine.ts'
import { filled, queryOf, type Sql, sql } from '../sql/text.ts'
import { isPivot, type MikroOrmDatabase, type SqlManager } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { loggable, readErrorOf } from './errors.ts'
import { actIn, type Execution, inOneTransaction } from './execution.ts'
import { classFilterFor, type Filter, filterFor } from './filters.ts'
import { hasListeners } from './hooks.ts'
import { type Marked, marksWith, spellingIn, statementIn, writableIn } from './marks.ts'
import { shownIn } from './reads.ts'

/** Runs the statements of the engine where a manager runs its own, in the schema and with the filters of the request. */
const runningIn = (
  place: Pick<Execution, 'database' | 'manager'>,
  marked: Marked,
  sharesReads: boolean,
): Database => {
  const { database, manager } = place
  const { family } = database

  const complete = async (
    act: Pick<Execution, 'database' | 'manager'>,
    text: string,
    values: readonly unknown[],
  ): Promise<string> => {
    const statement = statementIn(act, marked, text)
    const filters = new Map<MappedEntity, Filter>()
    for (const entity of statement.filtered)
      filters.set(entity, await filterFor(act.manager, entity, database))
    const writable = writableIn(database)
    return statement.complete(
      values,
      (entity) => filters.get(entity) ?? (() => ''),
      (value) => database.platform.quoteValue(writable(value)),
    )
  }

  const run = async (
    text: string,
    values: readonly unknown[],
    sending: Sending,
    method?: 'run',
  ): Promise<unknown> => {
    const act = actIn(place)
    const sent = await complete(act, text, values)
    return await sending(sent, () => database.execute(act.manager, sent, method))
  }

  return engineDatabase({
    ...{ family, sharesReads, handle: manager, inTransaction: manager !== (database.orm.em as object) },
    ...{ spelling: spellingIn(database, marked), completesStatements: true },
    errors: { read: readErrorOf(family), loggable },
    rows: async (...statement) => (await run(...statement)) as readonly object[],
    outcome: async (...statement) => {
      const { affectedRows, insertId } = (await run(...statement, 'run')) as {
        readonly affectedRows: number
        readonly insertId?: unknown
      }
      return [affectedRows, insertId]
    },
    transaction: (work) =>
      inOneTransaction(place, async (inside) => work(runningIn(inside, marked, sharesReads))),
  })
}

/** The engine, and conditions for queries of the application. */
interface Engine {
  readonly engine: OrmEngine<SqlManager, MappedEntity>
  /**
   * A condition for queries of the application, whose own filters apply to the records that it reads.
   *
   * @throws Error for a related model with filters, which may need to wait
   */
  conditionOf(entity: MappedEntity, condition: Condition): { readonly [fragment: symbol]: readonly never[] }
}

/** @param sharesReads whether concurrent requests share reads */
export const engineOf = (
  database: MikroOrmDatabase,
  outside: SqlManager,
  { models, foreignKeys }: Described<MappedEntity>,
  sharesReads: boolean,
): Engine => {
  const marks = marksWith(crypto.randomUUID(), database.family)
  const marked: Marked = { entities: models, marks }
  const engine = ormEngine<SqlManager, MappedEntity>(
    {
      ...{ models, foreignKeys, shownBy: 'fields' },
      databaseOf: onceFor((manager: SqlManager) => runningIn({ database, manager }, marked, sharesReads)),
      tableOf: (entity) => {
        const at = models.indexOf(entity)
        const { metadata } = entity
        return engineTable(
          { ...entity, table: marks.table(at) },
          {
            isView: Boolean(metadata.view),
            isCounted: ({ declared }) => declared.autoincrement === true,
            shown: entity.table,
            ...(!isPivot(metadata) && {
              filter: (alias: Sql) => sql.made(alias, (text) => marks.filter(at, text)),
            }),
          },
        )
      },
      readHooks: (entity) => ({ records: hasListeners(database, entity, 'Load'), conditions: false }),
      shown: (manager, entity, rows) => shownIn(actIn({ database, manager }).manager, entity, rows),
    },
    outside,
  )
  return {
    engine,
    conditionOf: (entity, condition) => {
      const piece = conditionIn(engine.tableOf(entity), ALIAS, condition)
      const query = queryOf(piece, spellingIn(database, marked))
      const { complete } = statementIn({ database, manager: outside }, marked, query.text)
      const values: unknown[] = []
      const writable = writableIn(database)
      const text = complete(
        filled(query, []),
        (other) => classFilterFor(outside, other, database),
        (value) => {
          values.push(writable(value))
          return marks.value
        },
      )
      // MikroORM replaces question marks by the values, and its mark for an alias also inside of strings.
      const escaped = text.replaceAll('?', '\\?').replaceAll(marks.value, '?')
      return { [raw(`(${escaped})`, values) as never]: [] }
    },
  }
}

/** What MikroORM replaces by the alias of the query. */
const ALIAS = raw((alias) => alias).sql
