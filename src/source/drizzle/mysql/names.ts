import { type SQL, sql } from 'drizzle-orm'

const part = /`((?:[^`]|``)+)`/g

/** The condition on `information_schema` that finds a table. @param quoted its name as it stands in a statement */
export const isTableNamed = (quoted: string): SQL => {
  const names = [...quoted.matchAll(part)].map(([, name = '']) => name.replaceAll('``', '`'))
  const [schema, name] = names.length > 1 ? names : [undefined, names[0]]
  return sql`table_schema = ${schema ?? sql`database()`} and table_name = ${name ?? ''}`
}
