/**
 * What depends on how TypeORM writes its statements. Checked with typeorm 1.1. `test/source/typeorm/internals.test.ts` fails if a new
 * version changes it.
 */

/**
 * The builders of writes replace words that are names of properties, wherever a space, `=` or `(` comes before them. Tabs keep
 * the condition as it is.
 */
export const untouched = (sql: string): string =>
  `\t${sql.replaceAll(/("[^"]*"|`[^`]*`|'[^']*')|([ (=,)])/g, (_, name?: string, space?: string) => name ?? spaced(space))}`

const spaced = (mark: string | undefined): string => (mark === ' ' ? '\t' : `${mark}\t`)
