import { entityKind } from 'drizzle-orm'

/**
 * The names that drizzle gives to an object's class and those above it: `SQLiteTable`, `Table`.
 *
 * Asked by name, so that no dialect is loaded that the application does not use, and another copy of drizzle is known too.
 */
export const entityNames = (value: object): readonly string[] => {
  const names: string[] = []
  let prototype: unknown = Object.getPrototypeOf(value)
  while (typeof prototype === 'object' && prototype !== null) {
    const name: unknown = Reflect.get(prototype.constructor, entityKind)
    if (typeof name === 'string') names.push(name)
    prototype = Object.getPrototypeOf(prototype)
  }
  return names
}
