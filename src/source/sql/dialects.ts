import type { Database } from './database.ts'
import type { DialectRow } from './dialect.ts'
import type { ReadError } from './errors.ts'
import { mysql } from './mysql-dialect.ts'
import { pg } from './pg-dialect.ts'
import { sqlite } from './sqlite-dialect.ts'
import type { Dialect } from './text.ts'

export const dialectRows: Readonly<Record<Dialect, DialectRow>> = { sqlite, pg, mysql }

export const readErrorOf = ({ dialect, errors }: Pick<Database, 'dialect' | 'errors'>): ReadError =>
  errors?.read ?? dialectRows[dialect].readError

export const dialectOf = ({ dialect }: { readonly dialect: Dialect }): DialectRow => dialectRows[dialect]
