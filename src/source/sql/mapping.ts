import { assertKnown, StartError } from '../../error/errors.ts'
import { assertNode } from '../../error/node-version.ts'
import type { TableFacts, ValueCapabilities } from '../../model/facts.ts'
import type { ForeignKeyFacts } from '../../model/foreign-keys.ts'
import type { Model } from '../../model/model.ts'
import { modelNameOf } from '../../model/naming.ts'
import { describeModels } from '../../model/setup/describe.ts'
import { linesOf, type Note } from '../notes.ts'

/** A model with the names of its keys in the database. */
export interface MappedModel {
  readonly model: Model
  /** Unique keys and the primary key, with all names that they may have in errors. */
  readonly indexes: readonly { readonly names: readonly string[]; readonly fields: readonly string[] }[]
}

/** Before a source reads models. @param adapter the name of the function that makes the source. @throws StartError */
export const assertSourceOptions = (
  adapter: string,
  options: { readonly sharedReads?: boolean },
  known: readonly string[] = ['sharedReads'],
): void => {
  assertNode()
  for (const name of Object.keys(options)) assertKnown(`${adapter}: unknown option`, name, known)
  if (!['boolean', 'undefined'].includes(typeof options.sharedReads))
    throw new StartError(`${adapter}: sharedReads must be true or false.`)
}

/** The name of a model that the ORM calls so. */
export const ormModelName = (name: string): string =>
  /^[A-Z][A-Za-z0-9]*$/.test(name) ? name : modelNameOf(name)

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

/** What an ORM tells of its models. */
export interface Described<Mapped extends MappedModel> {
  readonly models: readonly Mapped[]
  /** Those that the database checks. */
  readonly foreignKeys: readonly CheckedKey[]
  readonly notes: readonly string[]
}

/** Describes tables that an adapter found in the metadata of its ORM. */
export const describeMapped = <Declared extends Pick<TableFacts, 'name'>, Mapped extends MappedModel>(
  declared: readonly Declared[],
  capabilities: ValueCapabilities,
  notes: readonly Note[],
  of: {
    readonly facts: (one: Declared) => Omit<TableFacts, 'foreignKeys'>
    readonly keys: (one: Declared) => readonly DeclaredKey[]
    readonly mapped: (one: Declared, model: Model) => Mapped
  },
): Described<Mapped> => {
  const tables = declared.map((one) => ({ one, keys: of.keys(one) }))
  const facts = tables.map(({ one, keys }) => ({
    ...of.facts(one),
    foreignKeys: keys.map((key) => key.facts),
  }))
  const models = describeModels(facts, capabilities)
  return {
    notes: linesOf(notes),
    models: declared.map((one, at) => of.mapped(one, models[at] as Model)),
    foreignKeys: tables.flatMap(({ one, keys }) => checkedKeys(one.name, keys)),
  }
}

/** A foreign key, and the act of the database on it when the referenced record is deleted. */
export interface DeclaredKey {
  readonly facts: ForeignKeyFacts
  readonly onDelete: string | undefined
}

/** The foreign keys of a model that the database checks. */
const checkedKeys = (model: string, keys: readonly DeclaredKey[]): readonly CheckedKey[] =>
  keys
    .filter(({ facts }) => facts.unchecked === undefined)
    .map(({ facts: { fields, model: target, references, inherited }, onDelete }) => ({
      ...{ model, fields, target, references, ...(inherited && { inherited }) },
      restricts: !['CASCADE', 'SET NULL', 'SET DEFAULT'].includes(onDelete?.toUpperCase() ?? ''),
    }))
