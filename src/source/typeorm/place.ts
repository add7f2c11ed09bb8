import type { EntityManager } from 'typeorm'
import type { Scope } from '../sql/tables.ts'
import type { MappedEntity } from './describe.ts'
import type { Database } from './values.ts'

/** Where statements run. */
export interface Place {
  readonly database: Database
  readonly mappedOf: (model: string) => MappedEntity
  readonly manager: EntityManager
}

/** A scope whose values become parameters. */
export interface BoundScope extends Scope {
  readonly parameters: Readonly<Record<string, unknown>>
}

/** @param prefix begins the names of parameters and aliases */
export const newScope = (
  { database: { family, quoted }, mappedOf }: Pick<Place, 'database' | 'mappedOf'>,
  { written, prefix = 'm' }: { readonly written?: MappedEntity; readonly prefix?: string } = {},
): BoundScope => {
  let count = 0
  const parameters: Record<string, unknown> = {}
  return {
    ...{ family, quoted, tableOf: mappedOf, parameters, ...(written && { written }) },
    value: (value) => {
      const name = `${prefix}${count++}`
      parameters[name] = value
      return `:${name}`
    },
    alias: () => quoted(`${prefix}${count++}_`),
  }
}

/** What TypeORM's builders take as the table of an entity. */
export const targetOf = (
  { source }: Database,
  { metadata }: MappedEntity,
): string | typeof metadata.target =>
  metadata.isJunction
    ? metadata.tablePath
    : source.hasMetadata(metadata.target)
      ? metadata.target
      : metadata.name
