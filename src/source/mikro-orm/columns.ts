import { ReferenceKind } from '@mikro-orm/core'
import { type CaseStyle, caseStyleOf, joinedIn } from '../../model/naming.ts'
import type { Note } from '../notes.ts'
import type { DeclaredColumn } from '../sql/declared-table.ts'
import type { Metadata, Property } from './database.ts'

/** A column as a property declares it. */
export interface EntityColumn extends DeclaredColumn {
  /** The name of the property of the entity that has the column. */
  readonly property: string
  readonly declared: Property
  /** The property that says its type: of the related entity, for a foreign key. */
  readonly scalar: Property
  /** The names of the properties that lead to the value from an entity. */
  readonly path: readonly string[]
  /** The columns of the foreign key, in the order of the key that it refers to. Absent: it is not one of a relation. */
  readonly parts?: readonly string[]
}

/** Fields are named as their properties, with those of embeddables before them; foreign keys as their column in the same style. */
export const namedColumns = (
  model: string,
  metadata: Metadata,
  fallback: CaseStyle,
  notes: Note[],
): readonly (readonly [field: string, column: EntityColumn])[] => {
  const columns = metadata.props.flatMap((property) => columnsOf(property, metadata))
  const style = caseStyleOf(ownNames(columns)) ?? fallback
  const named = new Map<string, EntityColumn>()
  const declared = new Set(columns.filter(({ parts }) => parts === undefined).map(({ column }) => column))
  for (const column of columns) {
    const isTwice =
      (column.parts !== undefined && declared.has(column.column)) ||
      [...named.values()].some((other) => other.column === column.column)
    if (isTwice) continue
    const { path, parts } = column
    const plain = path.length === 1 ? (path[0] ?? '') : joinedIn(style, ...path)
    named.set(parts === undefined ? plain : joinedIn(style, column.column), column)
  }
  const left = (name: string) => ({ place: `${model}.${name}`, becomes: 'left out' as const })
  for (const { name, formula, polymorphic, targetMeta } of metadata.props) {
    // MikroORM reads the key of a relation that is not written by a formula.
    if (formula !== undefined && targetMeta === undefined)
      notes.push({ ...left(name), why: 'MikroORM computes it with a formula, so it has no column' })
    if (polymorphic) notes.push({ ...left(name), why: 'its keys refer to entities of several tables' })
  }
  return [...named]
}

const ownNames = (columns: readonly EntityColumn[]): readonly string[] =>
  columns.filter(({ parts }) => parts === undefined).map(({ path }) => path.join(''))

/** The style of the properties of all entities, for those whose own properties are single words. */
export const styleOf = (entities: Iterable<Metadata>): CaseStyle =>
  caseStyleOf(
    [...entities].flatMap((metadata) =>
      ownNames(metadata.props.flatMap((property) => columnsOf(property, metadata))),
    ),
  ) ?? 'camel'

const columnsOf = (property: Property, metadata: Metadata): readonly EntityColumn[] => {
  const { kind, persist, fieldNames = [], object, formula, polymorphic, mapToPk } = property
  if (persist === false || formula !== undefined || polymorphic) return []
  const own = pathOf(property, metadata)
  const of = { property: property.name, declared: property }
  if (kind === ReferenceKind.SCALAR || (kind === ReferenceKind.EMBEDDED && object))
    return fieldNames.map((column) => ({ ...{ column, ...of }, scalar: property, path: own }))
  const isOwned = kind === ReferenceKind.MANY_TO_ONE || (kind === ReferenceKind.ONE_TO_ONE && property.owner)
  const target = property.targetMeta
  if (!isOwned || target === undefined) return []
  return fieldNames.flatMap((column, at) => {
    const reference = property.referencedColumnNames[at]
    const referenced = target.props
      .filter((other) => other.persist !== false && other.fieldNames?.includes(reference ?? ''))
      .flatMap((other) => columnsOf(other, target))
      .find((other) => other.column === reference)
    if (referenced === undefined) return []
    const path = mapToPk ? own : [...own, ...referenced.path]
    return [{ ...{ column, ...of }, scalar: referenced.scalar, path, parts: fieldNames }]
  })
}

const pathOf = ({ name, embedded }: Property, metadata: Metadata): readonly string[] => {
  if (embedded === undefined) return [name]
  const parent = metadata.props.find((property) => property.name === embedded[0])
  return parent === undefined ? [name] : [...pathOf(parent, metadata), embedded[1]]
}
