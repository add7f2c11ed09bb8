import { is, SQL } from 'drizzle-orm'

/** A value of a form that drivers do not agree on, or that they would write into the statement itself. */
export class NotForDrivers extends Error {
  override readonly name: string = 'NotForDrivers'
}

/**
 * The value, where all drivers take it as one value: a text, a number, a bigint, a boolean, a date, bytes, null, or an
 * expression of the application's own. mysql2 expands objects into the statement; others store `[object Object]`.
 *
 * @throws NotForDrivers for everything else
 */
export const driverValue = (value: unknown): unknown => {
  switch (typeof value) {
    case 'string':
    case 'bigint':
    case 'boolean':
      return value
    case 'number':
      // `NaN` would be the name of a column in a statement of MySQL.
      if (!Number.isFinite(value)) throw new NotForDrivers('not a finite number')
      return value
    case 'object':
      if (value === null || value instanceof Uint8Array || is(value, SQL)) return value
      if (value instanceof Date && !Number.isNaN(value.getTime())) return value
      if (value instanceof ArrayBuffer) return new Uint8Array(value)
  }
  throw new NotForDrivers(`a value of the type ${typeof value}`)
}
