import type { QueryOptions, Sequelize } from 'sequelize'
import { onceFor } from '../../model/objects.ts'
import type { Sending } from '../sql/database.ts'

/** An option of a call, which Sequelize passes on to each statement of the call. */
export const OBSERVE: unique symbol = Symbol('modelrest.observe')

type SendQuery = (
  statement: string | { query: string; values: unknown[] },
  options?: Observed,
) => Promise<unknown>

interface Observed extends QueryOptions {
  readonly [OBSERVE]?: Sending
}

/** Makes calls with the option `OBSERVE` observe their statements. Those of the application stay as they are. */
export const observesCalls: (sequelize: Sequelize) => void = onceFor((sequelize: Sequelize): void => {
  const query: SendQuery = sequelize.query.bind(sequelize)
  const observed: SendQuery = (statement, options) => {
    const observe = options?.[OBSERVE]
    if (observe === undefined) return query(statement, options)
    const text = typeof statement === 'string' ? statement : statement.query
    return observe(text, () => query(statement, options))
  }
  Object.assign(sequelize, { query: observed })
})
