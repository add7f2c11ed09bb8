import { inherited } from '../../../src/testing/source/library.ts'

export const inheritedColumns = <Column>(column: (name: string) => Column): Record<string, Column> =>
  Object.fromEntries(inherited.map((name) => [name, column(name)]))

/** Of a `create table`. */
export const inheritedSql = (type: string, quote = '"'): string =>
  inherited.map((name) => `${quote}${name}${quote} ${type}`).join(', ')
