import { raw } from '@mikro-orm/core'
import { onceFor } from '../../model/objects.ts'
import type { Condition } from '../../query/ast.ts'
import { SourceError } from '../source.ts'
import { whereOf } from '../sql/conditions.ts'
import type { Raw } from '../sql/selects.ts'
import type { Scope } from '../sql/tables.ts'
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

/** Runs several statements in the open transaction, or in one of their own. */
export const together = <T>(act: Place, work: (inside: Place) => Promise<T>): Promise<T> =>
  act.manager.isInTransaction()
    ? work({ ...act, isInside: true })
    : act.database.transaction(act.manager, (manager) => work({ ...act, manager, isInside: true }))

/** What the filters of an entity add to a statement. `undefined`: nothing. */
type Filter = ((at: string) => string) | undefined

const FILTERED = 'modelrest_filtered'

/** The filters that are enabled, and the class of an entity whose table has several. */
const filterOf = async (manager: SqlManager, entity: MappedEntity, database: Database): Promise<Filter> => {
  if (isPivot(entity.metadata)) return undefined
  const query = keysQuery(manager, entity)
  await query.applyFilters()
  return filterIn(query.getFormattedQuery(), entity, database)
}

const keysQuery = (manager: SqlManager, { metadata }: MappedEntity) => {
  const query = manager.createQueryBuilder(metadata.class, FILTERED)
  query.select(metadata.primaryKeys)
  return query
}

/** What MikroORM has added to a select of all keys. */
const filterIn = (sql: string, { members, model }: MappedEntity, database: Database): Filter => {
  const alias = database.quoted(FILTERED)
  const from = ` as ${alias}`
  const rest = sql.slice(sql.indexOf(from) + from.length)
  if (rest === '') return undefined
  const where = ' where '
  if (rest.startsWith(where)) return (at) => `(${rest.slice(where.length).replaceAll(alias, () => at)})`
  const keys = model.primaryKey.map((name) => database.quoted(members.get(name)?.column ?? name))
  // MySQL cannot read the table that a statement writes, but a copy.
  return (at) => `(${keys.map((key) => `${at}.${key}`).join(', ')}) in (select * from (${sql}) ${alias})`
}

interface Prepared {
  readonly sql: string
}

/** A statement with its parameters. */
type Ready<Built extends Prepared> = Built & { readonly parameters: readonly unknown[] }

/** Values are between marks until the order of the parameters is known. No other part of a statement has a null character. */
const MARK = /\0(\d+)\0/g

const newScope = (
  { database, mappedOf, manager }: Pick<Place, 'database' | 'mappedOf' | 'manager'>,
  filterOfModel: (model: string) => Filter,
  written: MappedEntity | undefined,
): { readonly scope: Scope; readonly ready: (sql: string) => Ready<Prepared> } => {
  const { family, quoted } = database
  const values: unknown[] = []
  let aliases = 0
  const tableNow = ({ metadata }: MappedEntity): string => tableIn(database, metadata, manager.schema)
  const tableOf = onceFor((entity: MappedEntity): MappedEntity => {
    const filter = filterOfModel(entity.model.name)
    return { ...entity, table: tableNow(entity), ...(filter && { living: (at: string) => [filter(at)] }) }
  })
  return {
    scope: {
      ...{ family, quoted, ...(written && { written: { table: tableNow(written) } }) },
      tableOf: (model) => tableOf(mappedOf(model)),
      value: (value, field) => {
        if (typeof value === 'string' && value.includes('\0')) {
          // PostgreSQL cannot store it, and a statement of SQLite ends there.
          if (family === 'pg') throw new SourceError('value', { fields: [field] })
          if (family === 'sqlite') return `cast(x'${Buffer.from(value).toString('hex')}' as text)`
        }
        values.push(value)
        return `\0${values.length - 1}\0`
      },
      alias: () => quoted(`m${aliases++}`),
    },
    ready: (sql) => {
      const parameters: unknown[] = []
      const text = (values.length === 0 ? sql : sql.replaceAll('?', '\\?')).replaceAll(
        MARK,
        (_, at: string) => {
          parameters.push(values.at(Number(at)))
          return '?'
        },
      )
      return { sql: text, parameters }
    },
  }
}

interface HowPrepared {
  /** The entity that the statement writes. */
  readonly written?: MappedEntity
  /** Whether the filters of entities hold. A record that was just written need not meet them. @default true */
  readonly isFiltered?: boolean
}

/** Makes a statement. It is made again if it reads tables whose filters were not known. */
const prepared = async <Built extends Prepared>(
  place: Place,
  build: (scope: Scope) => Built,
  { written, isFiltered = true }: HowPrepared,
): Promise<Ready<Built>> => {
  const known = new Map<string, Filter>()
  for (;;) {
    const unknown = new Set<string>()
    const filterNow = (model: string): Filter => {
      if (isFiltered && !known.has(model)) unknown.add(model)
      return known.get(model)
    }
    const { scope, ready } = newScope(place, filterNow, written)
    const built = build(scope)
    if (unknown.size === 0) return { ...built, ...ready(built.sql) }
    for (const model of unknown)
      known.set(model, await filterOf(place.manager, place.mappedOf(model), place.database))
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
  const { scope, ready } = newScope(
    place,
    (model) => {
      const other = place.mappedOf(model)
      if (Object.keys({ ...other.metadata.filters, ...filters }).length > 0)
        throw new Error(`The scope depends on records of ${model}, whose filters a query cannot contain.`)
      return isPivot(other.metadata)
        ? undefined
        : filterIn(keysQuery(place.manager, other).getFormattedQuery(), other, place.database)
    },
    undefined,
  )
  const { sql, parameters } = ready(`(${whereOf(scope, entity, scope.quoted(ALIAS), condition)})`)
  return { [raw(sql, parameters)]: [] }
}

/** What MikroORM replaces by the alias of the query. */
const ALIAS = raw((alias) => alias).sql

/** What a statement reads, and how it was built. */
export const rowsOf = async <Built extends Prepared>(
  act: Place,
  build: (scope: Scope) => Built,
  how: HowPrepared = {},
): Promise<{ readonly built: Built; readonly raws: readonly Raw[] }> => {
  const built = await prepared(act, build, how)
  const raws = (await act.manager.execute(built.sql, built.parameters, 'all')) as readonly Raw[]
  return { built, raws }
}

/** Runs a statement that returns no rows. */
export const run = async (act: Place, build: (scope: Scope) => string, how: HowPrepared = {}) => {
  const { sql, parameters } = await prepared(act, (scope) => ({ sql: build(scope) }), how)
  const done = await act.manager.execute(sql, parameters, 'run')
  return done as { readonly affectedRows: number; readonly insertId?: number }
}

/** The SQL of a condition that also says that the filters of the entity hold. */
export const livingWhere = (
  scope: Scope,
  { model }: MappedEntity,
  at: string,
  ...conditions: readonly Condition[]
): string => {
  const table = scope.tableOf(model.name)
  return [...table.living(at, scope), whereOf(scope, table, at, ...conditions)].join(' and ')
}
