import { StartError } from '../../error/errors.ts'
import { ormModelName } from './mapping.ts'

export const isClass = (value: object): boolean =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))

type Named<Of> = readonly (readonly [name: string, of: Of])[]

/** What an ORM knows of its models. */
interface Known<Of> {
  /** Those that are served if the application names none. */
  readonly all: readonly Of[]
  /** The ORM's own name. */
  readonly ownName: (one: Of) => string
  /** What a value stands for. `undefined`: it is left out. */
  readonly find: (value: object, name: string) => Of | undefined
  /** The join tables between those that are served. */
  readonly joins: (served: ReadonlySet<Of>) => Named<Of>
}

/**
 * What is served, by the names of the models: what the application gives by names, or all; and the join tables between them.
 *
 * @param adapter the name of the function that makes the source
 * @throws StartError if nothing is given by names, or two models have the same name
 */
export const servedBy = <Of>(
  adapter: string,
  given: Readonly<Record<string, unknown>> | undefined,
  { all, ownName, find, joins }: Known<Of>,
): ReadonlyMap<string, Of> => {
  const named =
    given === undefined
      ? all.map((one) => [ormModelName(ownName(one)), one] as const)
      : givenOnce(adapter, given, find, ownName)
  const pairs = [...named, ...joins(new Set(named.map(([, one]) => one)))]
  const names = pairs.map(([name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined)
    throw new StartError(
      `${adapter}: two models have the name ${twice}. Pass each one under a name of its own, such as { ${twice}, Other }.`,
    )
  return new Map(pairs)
}

/** Each once: a module may export a schema and its class. The name of its own goes before others. */
const givenOnce = <Of>(
  adapter: string,
  given: Readonly<Record<string, unknown>>,
  find: Known<Of>['find'],
  ownName: Known<Of>['ownName'],
): Named<Of> => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new StartError(
      `${adapter}: the second argument must be an object whose keys are names, such as { Order, Customer }.`,
    )
  const names = new Map<Of, string>()
  for (const [key, value] of Object.entries(given)) {
    if ((typeof value !== 'function' && typeof value !== 'object') || value === null) continue
    const found = find(value, key)
    if (found === undefined) continue
    // As the ORM itself lists them: `sequelize.models`.
    const name = key === ownName(found) ? ormModelName(key) : key
    if (names.has(found) && name !== ormModelName(ownName(found))) continue
    names.set(found, name)
  }
  return [...names].map(([found, name]) => [name, found])
}
