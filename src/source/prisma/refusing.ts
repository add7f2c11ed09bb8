import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { everything, haveValues } from '../../query/ast.ts'
import type { RecordStore, Row } from '../source.ts'
import type { DriverRefusal } from '../sql/errors.ts'
import type { CheckedKey } from '../sql/mapping.ts'
import {
  type BrokenKey,
  type BrokenKeys,
  isSentIn,
  mayBeMissing,
  mayHold,
  type RefusingTable,
} from '../sql/refusals.ts'
import type { PrismaMapped } from './describe.ts'

type RecordReads = Pick<RecordStore, 'read' | 'count'>

/** What refusals of a model are about. Violated foreign keys are found with the stores of the models. */
export const refusingOf = (
  mapped: PrismaMapped,
  keys: readonly CheckedKey[],
  storeOf: (model: string) => RecordReads,
): Pick<RefusingTable, 'fieldsOf' | 'brokenKeys'> => ({
  fieldsOf: (refusal) => fieldsOf(mapped, refusal),
  brokenKeys: brokenKeysOf(mapped.model, keys, storeOf),
})

const fieldsOf = (
  { model, columns, indexes }: PrismaMapped,
  { columns: named = [], index }: DriverRefusal,
): readonly string[] => [
  ...(indexes.find(({ names }) => index !== undefined && names.includes(index))?.fields ?? []),
  ...model.fields.map(({ name }) => name).filter((name) => named.includes(ownValue(columns, name) ?? name)),
]

const brokenKeysOf = (
  model: Model,
  keys: readonly CheckedKey[],
  storeOf: (model: string) => RecordReads,
): BrokenKeys => {
  const storedRow = async (key: readonly unknown[] | undefined): Promise<Row> =>
    (key && (await storeOf(model.name).read(key, everything))) ?? {}

  const broken = async (
    suspects: readonly CheckedKey[],
    isBroken: (suspect: CheckedKey) => Promise<boolean>,
  ): Promise<readonly BrokenKey[]> => {
    const found: BrokenKey[] = []
    for (const suspect of suspects) if (await isBroken(suspect)) found.push(suspect)
    return found
  }

  return {
    missing: async (values, key) => {
      const own = keys.filter((candidate) => candidate.model === model.name)
      const suspects = mayBeMissing(own, values, key)
      const isSent = isSentIn(values)
      const isPartial = suspects.some(({ fields }) => !fields.every(isSent))
      const row = { ...(await storedRow(isPartial ? key : undefined)), ...values }
      return broken(suspects, async ({ fields, target, references }) => {
        const parts = fields.map((name) => ownValue(row, name) ?? null)
        return (
          !parts.includes(null) &&
          (await storeOf(target).count(haveValues(references, parts), everything, 1)) === 0
        )
      })
    },

    holding: async (key, changed) => {
      const suspects = mayHold(keys, changed).filter(({ target }) => target === model.name)
      const row = suspects.length === 0 ? {} : await storedRow(key)
      return broken(suspects, async ({ model: owner, fields, references }) => {
        const parts = references.map((name) => ownValue(row, name) ?? null)
        return (await storeOf(owner).count(haveValues(fields, parts), everything, 1)) > 0
      })
    },
  }
}
