import type { Field } from '../../model/model.ts'
import { isEndless } from '../sizing.ts'
import { type Family, isMysql } from './codecs.ts'

/** The SQL around a value that makes it the number of its bytes. */
export const bytesAround = (
  family: Family,
  { kind, form }: Pick<Field, 'kind' | 'form'>,
): readonly [before: string, after: string] => {
  if (isMysql(family)) return ['coalesce(length(', '), 0)']
  // SQLite knows them without reading the value, and PostgreSQL those of text and bytes.
  if (family === 'sqlite' || kind === 'bytes' || form === 'bytes') return ['coalesce(octet_length(', '), 0)']
  return ['coalesce(octet_length((', ')::text), 0)']
}

/** A value to read, by its field. */
export interface Sized<Expression> {
  readonly field: Field
  readonly value: Expression
}

/**
 * What a statement selects instead of values to know their sizes: the bytes of all values whose length has no bound, and those of
 * values that are parsed as JSON.
 *
 * @param sum adds up the values, each between two parts of SQL. Without values, it is 0
 */
export const sizeColumns = <Expression>(
  family: Family,
  values: readonly Sized<Expression>[],
  sum: (parts: readonly (readonly [string, Expression, string])[]) => Expression,
): readonly [all: Expression, json: Expression] => {
  const parts = values.filter(({ field }) => isEndless(field))
  const around = (chosen: typeof parts) =>
    sum(
      chosen.map(({ field, value }) => {
        const [before, after] = bytesAround(family, field)
        return [before, value, after] as const
      }),
    )
  return [around(parts), around(parts.filter(({ field }) => field.form === 'json'))]
}
