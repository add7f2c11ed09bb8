import type { Database, ServedDialect } from './database.ts'
import { mysql } from './dialect/mysql.ts'
import { pg } from './dialect/pg.ts'
import type { DialectRow } from './dialect/port.ts'
import { sqlite } from './dialect/sqlite.ts'

export const dialectRows: Readonly<Record<ServedDialect, DialectRow>> = { sqlite, pg, mysql }

export const dialectOf = ({ dialect }: Database): DialectRow => dialectRows[dialect]
