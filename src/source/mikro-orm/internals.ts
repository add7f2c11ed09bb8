/**
 * What depends on how MikroORM writes its statements. Checked with @mikro-orm/sql 7.2. `internals.test.ts` and `observed.test.ts` in
 * `test/source/mikro-orm` fail if a new version changes it.
 */

/**
 * The condition of a select of MikroORM on one table. An empty string: it has none. `undefined`: it has more than a condition.
 *
 * @param alias that of the table, in quotes
 */
export const conditionAfter = (select: string, alias: string): string | undefined => {
  const from = ` as ${alias}`
  const rest = select.slice(select.indexOf(from) + from.length)
  const where = ' where '
  if (rest === '') return ''
  return rest.startsWith(where) ? rest.slice(where.length) : undefined
}

/**
 * Whether a statement of a transaction is one of a flush that names no manager: the select that reads back versions.
 *
 * @param context that for loggers. `undefined`: a statement of `execute`
 */
export const isOfFlush = (context: { readonly id?: unknown } | undefined): boolean =>
  context !== undefined && context.id === undefined
