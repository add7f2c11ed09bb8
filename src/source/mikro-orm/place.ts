import { raw } from '@mikro-orm/core'
import { onceFor } from '../../model/objects.ts'
import type { Condition } from '../../query/ast.ts'
import { type Row, SourceError } from '../source.ts'
import { whereOf } from '../sql/conditions.ts'
import { type Raw, returned, rowOf, valuesOf } from '../sql/selects.ts'
import { memberOf, type Scope } from '../sql/tables.ts'
import { type Database, forkOf, isPivot, type SqlManager, tableIn } from './database.ts'
import type { MappedEntity } from './describe.ts'

/** Where statements run. */
export interface Place {
  readonly database: Database
  readonly mappedOf: (model: string) => MappedEntity
  readonly manager: SqlManager
  /** Whether the manager has a transaction. */
  readonly isInside: boolean
}

/** The place of one act. In SQLite, reads outside of an open transaction would wait for its end, so they join it. */
export const actIn = (place: Place): Place => ({
  ...place,
  manager: forkOf(place.manager, place.isInside || place.database.family === 'sqlite'),
})

/** Runs several statements in the open transaction, or in one of their own, at whose end MikroORM flushes only its own manager. */
export const together = <T>(act: Place, work: (inside: Place) => Promise<T>): Promise<T> =>
  act.manager.isInTransaction()
    ? work({ ...act, isInside: true })
    : act.database.transaction(act.manager, (manager) => work(actIn({ ...act, manager, isInside: true })))

/** What the filters of an entity add to a statement. `undefined`: nothing. */
type Filter = ((at: string) => string) | undefined

const FILTERED = 'modelrest_filtered'

const keysQuery = ({ manager }: Place, { metadata }: MappedEntity) => {
  const query = manager.createQueryBuilder(metadata.class, FILTERED)
  query.select(metadata.primaryKeys)
  return query
}

/** What MikroORM has added to a select of all keys: filters, and the class of an entity whose table has several. */
const filterIn = (
  query: ReturnType<typeof keysQuery>,
  { members, model }: MappedEntity,
  { quoted }: Database,
): Filter => {
  const sql = query.getFormattedQuery()
  const alias = quoted(FILTERED)
  const from = ` as ${alias}`
  const rest = sql.slice(sql.indexOf(from) + from.length)
  if (rest === '') return undefined
  const where = ' where '
  if (rest.startsWith(where)) return (at) => `(${rest.slice(where.length).replaceAll(alias, () => at)})`
  const keys = model.primaryKey.map((name) => quoted(memberOf({ members, model }, name).column))
  // MySQL cannot read the table that a statement writes, but a copy.
  return (at) => `(${keys.map((key) => `${at}.${key}`).join(', ')}) in (select * from (${sql}) ${alias})`
}

/** A scope whose values become parameters. */
export interface BoundScope extends Scope {
  /** A statement for MikroORM, with its parameters in their order. */
  readonly ready: (sql: string) => readonly [sql: string, parameters: readonly unknown[]]
}

/** Values are between marks until the order of the parameters is known. No other part of a statement has a null character. */
const MARK = /\0(\d+)\0/g

const newScope = (
  { database, mappedOf, manager }: Place,
  filterOf: (model: string) => Filter,
  written?: MappedEntity,
): BoundScope => {
  const { family, quoted } = database
  const values: unknown[] = []
  let aliases = 0
  const tableOf = onceFor((entity: MappedEntity): MappedEntity => {
    const filter = isPivot(entity.metadata) ? undefined : filterOf(entity.model.name)
    const table = tableIn(database, entity.metadata, manager.schema)
    return { ...entity, table, ...(filter && { living: (at: string) => [filter(at)] }) }
  })
  return {
    ...{ family, quoted, tableOf: (model) => tableOf(mappedOf(model)) },
    ...(written && { written: { table: tableIn(database, written.metadata, manager.schema) } }),
    value: (value, field) => {
      if (typeof value === 'string' && value.includes('\0')) {
        // PostgreSQL cannot store it, and a statement of SQLite ends there.
        if (family === 'pg') throw new SourceError('value', { fields: [field] })
        if (family === 'sqlite') return `cast(x'${Buffer.from(value).toString('hex')}' as text)`
      }
      return `\0${values.push(value) - 1}\0`
    },
    alias: () => quoted(`m${aliases++}`),
    ready: (sql) => {
      const parameters: unknown[] = []
      const bound = (_: string, at: string): string => {
        parameters.push(values.at(Number(at)))
        return '?'
      }
      return [values.length === 0 ? sql : sql.replaceAll('?', '\\?').replaceAll(MARK, bound), parameters]
    },
  }
}

interface ScopeOptions {
  /** The entity that the statement writes. */
  readonly written?: MappedEntity
  /** Whether the filters of entities hold. A record that was just written need not meet them. @default true */
  readonly isFiltered?: boolean
}

/** Makes a statement and runs it. It is made again if it concerns entities whose filters were not known. */
export const withScope = async <T>(
  act: Place,
  work: (scope: BoundScope) => Promise<T>,
  { written, isFiltered = true }: ScopeOptions = {},
): Promise<T> => {
  const known = new Map<string, Filter>()
  for (;;) {
    let unknown: string | undefined
    const filterOf = (model: string): Filter => {
      if (!isFiltered || known.has(model)) return known.get(model)
      unknown = model
      throw new Error(`The filters of ${model} are not known.`)
    }
    try {
      return await work(newScope(act, filterOf, written))
    } catch (error) {
      if (unknown === undefined) throw error
      const entity = act.mappedOf(unknown)
      const query = keysQuery(act, entity)
      await query.applyFilters()
      known.set(unknown, filterIn(query, entity, act.database))
    }
  }
}

/**
 * A condition for queries of the application, whose own filters apply to the records that it reads.
 *
 * @throws Error for a related model with filters, which may need to wait
 */
export const conditionFor = (
  place: Place,
  entity: MappedEntity,
  condition: Condition,
): { readonly [fragment: symbol]: readonly never[] } => {
  const filters = place.database.orm.config.get('filters')
  const scope = newScope(place, (model) => {
    const other = place.mappedOf(model)
    if (Object.keys({ ...other.metadata.filters, ...filters }).length > 0)
      throw new Error(`The scope depends on records of ${model}, whose filters a query cannot contain.`)
    return filterIn(keysQuery(place, other), other, place.database)
  })
  const [sql, parameters] = scope.ready(`(${whereOf(scope, entity, scope.quoted(ALIAS), condition)})`)
  return { [raw(sql, parameters)]: [] }
}

/** What MikroORM replaces by the alias of the query. */
const ALIAS = raw((alias) => alias).sql

export const rowsOf = async ({ manager }: Place, scope: BoundScope, sql: string): Promise<readonly Raw[]> =>
  (await manager.execute(...scope.ready(sql), 'all')) as readonly Raw[]

interface Outcome {
  readonly affectedRows: number
  readonly insertId?: number
}

/** Runs a statement that returns no rows. */
export const run = async ({ manager }: Place, scope: BoundScope, sql: string): Promise<Outcome> =>
  (await manager.execute(...scope.ready(sql), 'run')) as Outcome

/** The records that a statement writes and returns. */
export const returning = async (
  act: Place,
  entity: MappedEntity,
  scope: BoundScope,
  sql: string,
): Promise<readonly Row[]> => {
  const values = valuesOf(scope, entity)
  const raws = await rowsOf(act, scope, `${sql} returning ${returned(scope, values)}`)
  return raws.map((row) => rowOf(entity, values, row))
}

/** The SQL of a condition that also says that the filters of the entity hold. */
export const livingWhere = (scope: Scope, { model }: MappedEntity, at: string, condition: string): string =>
  [...scope.tableOf(model.name).living(at, scope), condition].join(' and ')
