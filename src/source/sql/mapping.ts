import { assertKnown, StartError } from '../../error/errors.ts'
import { describeModels } from '../../model/describe.ts'
import type { TableFacts, ValueCapabilities } from '../../model/facts.ts'
import type { ForeignKeyFacts } from '../../model/foreign-keys.ts'
import type { Model } from '../../model/model.ts'
import { modelNameOf } from '../../model/naming.ts'
import type { Capabilities } from '../source.ts'
import type { CheckedKey } from './broken-keys.ts'
import type { Family } from './codecs.ts'

/** A model with the names of its parts in the database. */
export interface MappedModel {
  readonly model: Model
  /** Field -> name of its column. */
  readonly columns: Readonly<Record<string, string>>
  /** Unique keys and the primary key, with all names that they may have in errors. */
  readonly indexes: readonly { readonly names: readonly string[]; readonly fields: readonly string[] }[]
  /** The named check constraints, as far as the ORM knows them. @default none */
  readonly checks?: readonly { readonly name: string; readonly fields: readonly string[] }[]
}

/** What sources of SQL databases can do if they write their statements with the files of this folder. */
export const capabilitiesOf = (
  family: Family,
  { sharedReads = true }: { readonly sharedReads?: boolean },
): Capabilities =>
  Object.freeze({
    ...{ transactions: true, rowLocks: true, exactText: true, literalContains: true, databaseDefaults: true },
    ...{ relations: true, relatedSort: true, aggregates: true, sharedReads },
    unicodeCaseFolding: family !== 'sqlite',
  })

/** @param adapter the name of the function that makes the source. @throws StartError */
export const assertOptions = (
  adapter: string,
  options: { readonly sharedReads?: boolean },
  known: readonly string[] = ['sharedReads'],
): void => {
  for (const name of Object.keys(options)) assertKnown(`${adapter}: unknown option`, name, known)
  if (!['boolean', 'undefined'].includes(typeof options.sharedReads))
    throw new StartError(`${adapter}: sharedReads must be true or false.`)
}

/** The name of a model that the ORM calls so. */
export const nameOf = (name: string): string => (/^[A-Z][A-Za-z0-9]*$/.test(name) ? name : modelNameOf(name))

/**
 * What is given by names, each once: a module may export a schema and its class. The name of its own goes before others.
 *
 * @param find what a value stands for; `undefined`: it is left out
 * @throws StartError if nothing is given by names
 */
export const givenOnce = <Of>(
  adapter: string,
  given: Readonly<Record<string, unknown>>,
  find: (value: object, name: string) => Of | undefined,
  ownName: (found: Of) => string,
): readonly (readonly [string, Of])[] => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new StartError(
      `${adapter}: the second argument must be an object whose keys are names, such as { Order, Customer }.`,
    )
  const names = new Map<Of, string>()
  for (const [name, value] of Object.entries(given)) {
    if ((typeof value !== 'function' && typeof value !== 'object') || value === null) continue
    const found = find(value, name)
    if (found === undefined || (names.has(found) && name !== nameOf(ownName(found)))) continue
    names.set(found, name)
  }
  return [...names].map(([found, name]) => [name, found])
}

export const isClass = (value: object): boolean =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))

/** By the names of their models. @throws StartError if two have the same name */
export const namedOnce = <Of>(
  adapter: string,
  pairs: readonly (readonly [string, Of])[],
): ReadonlyMap<string, Of> => {
  const names = pairs.map(([name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined)
    throw new StartError(
      `${adapter}: two models have the name ${twice}. Pass each one under a name of its own, such as { ${twice}, Other }.`,
    )
  return new Map(pairs)
}

/** The models by their names. */
export const mappedBy = <Mapped extends MappedModel>(
  models: readonly Mapped[],
): ((name: string) => Mapped) => {
  const byName = new Map(models.map((mapped) => [mapped.model.name, mapped]))
  return (name) => {
    const mapped = byName.get(name)
    if (mapped === undefined) throw new Error(`Unknown model ${name}.`)
    return mapped
  }
}

/** What an ORM tells of its models. */
export interface Described<Mapped extends MappedModel> {
  readonly models: readonly Mapped[]
  /** Those that the database checks. */
  readonly foreignKeys: readonly CheckedKey[]
  readonly notes: readonly string[]
}

/** Describes tables that an adapter has drawn from the metadata of its ORM. */
export const describeDrawn = <Drawn extends Pick<TableFacts, 'name'>, Mapped extends MappedModel>(
  drawn: readonly Drawn[],
  capabilities: ValueCapabilities,
  notes: readonly string[],
  of: {
    readonly facts: (one: Drawn) => TableFacts
    readonly keys: (one: Drawn) => readonly Key[]
    readonly mapped: (one: Drawn, model: Model) => Mapped
  },
): Described<Mapped> => {
  const models = describeModels(drawn.map(of.facts), capabilities)
  return {
    notes,
    models: drawn.map((one, at) => of.mapped(one, models[at] as Model)),
    foreignKeys: drawn.flatMap((one) => checkedKeys(one.name, of.keys(one))),
  }
}

/** A foreign key, and the act of the database on it when the referenced record is deleted. */
export interface Key {
  readonly facts: ForeignKeyFacts
  readonly onDelete: string | undefined
}

/** The foreign keys of a model that the database checks. */
const checkedKeys = (model: string, keys: readonly Key[]): readonly CheckedKey[] =>
  keys
    .filter(({ facts }) => facts.unchecked === undefined)
    .map(({ facts: { fields, model: target, references }, onDelete }) => ({
      ...{ model, fields, target, references },
      restricts: !['CASCADE', 'SET NULL', 'SET DEFAULT'].includes(onDelete?.toUpperCase() ?? ''),
    }))

type Unique = MappedModel['indexes'][number]

/** Unique keys of the same fields are one, with all of their names. */
export const mergedUniques = (uniques: readonly Unique[]): readonly Unique[] =>
  [...Map.groupBy(uniques, ({ fields }) => [...fields].sort().join()).values()].map((same) => ({
    names: same.flatMap(({ names }) => names),
    fields: same[0]?.fields ?? [],
  }))
