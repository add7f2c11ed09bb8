import type { Field, Model } from '../../model/model.ts'
import { ownValue } from '../../model/own-value.ts'
import { type Steps, waitInAnyMode } from '../../operation/steps.ts'
import type { Condition } from '../../query/ast.ts'
import { everything } from '../../query/ast.ts'
import type { ModelSource, Row } from '../../source/source.ts'
import { SourceError } from '../../source/source-error.ts'

/** @throws SourceError `unique` where another user is known by one of these identifiers already */
export type AssertFree = (values: Row, own?: Row) => Steps<void>

/**
 * Sees to it that a text means one user. The database does that for a column; that a user name is not another's address,
 * with which they could not log in any more, it does not.
 */
export const assertingFree = (
  model: Model,
  identifiers: readonly Field[],
  source: ModelSource,
): AssertFree => {
  const store = source.store(model)
  const keys = model.primaryKey
  const order = keys.map((field) => ({ field, direction: 'asc' }) as const)
  return function* (values, own) {
    const texts = identifiers
      .map(({ name }) => ownValue(values, name))
      .filter((value) => typeof value === 'string')
    if (texts.length === 0 || isLeftToDatabase(model, identifiers)) return
    const any = identifiers.map(({ name }): Condition => ({ op: 'in', field: name, values: texts }))
    const others = own && keys.map((field): Condition => ({ op: 'ne', field, value: ownValue(own, field) }))
    const filter: Condition = {
      op: 'and',
      conditions: [
        { op: 'or', conditions: any },
        ...(others ? [{ op: 'or', conditions: others } as const] : []),
      ],
    }
    const [other] = yield* waitInAnyMode(store.list({ filter, order, limit: 1, offset: 0 }, everything))
    if (other === undefined) return
    const known = identifiers.map(({ name }) => ownValue(other, name))
    const fields = identifiers
      .map(({ name }) => name)
      .filter((name) => known.includes(ownValue(values, name)))
    throw new SourceError('unique', { fields })
  }
}

const isLeftToDatabase = ({ uniques, primaryKey }: Model, identifiers: readonly Field[]): boolean => {
  const [only, ...more] = identifiers
  const isOnly = (names: readonly string[]): boolean => names.length === 1 && names[0] === only?.name
  return more.length === 0 && [primaryKey, ...uniques].some(isOnly)
}
