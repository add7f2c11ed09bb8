import type { Database } from './database.ts'
import { mysql } from './dialect/mysql.ts'
import { pg } from './dialect/pg.ts'
import type { DialectRow } from './dialect/port.ts'
import { sqlite } from './dialect/sqlite.ts'
import type { Dialect } from './internals.ts'

export const dialectRows: Readonly<Record<Dialect, DialectRow>> = { sqlite, pg, mysql }

export const dialectOf = ({ dialect }: Database): DialectRow => dialectRows[dialect]
