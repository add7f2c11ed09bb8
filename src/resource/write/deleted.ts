import { HttpError, problem } from '../../error/errors.ts'
import { isReadable, isWritable, type Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { type Steps, wait } from '../../operation/steps.ts'
import { haveValues } from '../../query/ast.ts'
import { DEFAULT, type Row, SourceError } from '../../source/source.ts'
import { authoriseDeleted } from '../parts/record.ts'
import type { RefusedChange, Transaction } from './change.ts'

/**
 * Tells callers who may see deleted records that one of them has the value that a write is refused for.
 *
 * @param work calls `refused` with the change that is refused
 */
export function* namingDeleted<T>(
  work: (refused: NonNullable<Transaction['refused']>) => Steps<T>,
): Steps<T> {
  let refusal: RefusedChange | undefined
  try {
    return yield* work((given) => {
      refusal = given
    })
  } catch (error) {
    const cause = uniqueCauseOf(error)
    if (refusal === undefined || cause === undefined) throw error
    if (refusal.target.model.softDelete === undefined || !(yield* isHeld(refusal, cause))) throw error
    throw takenByDeleted(refusal.target.model, error, cause)
  }
}

/** Also of an error that says where the body has the record. */
const uniqueCauseOf = (error: unknown): SourceError | undefined => {
  if (error instanceof SourceError)
    return error.kind === 'unique' && error.fields.length > 0 ? error : undefined
  return error instanceof HttpError ? uniqueCauseOf(error.cause) : undefined
}

function* maySeeDeleted({ target, scoped }: RefusedChange): Steps<boolean> {
  try {
    yield* authoriseDeleted(target.access, scoped)
    return true
  } catch (error) {
    if (error instanceof HttpError) return false
    throw error
  }
}

/** Whether the caller may see deleted records, and one of them in the scope of the caller has the values. */
function* isHeld(refusal: RefusedChange, { fields }: SourceError): Steps<boolean> {
  if (!(yield* maySeeDeleted(refusal))) return false
  const {
    target: { records },
    scoped,
    change,
  } = refusal
  const { values, key } = change
  const isWhole = fields.every((name) => ownValue(values, name) !== undefined)
  const stored: Row | undefined =
    isWhole || key === undefined ? undefined : yield* wait(records.read(scoped, key))
  const all = fields.map((name) => ownValue(values, name) ?? ownValue(stored, name))
  if (all.some((value) => value === undefined || value === null || value === DEFAULT)) return false
  return (yield* wait(records.seeing('only').count(scoped, haveValues(fields, all), 1))) > 0
}

const DETAIL = 'A deleted record already has this value. Restore it, or send another value.'

const takenByDeleted = (model: Model, error: unknown, cause: SourceError): Error => {
  const code = 'taken_by_deleted' as const
  const errors =
    error instanceof HttpError
      ? error.errors.map((issue) => ({ ...issue, code, detail: DETAIL }))
      : model.fields
          .filter((field) => cause.fields.includes(field.name) && (isReadable(field) || isWritable(field)))
          .map(({ name }) => ({ pointer: `/${name}`, code, detail: DETAIL }))
  return problem('unique_conflict', DETAIL, { cause, errors })
}
