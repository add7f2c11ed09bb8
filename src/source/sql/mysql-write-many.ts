import type { RecordStore, Row } from '../source.ts'
import type { BoundField } from './bound-table.ts'
import { isMariaDb } from './mysql-server.ts'
import { atomically, type KeyPart, mysqlCreateIn, outcome, writtenKey } from './mysql-write.ts'
import { accessTo, draftOf, type TableAccess } from './statement.ts'
import { listSql, Sql, sql } from './text.ts'
import { notStored } from './write.ts'
import { type Batch, batchesInTurn, batchesOf, createManyIn, insertIn } from './write-many.ts'

type CreateMany = NonNullable<RecordStore['createMany']>

/**
 * MySQL does not return what it inserts. The keys are those that were sent, or consecutive numbers that the database counted: it
 * reserves them together for an insert whose number of records is known. Other records are inserted one by one.
 */
export const mysqlCreateManyIn = (access: TableAccess, create: RecordStore['create']): CreateMany => {
  const { database, table } = access
  const returning = createManyIn(access)
  const store = storingIn(access, create)
  return async (rows) => {
    if (await isMariaDb(database)) return await returning(rows)
    // Only the connection of the insert knows which keys the database counted.
    return await atomically(database, async (inside) => {
      if (inside === database) return await store(rows)
      const own = accessTo(inside, table)
      return await storingIn(own, mysqlCreateIn(own))(rows)
    })
  }
}

/** All statements run where the access does. */
const storingIn = (access: TableAccess, create: RecordStore['create']): CreateMany => {
  const { database, table, reads } = access
  const insert = insertIn(access, { fetch: 'outcome', read: outcome }, sql``)
  const counting = reads({ fetch: 'all', read: (rows) => rows[0] })
  const reread = rereadIn(access)
  const [key, another] = table.key

  const firstCounted = async (): Promise<CountedKeys> => {
    const counted = sql`select last_insert_id(), @@session.auto_increment_increment`
    const row = await counting(draftOf(table, 'counted'), () => counted)
    return { first: Number(row?.[0]), step: Number(row?.[1]) }
  }

  const storeBatch = async (batch: Batch): Promise<readonly Row[]> => {
    const parts = key === undefined || another !== undefined ? undefined : partsOf(access, batch)
    if (key === undefined || parts === undefined) return await oneByOne(batch, create)
    await insert(batch)
    const values = parts[0] === 'counted' ? countedKeys(await firstCounted(), parts.length) : valuesIn(parts)
    const stored = await reread(key, values)
    return stored?.length === values.length ? stored : notStored()
  }

  return (rows) => batchesInTurn(database, batchesOf(table, rows), storeBatch)
}

/** The only part of each key. `undefined`: they are not all sent, or all counted, or one is an SQL expression. */
const partsOf = ({ table }: TableAccess, { rows }: Batch): readonly KeyPart[] | undefined => {
  const parts = rows.flatMap(({ columns, values }) =>
    writtenKey({ ...draftOf(table), values: [...values] }, columns),
  )
  const counted = parts.filter((part) => part === 'counted').length
  if (parts.some((part) => part !== 'counted' && part.value instanceof Sql)) return undefined
  return counted === 0 || counted === parts.length ? parts : undefined
}

const valuesIn = (parts: readonly KeyPart[]): readonly unknown[] =>
  parts.flatMap((part) => (part === 'counted' ? [] : [part.value]))

interface CountedKeys {
  readonly first: number
  readonly step: number
}

const countedKeys = ({ first, step }: CountedKeys, length: number): readonly number[] => {
  const keys = Array.from({ length }, (_, at) => first + at * step)
  if (keys.every(Number.isSafeInteger)) return keys
  throw new Error('The generated keys are too large to be counted exactly.')
}

const oneByOne = async ({ rows }: Batch, create: RecordStore['create']): Promise<readonly Row[]> => {
  const stored: Row[] = []
  for (const { row } of rows) stored.push(await create(row))
  return stored
}

/** Reads the records with these keys, in their order. */
const rereadIn = ({ table, columns, readRows, reads }: TableAccess) => {
  const run = reads({ fetch: 'all', read: readRows })
  return async ({ compared, comparedSlot }: BoundField, keys: readonly unknown[]) => {
    const draft = draftOf(table, `many${keys.length}`)
    draft.values.push(...keys)
    return await run(draft, (slots) => {
      const list = listSql(keys.map((_, at) => comparedSlot(slots(at))))
      return sql`select ${columns} from ${table.own} where ${compared} in (${list}) order by field(${compared}, ${list})`
    })
  }
}
