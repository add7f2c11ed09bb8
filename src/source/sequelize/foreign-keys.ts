import type { Association as Declared, WhereOptions } from 'sequelize'
import type { DeclaredColumn, DeclaredTable } from '../sql/declared-table.ts'
import type { DeclaredKey } from '../sql/mapping.ts'
import type { Attribute, Defined } from './values.ts'

export interface AttributeColumn extends DeclaredColumn {
  readonly attribute: Attribute
}

/** What the default scope of a model says of its records. */
export interface DefaultScope {
  /** Holds for each record that is read or written. */
  readonly where: WhereOptions | undefined
  /** Whether it reads an attribute. */
  reads(attribute: string): boolean
}

/** A model with what is served of it. */
export interface DeclaredModel extends DeclaredTable<AttributeColumn> {
  readonly defined: Defined
  readonly scope: DefaultScope
}

/** What Sequelize's types of associations leave out. */
export interface Association extends Declared {
  readonly targetKey?: string
  readonly sourceKey?: string
  readonly otherKey?: string
  readonly through?: { readonly model: Defined; readonly scope?: object | null }
  readonly scope?: object
  readonly options?: { readonly hooks?: boolean; readonly constraints?: boolean }
}

export const associationsOf = ({ associations }: Defined): readonly Association[] =>
  Object.values(associations)

/** Whether a relation has only some of the records that refer to another one, such as those of a type. */
export const hasScope = ({ scope, through }: Association): boolean =>
  Boolean(scope) || Boolean(through?.scope)

/** Foreign keys, each once: what associations of either side say of an attribute, or its `references`. */
export const foreignKeysOf = (
  table: DeclaredModel,
  others: ReadonlyMap<Defined, DeclaredModel>,
): readonly DeclaredKey[] =>
  table.columns.flatMap(([field, { attribute }]) => {
    const near = associationsOf(table.defined).filter(
      ({ associationType, foreignKey }) => associationType === 'BelongsTo' && foreignKey === field,
    )
    const inverse = [...others.values()].flatMap((other) =>
      associationsOf(other.defined)
        .filter(({ associationType, foreignKey, target, through }) =>
          associationType === 'BelongsToMany'
            ? foreignKey === field && through?.model === table.defined
            : associationType !== 'BelongsTo' && foreignKey === field && target === table.defined,
        )
        .map((association) => ({ other, association })),
    )
    const whole = inverse.filter(({ association }) => !hasScope(association))
    const far = whole.filter(({ association }) => association.associationType !== 'BelongsToMany')
    /** Only some of its records belong to the other model. A relation with all would show those of others. */
    const isPartial = (one: DeclaredModel): boolean =>
      inverse.some(({ other }) => other === one) && !whole.some(({ other }) => other === one)
    const referred = referenceOf(
      attribute,
      others,
      near.map(({ target }) => target as Defined),
    )
    const declared = [
      ...near.map(({ target, targetKey }) => ({
        other: others.get(target as Defined),
        reference: targetKey,
      })),
      ...far.map(({ other, association: { sourceKey } }) => ({ other, reference: sourceKey })),
      ...(referred === undefined ? [] : [referred]),
    ]
    const ends = new Map(declared.map((end) => [`${end.other?.name} ${end.reference}`, end]))
    return [...ends.values()].flatMap(({ other, reference }): readonly DeclaredKey[] => {
      if (other === undefined || isPartial(other)) return []
      const references = [reference ?? other.defined.primaryKeyAttribute]
      const name = near.find(({ target }) => target === other.defined)?.as
      const inverse = far.find((one) => one.other === other)?.association.as
      const across = whole
        .filter((one) => one.other === other && one.association.associationType === 'BelongsToMany')
        .map(({ association: { as, otherKey = '' } }) => ({ name: as, fields: [otherKey] }))
      const isChecked = referred?.other === other
      return [
        {
          facts: {
            ...{ model: other.name, fields: [field], references },
            ...(name !== undefined && { name }),
            ...(inverse !== undefined && { inverse }),
            ...(across.length > 0 && { across }),
            ...(!isChecked && { unchecked: true as const }),
          },
          onDelete: attribute.onDelete,
        },
      ]
    })
  })

/** The model and attribute that `references` names, by table and column. @param targets come first if several models have the table */
const referenceOf = (
  { references }: Attribute,
  others: ReadonlyMap<Defined, DeclaredModel>,
  targets: readonly Defined[],
) => {
  if (typeof references !== 'object') return undefined
  const { model, key } = references
  const named: unknown = typeof model === 'function' ? Reflect.get(model, 'tableName') : model
  const table =
    typeof named === 'object' && named !== null ? String(Reflect.get(named, 'tableName')) : String(named)
  const same = [...others.values()].filter(({ defined }) => defined.tableName === table)
  const other = same.find(({ defined }) => targets.includes(defined)) ?? same[0]
  if (other === undefined) return undefined
  const found = other.columns.find(([name, { column }]) => column === key || name === key)
  return { other, reference: found?.[0] }
}
