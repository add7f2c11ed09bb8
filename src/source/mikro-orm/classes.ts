import { ownValue } from '../../model/objects.ts'
import type { Metadata } from './database.ts'

/** Whether a class inherits from another one of the same table. */
export const isHeir = ({ root, class: own }: Metadata): boolean =>
  root.inheritanceType === 'sti' && root.class !== own

/** The classes of one table that a foreign key may refer to. */
export interface Classes {
  /** Says which records the key may refer to. */
  readonly declared: Metadata
  /** The others that have the relation from the other side. */
  readonly others: readonly Metadata[]
}

/**
 * @param all the entities that are served
 * @param inverse the property for the relation from the other side. Absent: all classes that inherit from this one have it
 */
export const classesWith = (
  declared: Metadata,
  all: Iterable<Metadata>,
  inverse: string | undefined,
): Classes => ({
  declared,
  others: sameTable(declared, all).filter((metadata) =>
    inverse === undefined ? isBelow(metadata, declared, all) : ownValue(metadata.properties, inverse),
  ),
})

/** The classes with a many-to-many property. The first one of the table has it, even if only another one declares it. */
export const classesOf = (target: Metadata, all: Iterable<Metadata>, property: string): Classes => {
  const { root } = target
  const holders = [target, ...sameTable(target, all)].filter(
    (metadata) => metadata.class !== root.class && ownValue(metadata.properties, property) !== undefined,
  )
  const highest = holders.find((metadata) =>
    holders.every((other) => other === metadata || isBelow(other, metadata, all)),
  )
  const isOfRoot = ownValue(root.properties, property)?.inherited !== true
  return classesWith(isOfRoot ? root : (highest ?? root), all, property)
}

const sameTable = ({ root, class: own }: Metadata, all: Iterable<Metadata>): readonly Metadata[] =>
  root.inheritanceType === 'sti'
    ? [...all].filter((metadata) => metadata.root.class === root.class && metadata.class !== own)
    : []

const isBelow = ({ extends: parent }: Metadata, above: Metadata, all: Iterable<Metadata>): boolean => {
  if (parent === undefined) return false
  const isNamed = ({ class: own, className }: Metadata): boolean =>
    ([own, className] as readonly unknown[]).includes(parent)
  if (isNamed(above)) return true
  const next = [...all].find(isNamed)
  return next !== undefined && isBelow(next, above, all)
}
