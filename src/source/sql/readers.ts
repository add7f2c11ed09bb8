import type { Family } from './codecs.ts'
import type { ReadError } from './errors.ts'
import { readMysqlError } from './mysql-errors.ts'
import { readPgError } from './pg-errors.ts'
import { readSqliteError } from './sqlite-errors.ts'

/** Reads the errors of the usual drivers of a database. */
export const readers: Readonly<Record<Family, ReadError>> = {
  ...{ pg: readPgError, mysql: readMysqlError, mariadb: readMysqlError, sqlite: readSqliteError },
}
