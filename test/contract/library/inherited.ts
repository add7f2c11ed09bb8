/** Names that every object inherits, or that a promise and JSON.stringify look for: columns may have them too. */
export const inherited = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'then', 'toJSON'] as const

export const inheritedColumns = <Column>(column: (name: string) => Column): Record<string, Column> =>
  Object.fromEntries(inherited.map((name) => [name, column(name)]))

/** Of a `create table`. */
export const inheritedSql = (type: string, quote = '"'): string =>
  inherited.map((name) => `${quote}${name}${quote} ${type}`).join(', ')
