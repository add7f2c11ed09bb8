import { StartError } from '../../error/errors.ts'
import { type Family, isMysql } from './codecs.ts'

/** A setting of a session of the database on which the meaning of statements depends. */
interface Setting {
  /** Selects it. */
  readonly sql: string
  readonly isRight: (value: string) => boolean
  /** What is wrong with the value, and what to do. */
  readonly wrong: (value: string) => string
}

/** The `sql_mode` that the server gave to the session, also if `rightSession` has changed it. */
// A variable that is not set has binary text, which Prisma returns as bytes.
const GIVEN = 'cast(ifnull(@modelrest_sql_mode, @@session.sql_mode) as char)'

/** Modes that change what statements and values mean. */
const wrongModes: Readonly<Record<string, string>> = {
  NO_BACKSLASH_ESCAPES: 'but MySQL drivers escape values with backslashes',
  EMPTY_STRING_IS_NULL: 'so the database would store null for an empty string',
  // MikroORM and Prisma begin transactions by `begin`, which is a block of statements there.
  ORACLE: 'which changes the meaning of statements',
  PAD_CHAR_TO_FULL_LENGTH: 'so the database would add spaces to the values of char columns',
}

const strict = /STRICT_(TRANS|ALL)_TABLES/

const charset = (name: string): Setting => ({
  sql: `ifnull(@@session.${name}, 'utf8mb4')`,
  isRight: (value) => value === 'utf8mb4',
  wrong: (value) =>
    `the connections of db use the character set ${value}, which does not support all Unicode characters. Set their charset to utf8mb4`,
})

const ofMysql: readonly Setting[] = [
  {
    sql: GIVEN,
    isRight: (modes) => strict.test(modes),
    wrong: () =>
      'the sql_mode of db is not strict, so the database would truncate values that do not fit. Add STRICT_TRANS_TABLES to sql_mode',
  },
  ...Object.entries(wrongModes).map(
    ([mode, why]): Setting => ({
      sql: GIVEN,
      isRight: (modes) => !modes.split(',').includes(mode),
      wrong: () => `the sql_mode of db has ${mode}, ${why}. Remove it from sql_mode`,
    }),
  ),
  ...['character_set_client', 'character_set_connection', 'character_set_results'].map(charset),
  {
    sql: '@@session.sql_select_limit',
    isRight: (limit) => Number(limit) >= 2 ** 63,
    wrong: (limit) =>
      `sql_select_limit of db is ${limit}, so the database would leave out records. Set it to 18446744073709551615`,
  },
  {
    sql: '@@session.sql_auto_is_null',
    isRight: (value) => value === '0',
    wrong: () =>
      'sql_auto_is_null of db is on, so the database would find the last inserted record for null. Set it to 0',
  },
]

const ofPostgres: readonly Setting[] = [
  {
    sql: `current_setting('DateStyle')`,
    isRight: (style) => style.startsWith('ISO'),
    wrong: (style) =>
      `the DateStyle of db is ${style}, so the database would write times in a format that drivers misread. Set it to ISO`,
  },
  {
    sql: `current_setting('extra_float_digits')`,
    isRight: (digits) => Number(digits) > 0,
    wrong: (digits) =>
      `extra_float_digits of db is ${digits}, so the database would round floating-point numbers. Set it to 1`,
  },
  {
    sql: `current_setting('bytea_output')`,
    isRight: (form) => form === 'hex',
    wrong: (form) => `bytea_output of db is ${form}, which not all drivers read. Set it to hex`,
  },
]

/**
 * Checks the settings of a session on which the meaning of statements depends.
 *
 * @param adapter the name of the function that makes the source
 * @param select the values of the only row of a statement, in their order
 * @throws StartError if the database would lose, change or leave out values
 */
export const assertSession = async (
  adapter: string,
  family: Family,
  select: (sql: string) => Promise<readonly unknown[]>,
): Promise<void> => {
  const settings = isMysql(family) ? ofMysql : family === 'pg' ? ofPostgres : []
  if (settings.length === 0) return
  const values = await select(`select ${settings.map(({ sql }, at) => `${sql} as s${at}`).join(', ')}`)
  for (const [at, { isRight, wrong }] of settings.entries()) {
    const value = String(values[at])
    if (!isRight(value)) throw new StartError(`${adapter}: ${wrong(value)}.`)
  }
}

/** With `EMPTY_STRING_IS_NULL`, a mode can be replaced by another one, but not by nothing. */
const rightMode = Object.keys(wrongModes).reduce(
  (modes, mode) => `replace(${modes}, '${mode}', 'STRICT_TRANS_TABLES')`,
  "concat('STRICT_TRANS_TABLES,', @@session.sql_mode)",
)

/** Makes the settings of a session of MySQL or MariaDB right. A check of the session still finds the mode that the server gave it. */
export const rightSession: string = [
  `set @modelrest_sql_mode = ${GIVEN}`,
  `session sql_mode = ${rightMode}`,
  'session sql_select_limit = 18446744073709551615',
  'session sql_auto_is_null = 0',
].join(', ')
