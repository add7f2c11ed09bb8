import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { everything, haveValues } from '../../query/ast.ts'
import { DEFAULT, type RecordStore, type Row } from '../source.ts'
import type { BrokenKey, BrokenKeys } from './refusals.ts'

/** A foreign key that the database checks, with names of models and fields. */
export interface CheckedKey {
  readonly model: string
  readonly fields: readonly string[]
  readonly target: string
  /** Fields of the target, in the same order. */
  readonly references: readonly string[]
  /** A referenced record cannot be deleted. */
  readonly restricts: boolean
  /** Another key of the same fields says which records they may refer to. */
  readonly inherited?: true
}

type Reading = Pick<RecordStore, 'read' | 'count'>

/** Finds violated foreign keys with the stores of the models. */
export const brokenKeysAmong =
  (keys: readonly CheckedKey[], storeOf: (model: string) => Reading) =>
  (model: Model): BrokenKeys => {
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
        // Only the database knows a default.
        const isSent = (name: string): boolean => {
          const value = ownValue(values, name)
          return value !== undefined && value !== null && value !== DEFAULT
        }
        const isKept = (name: string): boolean => key !== undefined && ownValue(values, name) === undefined
        const suspects = keys
          .filter((candidate) => candidate.model === model.name && candidate.inherited === undefined)
          .filter(({ fields }) => fields.some(isSent))
          .filter(({ fields }) => fields.every((name) => isSent(name) || isKept(name)))
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
        const suspects = keys
          .filter(({ target }) => target === model.name)
          .filter(({ references, restricts }) =>
            changed === undefined ? restricts : references.some((name) => changed.includes(name)),
          )
        const row = suspects.length === 0 ? {} : await storedRow(key)
        return broken(suspects, async ({ model: owner, fields, references }) => {
          const parts = references.map((name) => ownValue(row, name) ?? null)
          return (await storeOf(owner).count(haveValues(fields, parts), everything, 1)) > 0
        })
      },
    }
  }
