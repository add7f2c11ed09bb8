import { isDeepStrictEqual } from 'node:util'
import { StartError } from '../../error/errors.ts'
import type { FieldKind } from '../../model/model.ts'
import { isPromise } from '../../model/objects.ts'
import { type ColumnCodec, codecOf } from './codecs.ts'
import { columnsSql, type Database, type RawRow, runOnce } from './database.ts'
import { badRows } from './port.ts'
import type { Dialect, Sql } from './text.ts'
import { queryOf, spellings, sql } from './text.ts'
import { plainFacts } from './types.ts'

/** A value that statements read as the driver returns it. */
interface Sample {
  readonly kind: FieldKind
  readonly noun: string
  readonly value: unknown
  readonly written: Readonly<Record<Dialect, Sql>>
}

/** Quotes and backslashes, which a driver may escape, and a character of four bytes. */
const TEXT = `a'b"c\\d😀`

const alike = (written: Sql): Sample['written'] => ({ sqlite: written, pg: written, mysql: written })

const samples: readonly Sample[] = [
  { kind: 'integer', noun: 'integers', value: 7, written: alike(sql`7`) },
  {
    ...{ kind: 'float', noun: 'floating-point numbers', value: 0.5 },
    written: { sqlite: sql`0.5`, pg: sql`0.5::float8`, mysql: sql`5e-1` },
  },
  {
    ...{ kind: 'boolean', noun: 'booleans', value: true },
    written: { sqlite: sql`1`, pg: sql`true`, mysql: sql`true` },
  },
  {
    ...{ kind: 'bytes', noun: 'binary values', value: [0, 255] },
    written: { sqlite: sql`x'00ff'`, pg: sql`'\\x00ff'::bytea`, mysql: sql`x'00ff'` },
  },
  {
    ...{ kind: 'text', noun: 'strings that are parameters', value: TEXT },
    written: { sqlite: sql`${TEXT}`, pg: sql`${TEXT}::text`, mysql: sql`cast(${TEXT} as char)` },
  },
]

/**
 * Checks that the driver returns values in forms that the engine reads, which its options and type parsers may change.
 *
 * @throws StartError
 */
export const assertDriver = async (adapter: string, database: Database): Promise<void> => {
  const { dialect } = database
  const columns = columnsSql(
    database,
    samples.map(({ kind, written }) => codecIn(kind, dialect).selected(written[dialect])),
  )
  const found = runOnce(database, sql`select ${columns}`, ([first]) => first)
  if (database.synchronous && isPromise(found))
    throw new StartError(
      `${adapter}: run() of the database returns a promise, so the database is not synchronous. Leave out synchronous.`,
    )
  const row = await found
  if (row?.length !== samples.length) throw badRows(adapter, 'run')
  for (const [at, { kind, noun, value }] of samples.entries()) {
    if (isDeepStrictEqual(read(kind, row[at], dialect), value)) continue
    throw new StartError(
      `${adapter}: the driver returns ${noun} in a form that modelrest cannot read. Remove type parsers, casts and options of the driver that change them.`,
    )
  }
  if (dialect === 'mysql') await assertOutcome(adapter, database)
}

const codecIn = (kind: FieldKind, dialect: Dialect): ColumnCodec =>
  codecOf({ field: plainFacts(kind), type: '' }, dialect)

const read = (kind: FieldKind, raw: unknown, dialect: Dialect): unknown => {
  try {
    const shown = codecIn(kind, dialect).decode(raw)
    return shown instanceof Uint8Array ? [...shown] : shown
  } catch {
    return undefined
  }
}

const assertOutcome = async (adapter: string, database: Database): Promise<void> => {
  const { text } = queryOf(sql`do 0`, spellings.mysql)
  const isCounted = (rows: readonly RawRow[]) => rows[0]?.length === 2 && Number(rows[0][0]) === 0
  if ((await database.run(text, [], { fetch: 'outcome', read: isCounted })) === true) return
  throw new StartError(
    `${adapter}: for 'outcome', run() of the database must return one row with the number of changed records and the last generated key, such as [[1, 42]].`,
  )
}
