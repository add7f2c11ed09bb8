/**
 * What an object has itself under a name that a column, an application or a client chose: `constructor` and `toString` are
 * names as any other, and every object inherits something by them. `undefined`: it has nothing of its own.
 */
export const ownValue = <T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined
