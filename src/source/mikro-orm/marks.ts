import { raw } from '@mikro-orm/core'
import { SourceError } from '../source.ts'
import { type Family, isMysql } from '../sql/codecs.ts'
import { spellingOfFamily } from '../sql/mapped-table.ts'
import { stringSql } from '../sql/strings.ts'
import type { Spelling } from '../sql/text.ts'
import { type MikroOrmDatabase, schemaOf, tableIn } from './database.ts'
import type { MappedEntity } from './describe.ts'
import type { Execution } from './execution.ts'
import type { Filter } from './filters.ts'

/** What stands in the statements of the engine for what only the manager of an act knows. */
interface Marks {
  readonly value: string
  table(at: number): string
  filter(at: number, alias: string): string
  readonly tables: RegExp
  readonly names: RegExp
  readonly filters: RegExp
}

/** Clients cannot know the secret. */
export const marksWith = (secret: string, family: Family): Marks => ({
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
export interface Marked {
  readonly entities: readonly MappedEntity[]
  readonly marks: Marks
}

export const spellingIn = ({ family }: Pick<MikroOrmDatabase, 'family'>, { marks }: Marked): Spelling => ({
  ...spellingOfFamily(family),
  parameter: () => marks.value,
})

/** A value as MikroORM can write it. @throws SourceError `value` for a string that the database cannot store */
export const writableIn =
  ({ family }: MikroOrmDatabase) =>
  (value: unknown): unknown => {
    if (typeof value !== 'string' || !value.includes('\0') || isMysql(family)) return value
    // PostgreSQL cannot store it, and a statement of SQLite ends there.
    if (family === 'pg') throw new SourceError('value', { fields: [] })
    return raw(stringSql(family, value))
  }

interface MarkedStatement {
  /** The entities whose filters it has. */
  readonly filtered: ReadonlySet<MappedEntity>
  complete(
    values: readonly unknown[],
    filterOf: (entity: MappedEntity) => Filter,
    literal: (value: unknown) => string,
  ): string
}

/** A statement of the engine for the manager of an act, and the filters that it asks for. */
export const statementIn = (
  { database, manager }: Pick<Execution, 'database' | 'manager'>,
  { entities, marks }: Marked,
  text: string,
): MarkedStatement => {
  const entityAt = (at: string): MappedEntity => entities.at(Number(at)) as MappedEntity
  const inSchema = (part: string): string =>
    part.replace(marks.tables, (_, at: string) => tableIn(database, entityAt(at).metadata, manager.schema))
  const named = inSchema(text)
  return {
    filtered: new Set([...named.matchAll(marks.filters)].map(([, at = '']) => entityAt(at))),
    complete: (values, filterOf, literal) => {
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
