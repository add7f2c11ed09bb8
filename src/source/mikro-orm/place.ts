import { type RawQueryFragment, raw } from '@mikro-orm/core'
import { onceFor } from '../../model/objects.ts'
import type { Condition } from '../../query/ast.ts'
import { SourceError } from '../source.ts'
import { isMysql } from '../sql/codecs.ts'
import { whereOf } from '../sql/conditions.ts'
import type { Raw } from '../sql/selects.ts'
import { stringSql } from '../sql/strings.ts'
import { boundScope, memberOf, type Scope } from '../sql/tables.ts'
import { type Database, forkOf, isPivot, type SqlManager, tableIn } from './database.ts'
import type { MappedEntity } from './describe.ts'

/** Where statements run. */
export interface Place {
  readonly database: Database
  readonly mappedOf: (model: string) => MappedEntity
  /** That of a transaction, or of the ORM. */
  readonly manager: SqlManager
}

/** The place of one act. In SQLite, reads outside of an open transaction would wait for its end, so they join it. */
export const actIn = (place: Place): Place => {
  const { database, manager } = place
  const isInside = manager !== (database.orm.em as object)
  return { ...place, manager: forkOf(manager, isInside || database.family === 'sqlite') }
}

/** Runs several statements in the open transaction, or in one of their own, at whose end MikroORM flushes only its own manager. */
export const together = <T>(place: Place, work: (inside: Place) => Promise<T>): Promise<T> => {
  const { manager } = actIn(place)
  return manager.isInTransaction()
    ? work({ ...place, manager })
    : place.database.transaction(manager, (inside) => work(actIn({ ...place, manager: inside })))
}

/** The SQL of what MikroORM adds to a select: filters, and the class of an entity whose table has several. */
export type Filter = (at: string) => string

const FILTERED = 'modelrest_filtered'

const keysQuery = ({ manager }: Place, { metadata }: MappedEntity) => {
  const query = manager.createQueryBuilder(metadata.class, FILTERED)
  query.select(metadata.primaryKeys)
  return query
}

/** What MikroORM has added to a select of all keys. */
const filterIn = (
  query: ReturnType<typeof keysQuery>,
  { members, model }: MappedEntity,
  { quoted }: Database,
): Filter => {
  const sql = query.getFormattedQuery()
  const alias = quoted(FILTERED)
  const from = ` as ${alias}`
  const rest = sql.slice(sql.indexOf(from) + from.length)
  if (rest === '') return () => '1 = 1'
  const where = ' where '
  if (rest.startsWith(where)) return (at) => `(${rest.slice(where.length).replaceAll(alias, () => at)})`
  const keys = model.primaryKey.map((name) => quoted(memberOf({ members, model }, name).column))
  // MySQL cannot read the table that a statement writes, but a copy.
  return (at) => `(${keys.map((key) => `${at}.${key}`).join(', ')}) in (select * from (${sql}) ${alias})`
}

/** What MikroORM adds to a select of an entity in this act. The functions of filters may wait. */
export const filterFor = async (act: Place, entity: MappedEntity): Promise<Filter> => {
  const query = keysQuery(act, entity)
  await query.applyFilters()
  return filterIn(query, entity, act.database)
}

/** A scope whose SQL MikroORM can run. */
interface ReadyScope extends Scope {
  /** @param filters by the marks that they replace. They may have values of their own, so parameters are not sought in them. @default none */
  readonly ready: (sql: string, filters?: ReadonlyMap<string, string>) => RawQueryFragment
}

/** @param filterAt the SQL of what MikroORM adds for an entity. Absent: nothing */
const readyScope = (
  { database, mappedOf, manager }: Place,
  filterAt?: (entity: MappedEntity, at: string) => string,
  written?: MappedEntity,
): ReadyScope => {
  const tableOf = (model: string): MappedEntity => {
    const entity = mappedOf(model)
    const isFiltered = filterAt !== undefined && !isPivot(entity.metadata)
    return {
      ...{ ...entity, table: tableIn(database, entity.metadata, manager.schema) },
      living: (at) => (isFiltered ? [filterAt(entity, at)] : []),
    }
  }
  const scope = boundScope(database, tableOf, written && tableOf(written.model.name))
  const { family, parameters } = scope
  return {
    ...scope,
    value: (value, field) => {
      if (typeof value !== 'string' || !value.includes('\0') || isMysql(family))
        return scope.value(value, field)
      // PostgreSQL cannot store it, and a statement of SQLite ends there.
      if (family === 'pg') throw new SourceError('value', { fields: [field] })
      return stringSql(family, value)
    },
    ready: (sql, filters = new Map()) => {
      // MikroORM replaces question marks if there are parameters.
      const isBound = Object.keys(parameters).length > 0
      const escaped = (text: string): string => (isBound ? text.replaceAll('?', '\\?') : text)
      let { sql: text, params } = raw(escaped(sql), parameters)
      for (const [mark, filter] of filters) text = text.replaceAll(mark, () => escaped(filter))
      return raw(text, params)
    },
  }
}

/** What a statement that returns no rows has done. */
interface Outcome {
  readonly affectedRows: number
  readonly insertId?: number
}

/** A scope that runs its statement. */
export interface StatementScope extends Scope {
  readonly rows: (sql: string) => Promise<readonly Raw[]>
  /** Runs a statement that returns no rows. */
  readonly run: (sql: string) => Promise<Outcome>
}

interface ScopeOptions {
  /** The entity that the statement writes. */
  readonly written?: MappedEntity
  /** Whether the filters of entities hold. A record that was just written need not meet them. @default true */
  readonly isFiltered?: boolean
}

/** A scope of one statement. */
export const newScope = (place: Place, { written, isFiltered = true }: ScopeOptions = {}): StatementScope => {
  const act = actIn(place)
  const asked = new Map<string, () => Promise<string>>()
  const filterOf = onceFor((entity: MappedEntity) => filterFor(act, entity))
  const marked = (entity: MappedEntity, at: string): string => {
    const mark = crypto.randomUUID()
    asked.set(mark, async () => (await filterOf(entity))(at))
    return mark
  }
  const { ready, ...scope } = readyScope(act, isFiltered ? marked : undefined, written)
  const whole = async (sql: string): Promise<RawQueryFragment> => {
    const filters = new Map<string, string>()
    for (const [mark, ask] of asked) filters.set(mark, await ask())
    return ready(sql, filters)
  }
  return {
    ...scope,
    rows: async (sql) => (await act.database.execute(act.manager, await whole(sql))) as readonly Raw[],
    run: async (sql) => (await act.database.execute(act.manager, await whole(sql), 'run')) as Outcome,
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
  const { ready, ...scope } = readyScope(place, (other, at) => {
    if (Object.keys({ ...other.metadata.filters, ...filters }).length > 0)
      throw new Error(
        `The scope depends on records of ${other.model.name}, whose filters a query cannot contain.`,
      )
    return filterIn(keysQuery(place, other), other, place.database)(at)
  })
  const fragment = ready(`(${whereOf(scope, entity, scope.quoted(ALIAS), condition)})`)
  return { [fragment as never]: [] }
}

/** What MikroORM replaces by the alias of the query. */
const ALIAS = raw((alias) => alias).sql
