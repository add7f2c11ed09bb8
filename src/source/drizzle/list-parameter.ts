import type { BoundField, BoundTable } from './bound-table.ts'

/** Up to here a list is written out, which databases plan best. */
const WRITTEN_OUT = 20

/** A list as one parameter. `undefined`: it is written out. */
export const listParameter = (
  { dialect }: BoundTable,
  { encodeCompared, stored }: BoundField,
  values: readonly unknown[],
): string | undefined =>
  values.length > WRITTEN_OUT ? dialect.anyOf.toParameter(values.map(encodeCompared), stored) : undefined
