import type { Model } from '../../model/model.ts'
import { onceFor } from '../../model/objects.ts'
import type { WatchStatement } from '../../observe/observer.ts'
import type { Condition, Selection } from '../../query/ast.ts'
import { relationOf } from '../../query/order.ts'
import { relatedByLists } from '../related-lists.ts'
import type { Row } from '../source.ts'
import type { BoundTable } from './bound-table.ts'
import type { Database, Sending } from './database.ts'
import { type CheckedKey, type MappedModel, mappedBy } from './mapping.ts'
import { observedDatabase, observedSending } from './observed.ts'
import type { RefusingTable } from './refusals.ts'
import { refusingTables } from './refused-fields.ts'
import { accessTo, type Finds } from './statement.ts'
import { boundTables, readsOf, type TableReads, type Writes, writesOf } from './store.ts'
import type { ForeignKey, Table } from './table.ts'

/** What code of the application in an ORM does when the records of a model are read. */
interface ReadHooks {
  /** It hears of them, or changes what they show. */
  readonly records: boolean
  /** It adds conditions, so that the ORM must read. */
  readonly conditions: boolean
}

/** What the engine needs of an ORM. `Handle`: what runs statements, inside of a transaction or outside. */
interface EngineParts<Handle extends object, Mapped extends MappedModel> {
  readonly models: readonly Mapped[]
  /** Those that the database checks. */
  readonly foreignKeys: readonly CheckedKey[]
  tableOf(mapped: Mapped): Omit<Table, 'foreignKeys'>
  /** Runs statements where the handle does. */
  databaseOf(handle: Handle): Database
  readHooks(mapped: Mapped): ReadHooks
  /** What is shown of a record follows from its key, or from all of its fields. */
  readonly shownBy: 'key' | 'fields'
  /** What the ORM shows of records that were read, in their order. `undefined`: no longer there. @param guard what they meet */
  shown(
    where: Handle,
    mapped: Mapped,
    rows: readonly Row[],
    guard: Condition,
  ): Promise<readonly (Row | undefined)[]>
  /** How the ORM reads records itself, under an alias. @default never */
  findsOf?(where: Handle, mapped: Mapped): Finds & { readonly alias: string }
}

/** The engine as an ORM uses it. */
export interface OrmEngine<Handle, Mapped> {
  /** Runs statements outside of transactions. */
  readonly database: Database
  readonly tables: readonly Table[]
  databaseOf(where: Handle): Database
  /** What refusals of the database are about. */
  refusing(mapped: Mapped): RefusingTable
  tableOf(mapped: Mapped): BoundTable
  /** Reads records as the ORM shows them. */
  readsOf(where: Handle, mapped: Mapped): TableReads
  /** Reads records as the engine does, without what the ORM shows of them. */
  plainReadsOf(where: Handle, mapped: Mapped): TableReads
  /** Reads records as they are stored, also those that the ORM hides from its selects. */
  storedReadsOf(where: Handle, mapped: Mapped): TableReads
  /** Writes records by statements of its own. */
  writesOf(where: Handle, mapped: Mapped): Writes
  /** The same engine, whose statements are observed, and what observes those that the ORM itself runs for a model. */
  observed(watch: WatchStatement): {
    readonly engine: OrmEngine<Handle, Mapped>
    readonly observeOf: (mapped: Mapped) => Sending
  }
}

/** The engine in a transaction, or outside. */
interface Inside<Mapped> {
  plain(mapped: Mapped): TableReads
  stored(mapped: Mapped): TableReads
  reads(mapped: Mapped): TableReads
  writes(mapped: Mapped): Writes
}

export const ormEngine = <Handle extends object, Mapped extends MappedModel>(
  parts: EngineParts<Handle, Mapped>,
  outside: Handle,
): OrmEngine<Handle, Mapped> => {
  const byName = mappedBy(parts.models)
  const database = parts.databaseOf(outside)
  const tables = withKeys(parts.models.map(parts.tableOf), parts.foreignKeys)
  const boundOf = boundTables(database.dialect, tables)
  const tableOf = ({ model }: Mapped): BoundTable => boundOf(model.name)
  const refusing = onceFor(refusingTables(database, () => tables.map(({ model }) => boundOf(model.name))))
  const inside = onceFor((where: Handle): Inside<Mapped> => {
    const database = parts.databaseOf(where)
    const access = onceFor((mapped: Mapped) => accessTo(database, tableOf(mapped)))
    const plain = onceFor((mapped: Mapped) => readsOf(access(mapped)))
    return {
      plain,
      stored: onceFor((mapped: Mapped) => readsOf(accessTo(database, tableOf(mapped).asWritten()))),
      reads: onceFor((mapped: Mapped) => readsIn(where, mapped)),
      writes: onceFor((mapped: Mapped) => writesOf(access(mapped), plain(mapped).read)),
    }
  })

  const findsIn = (where: Handle, mapped: Mapped): TableReads | undefined => {
    const finds = parts.findsOf?.(where, mapped)
    return finds && readsOf(accessTo(parts.databaseOf(where), tableOf(mapped).as(finds.alias), finds))
  }

  const readsIn = (where: Handle, mapped: Mapped): TableReads => {
    const reads = inside(where).plain(mapped)
    const finds = findsIn(where, mapped) ?? reads
    const own = (): TableReads => (parts.readHooks(mapped).conditions ? finds : reads)
    const lists = relatedByLists(
      mapped.model,
      (name) => byName(name).model,
      ({ name }) => inside(where).reads(byName(name)),
    )
    const shownFrom = <Of extends ChosenFields>({ primaryKey }: Model, selection: Of): Of => {
      const { fields } = selection
      const isByKey = fields !== undefined && parts.shownBy === 'key'
      return { ...selection, fields: isByKey ? [...new Set([...fields, ...primaryKey])] : undefined }
    }
    const shownOf = async (target: Mapped, rows: readonly Row[], guard: Condition) =>
      rows.length === 0 ? [] : await parts.shown(where, target, rows, guard)
    return {
      list: async (selection, guard, admits) => {
        if (!parts.readHooks(mapped).records) return await own().list(selection, guard, admits)
        const rows = await own().list(shownFrom(mapped.model, selection), guard, admits)
        return onlyChosen(mapped.model, selection, await shownOf(mapped, rows, guard))
      },
      read: async (key, guard, lock) => {
        const row = await own().read(key, guard, lock)
        if (row === undefined || !parts.readHooks(mapped).records) return row
        return (await shownOf(mapped, [row], guard))[0]
      },
      count: (...about) => own().count(...about),
      estimate: (filter) => (parts.readHooks(mapped).conditions ? undefined : reads.estimate(filter)),
      aggregate: (...about) => own().aggregate(...about),
      related: async (to, selection, admits) => {
        const { target, isReadByOrm } = relatedIn(mapped.model, to.relation)
        if (isReadByOrm) return await lists.related(to, selection, admits)
        if (!parts.readHooks(target).records) return await reads.related(to, selection, admits)
        const found = await reads.related(to, shownFrom(target.model, selection), admits)
        const shown = await shownOf(target, found.flat(), to.guard)
        let end = 0
        return found.map(({ length }) => {
          end += length
          return onlyChosen(target.model, selection, shown.slice(end - length, end))
        })
      },
      countRelated: (to, ...about) =>
        (relatedIn(mapped.model, to.relation).isReadByOrm ? lists : reads).countRelated(to, ...about),
    }
  }

  const relatedIn = (model: Model, relation: string) => {
    const { model: name, through } = relationOf(model, relation)
    const target = byName(name)
    const joins = through && parts.readHooks(byName(through.model)).conditions
    return { target, isReadByOrm: joins === true || parts.readHooks(target).conditions }
  }

  return {
    ...{ database, tables, tableOf, databaseOf: parts.databaseOf },
    refusing: ({ model }) => refusing(boundOf(model.name)),
    readsOf: (where, mapped) => inside(where).reads(mapped),
    plainReadsOf: (where, mapped) => inside(where).plain(mapped),
    storedReadsOf: (where, mapped) => inside(where).stored(mapped),
    writesOf: (where, mapped) => inside(where).writes(mapped),
    observed: onceFor((watch: WatchStatement) => ({
      engine: ormEngine(
        {
          ...parts,
          databaseOf: onceFor((where: Handle) => observedDatabase(parts.databaseOf(where), watch)),
        },
        outside,
      ),
      observeOf: (mapped: Mapped) => observedSending(database, watch, tableOf(mapped).table),
    })),
  }
}

const withKeys = (
  tables: readonly Omit<Table, 'foreignKeys'>[],
  keys: readonly CheckedKey[],
): readonly Table[] => {
  const byName = new Map(tables.map((table) => [table.model.name, table]))
  return tables.map((table) => ({
    ...table,
    foreignKeys: keys.flatMap(({ model, fields, target, references, restricts, inherited }): ForeignKey[] => {
      const other = byName.get(target)
      if (model !== table.model.name || other === undefined) return []
      const columns = references.map(
        (name) => other.columns.find(({ field }) => field.name === name)?.name ?? name,
      )
      const isInherited = inherited !== undefined && { inherited }
      return [{ fields, references, columns, restricts, table: other.sql, ...isInherited }]
    }),
  }))
}

type ChosenFields = Pick<Selection, 'fields'>

/** Only the chosen fields, and what is not a field. */
const onlyChosen = (
  { fields: all }: Model,
  { fields }: ChosenFields,
  rows: readonly (Row | undefined)[],
): readonly Row[] => {
  const there = rows.filter((row) => row !== undefined)
  if (fields === undefined) return there
  const left = new Set(all.map(({ name }) => name))
  for (const name of fields) left.delete(name)
  return there.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !left.has(name))))
}
