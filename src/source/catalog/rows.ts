import type { CatalogForeignKey, CatalogQuery } from './facts.ts'

/** A row whose values are text, as catalogs hold it. Numbers and flags are read from their text. */
export type TextRow = readonly (string | null)[]

/** The rows of a statement, whatever the driver makes of its values. */
export const rowsOf = async (query: CatalogQuery, text: string): Promise<readonly TextRow[]> =>
  (await query(text)).map((row) => (Array.isArray(row) ? row : Object.values(Object(row))).map(asText))

const asText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value)
}

/** A string as a literal of SQL. Names of schemas come from a command line. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

export const present = <Name extends string>(
  name: Name,
  value: string | null | undefined,
): { readonly [Key in Name]?: string } =>
  value === null || value === undefined || value === ''
    ? {}
    : ({ [name]: value } as { readonly [Key in Name]: string })

/** The rows of each table, under its name and schema. */
export const byTable = (rows: readonly TextRow[]): ReadonlyMap<string, readonly TextRow[]> =>
  Map.groupBy(rows, ([schema, table]) => tableId(schema, table))

export const tableId = (schema: string | null | undefined, table: string | null | undefined): string =>
  JSON.stringify([schema ?? '', table ?? ''])

const actions = new Set(['cascade', 'set null', 'set default', 'restrict', 'no action'] as const)

/** `SET NULL` -> `set null` */
export const actionOf = (text: string | null | undefined): CatalogForeignKey['onDelete'] =>
  [...actions].find((action) => action === text?.toLowerCase()) ?? 'no action'
