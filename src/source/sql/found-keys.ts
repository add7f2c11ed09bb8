import { ownValue } from '../../model/objects.ts'
import { type Key, keyText } from '../record-keys.ts'
import type { Row } from '../source.ts'
import type { BoundTable } from './bound-table.ts'
import { itself } from './codecs.ts'
import type { Sql } from './text.ts'

/** A record that an ORM found, with its stored key. A hook may change that of the record. */
export interface Found<Of> {
  readonly key: Key
  readonly record: Of
}

const nameOf = (at: number): string => `key${at}`

/** What a find of an ORM selects beside its records: their stored keys, and the names by which `keyFound` reads them. */
export const selectedKeys = ({ key }: BoundTable): readonly (readonly [column: Sql, name: string])[] =>
  key.map(({ selected }, at) => [selected, nameOf(at)])

/** The stored key in a row of such a find. */
export const keyFound = ({ key }: BoundTable, row: Row): Key =>
  key.map(({ column }, at) => (column.codec.decode ?? itself)(ownValue(row, nameOf(at))))

/** Rows with what their records say. `undefined`: the record was not found. @param keys those of the rows */
export const saidByFound = <Of>(
  rows: readonly Row[],
  keys: readonly Key[],
  found: readonly Found<Of>[],
  said: (record: Of, row: Row) => Row,
): readonly (Row | undefined)[] => {
  const byKey = new Map(found.map(({ key, record }) => [keyText(key), record]))
  return rows.map((row, at) => {
    const record = byKey.get(keyText(keys[at] ?? []))
    return record && { ...row, ...said(record, row) }
  })
}
