import { isReadable, type Model, type Relation } from '../../../../src/model/model.ts'

export type Json = Readonly<Record<string, unknown>>

/** What requests about a model are made of. */
export interface Given {
  readonly model: Model
  readonly modelOf: (name: string) => Model
  /** Records of the tenant. */
  readonly own: readonly Json[]
  /** Keys of records, as paths have them: of the tenant, of others, of hidden ones and of none. */
  readonly ids: { readonly own: readonly string[]; readonly others: readonly string[] }
  /** Some values of a field: of the tenant, and those that only others have. */
  readonly valuesOf: (field: string) => {
    readonly own: readonly unknown[]
    readonly others: readonly unknown[]
  }
  /** What a reference may be set to: keys in the order of `relation.fields`. */
  readonly keysFor: (relation: Relation) => {
    readonly own: readonly Keys[]
    readonly others: readonly Keys[]
  }
}

export type Keys = readonly unknown[]

export const readable = ({ fields }: Model): readonly string[] =>
  fields.filter(isReadable).map(({ name }) => name)

/** Relations that clients can use. */
export const openRelations = ({ relations }: Model): readonly Relation[] =>
  relations.filter(({ closed }) => closed !== true)

export const idOf = ({ primaryKey }: Pick<Model, 'primaryKey'>, record: Json): string =>
  primaryKey.map((name) => encodeURIComponent(String(record[name]))).join()

/** One of the relations to strips, of which the first and the last stand for the others. */
export const isOneOfMany = (name: string): boolean => /^strip\d+s$/.test(name)
