import { raw } from '@mikro-orm/core'
import { onceFor } from '../../model/objects.ts'
import type { Condition } from '../../query/ast.ts'
import { SourceError } from '../source.ts'
import { type Family, isMysql } from '../sql/codecs.ts'
import { conditionIn } from '../sql/condition.ts'
import type { Database, Sending } from '../sql/database.ts'
import { engineDatabase, engineTable, spellingOfFamily } from '../sql/mapped-table.ts'
import type { Described } from '../sql/mapping.ts'
import { type OrmEngine, ormEngine } from '../sql/orm-engine.ts'
import { stringSql } from '../sql/strings.ts'
import { filled, queryOf, type Sql, sql } from '../sql/text.ts'
import { isPivot, type MikroOrmDatabase, type SqlManager, schemaOf, tableIn } from './database.ts'
import type { MappedEntity } from './describe.ts'
import { loggable, readErrorOf } from './errors.ts'
import { actIn, type Execution, inOneTransaction } from './execution.ts'
import { classFilterFor, type Filter, filterFor } from './filters.ts'
import { hasListeners } from './hooks.ts'
import { shownIn } from './reads.ts'

/** What stands in the statements of the engine for what only the manager of an act knows. Clients cannot know the secret. */
const marksWith = (secret: string, family: Family) => ({
  value: `:${secret} value:`,
  /** It is quoted, because the engine takes names for catalogs of the database out of their quotes. */
  table: (at: number) =>
    isMysql(family)
      ? `\`:${secret} schema ${at}:\`.\`:${secret} table ${at}:\``
      : `":${secret} table ${at}:"`,
  filter: (at: number, alias: string) => `:${secret} filter ${at}:${alias}:${secret} end:`,
  tables: new RegExp(`(?:\`:${secret} schema \\d+:\`\\.)?["\`]:${secret} table (\\d+):["\`]`, 'g'),
  names: new RegExp(`^:${secret} (schema|table) (\\d+):$`),
  filters: new RegExp(`:${secret} filter (\\d+):(.*?):${secret} end:`, 'g'),
})

/** The entities in statements. */
interface Marked {
  readonly entities: readonly MappedEntity[]
  readonly marks: ReturnType<typeof marksWith>
}

type Where = Pick<Execution, 'database' | 'manager'>

const spellingIn = ({ family }: Pick<MikroOrmDatabase, 'family'>, { marks }: Marked) => ({
  ...spellingOfFamily(family),
  parameter: () => marks.value,
})

/** A value as MikroORM can write it. @throws SourceError `value` for a string that the database cannot store */
const writableIn =
  ({ family }: MikroOrmDatabase) =>
  (value: unknown): unknown => {
    if (typeof value !== 'string' || !value.includes('\0') || isMysql(family)) return value
    // PostgreSQL cannot store it, and a statement of SQLite ends there.
    if (family === 'pg') throw new SourceError('value', { fields: [] })
    return raw(stringSql(family, value))
  }

/** A statement of the engine for the manager of an act, and the filters that it asks for. */
const statementIn = ({ database, manager }: Where, { entities, marks }: Marked, text: string) => {
  const entityAt = (at: string): MappedEntity => entities.at(Number(at)) as MappedEntity
  const inSchema = (part: string): string =>
    part.replace(marks.tables, (_, at: string) => tableIn(database, entityAt(at).metadata, manager.schema))
  const named = inSchema(text)
  return {
    asked: new Set([...named.matchAll(marks.filters)].map(([, at = '']) => entityAt(at))),
    complete: (
      values: readonly unknown[],
      filterOf: (entity: MappedEntity) => Filter,
      literal: (value: unknown) => string,
    ): string => {
      const filtered = (part: string): string =>
        part.replace(marks.filters, (_, at: string, alias: string) => filterOf(entityAt(at))(alias))
      const [start = '', ...rest] = named.split(marks.value)
      // What the engine asks of catalogs are tables, in quotes or by their plain names.
      const written = (value: unknown): string => {
        if (typeof value !== 'string') return literal(value)
        const [, part, at = ''] = marks.names.exec(value) ?? []
        if (part === undefined) return literal(inSchema(value))
        const { metadata } = entityAt(at)
        return literal(part === 'table' ? metadata.tableName : schemaOf(database, metadata, manager.schema))
      }
      return filtered(start) + rest.map((part, at) => written(values[at]) + filtered(part)).join('')
    },
  }
}

/** Runs the statements of the engine where a manager runs its own, in the schema and with the filters of the request. */
const runningIn = (place: Where, marked: Marked, sharesReads: boolean): Database => {
  const { database, manager } = place
  const { family } = database

  const complete = async (act: Where, text: string, values: readonly unknown[]): Promise<string> => {
    const statement = statementIn(act, marked, text)
    const filters = new Map<MappedEntity, Filter>()
    for (const entity of statement.asked) filters.set(entity, await filterFor(act.manager, entity, database))
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
