import type { Column } from 'drizzle-orm'
import type { FieldFacts } from '../../model/facts.ts'
import type { ForeignKeyFacts } from '../../model/foreign-keys.ts'
import { kinds } from '../../model/kinds/index.ts'
import { ownValue } from '../../model/objects.ts'
import type { Note } from '../notes.ts'
import { hasOwnMappers, type TypedColumn } from './column-types.ts'
import { isCustom } from './custom-column.ts'
import type { Draft } from './describe-table.ts'
import type { OwnEnds, OwnRelation } from './own-relations.ts'

/** A foreign key, to which `relations()` may give names. */
interface NamedKey {
  readonly owner: Draft
  readonly target: Draft
  readonly fields: readonly string[]
  readonly references: readonly string[]
  readonly unchecked: boolean
  name?: string
  inverse?: string
}

/**
 * The foreign keys between the models: those of the database, and those that only `relations()` declare. If a table has several
 * models, keys refer to the first.
 */
export const foreignKeysBetween = (
  drafts: readonly Draft[],
  declared: readonly OwnRelation[],
): {
  readonly keysOf: (draft: Draft) => readonly ForeignKeyFacts[]
  readonly notes: readonly Note[]
} => {
  const draftOf = new Map<unknown, Draft>(drafts.toReversed().map((draft) => [draft.table, draft]))
  const keys = drafts.flatMap((owner) =>
    owner.foreignKeys.flatMap(({ fields, table, references }): NamedKey[] => {
      const target = draftOf.get(table)
      return target === undefined ? [] : [{ owner, target, fields, references, unchecked: false }]
    }),
  )
  const notes: Note[] = []
  const own = declared.flatMap(({ place, name, table, target, ends }) => {
    const [from, to] = [draftOf.get(table), draftOf.get(target)]
    if (from === undefined || to === undefined) return []
    if (typeof ends !== 'string') return [{ place, name, from, to, ends }]
    notes.push(leftOut(place, ends))
    return []
  })
  // First those from which the others follow.
  for (const { place, name, from, to, ends } of own.toSorted(
    (a, b) => Number(b.ends.isStated) - Number(a.ends.isStated),
  )) {
    if (giveName(keys, name, from, to, ends) || !ends.isStated) continue
    const added = uncheckedKey(from, to, ends)
    if (typeof added === 'string') notes.push(leftOut(place, added))
    else {
      keys.push(added)
      giveName(keys, name, from, to, ends)
    }
  }
  return {
    notes,
    keysOf: (draft) => keys.filter(({ owner }) => owner === draft).map(factsOf),
  }
}

const leftOut = (place: string, why: string): Note => ({
  ...{ place: `relations() of ${place}`, becomes: 'left out' },
  why,
})

const factsOf = ({ target, fields, references, unchecked, name, inverse }: NamedKey): ForeignKeyFacts => ({
  ...{ fields, model: target.name, references },
  ...(name !== undefined && { name }),
  ...(inverse !== undefined && { inverse }),
  ...(unchecked && { unchecked: true }),
})

/** Names the relation of a key, or its other side. `false`: no such key exists. */
const giveName = (
  keys: readonly NamedKey[],
  name: string,
  from: Draft,
  to: Draft,
  ends: OwnEnds,
): boolean => {
  const there = pairsOf(ends.fields, ends.references)
  const back = pairsOf(ends.references, ends.fields)
  const key = (owner: Draft, target: Draft, pairs: string) => (known: NamedKey) =>
    known.owner === owner && known.target === target && pairsOf(known.fields, known.references) === pairs
  const own = keys.find(key(from, to, there))
  const other = keys.find(key(to, from, back))
  if (own !== undefined) own.name ??= name
  else if (other !== undefined) other.inverse ??= name
  return own !== undefined || other !== undefined
}

/** The same for a key and for a relation whose columns have another order. */
const pairsOf = (fields: readonly string[], references: readonly string[]): string =>
  JSON.stringify(fields.map((field, at) => [field, references[at]]).sort())

/** The side that refers is the one whose other end can only be one record. Returns the reason if neither is. */
const uncheckedKey = (from: Draft, to: Draft, { fields, references }: OwnEnds): NamedKey | string => {
  const pairs = fields.map((field, at) => [field, references[at] ?? ''] as const)
  const [incomparable] = pairs.filter(([field, reference]) => !canCompare(from, field, to, reference))
  if (incomparable !== undefined) {
    const [field, reference] = incomparable
    return `${from.name}.${field} and ${to.name}.${reference} have types that cannot be compared`
  }
  const refers = { owner: from, target: to, fields, references, unchecked: true }
  const isReferred = { owner: to, target: from, fields: references, references: fields, unchecked: true }
  for (const isKey of [isPrimaryKey, isUnique]) {
    if (isKey(to, references)) return refers
    if (isKey(from, fields)) return isReferred
  }
  return `neither ${references.join(', ')} of ${to.name} nor ${fields.join(', ')} of ${from.name} is a primary key or unique`
}

const isPrimaryKey = ({ primaryKey }: Draft, names: readonly string[]): boolean =>
  primaryKey.every((name) => names.includes(name))

const isUnique = ({ uniques }: Draft, names: readonly string[]): boolean =>
  uniques.some((unique) => unique.every((name) => names.includes(name)))

/** Types that different columns can share without being comparable in PostgreSQL. */
const severalTypes: ReadonlySet<string> = new Set(['enum', 'token'])

/** The database compares the columns themselves, so stored values must have the same form. */
const canCompare = (from: Draft, field: string, to: Draft, reference: string): boolean => {
  const [one, other] = [from.fields, to.fields].map((fields, at) =>
    fields.find(({ name }) => name === [field, reference][at]),
  )
  const [column, referred] = [ownValue(from.columns, field), ownValue(to.columns, reference)]
  if (one === undefined || other === undefined || column === undefined || referred === undefined) return false
  if (!isComparable(one) || !isComparable(other) || familyOf(one) !== familyOf(other)) return false
  const isAnyType = [column, referred].some(hasOwnValues) || severalTypes.has(one.kind)
  return !isAnyType || column.getSQLType() === referred.getSQLType()
}

const hasOwnValues = (column: Column): boolean => isCustom(column) || hasOwnMappers(column as TypedColumn)

const isComparable = ({ kind, conditions }: FieldFacts): boolean =>
  kinds[kind].comparable && conditions !== 'null'

const familyOf = ({ kind }: FieldFacts): string => (kind === 'bigint' ? 'integer' : kind)
