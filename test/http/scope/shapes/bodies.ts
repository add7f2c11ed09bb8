import { type Field, isNeeded, isWritable, type Model, type Relation } from '../../../../src/model/model.ts'
import type { Asked } from '../stage.ts'
import { type Given, type Json, type Keys, openRelations } from './given.ts'

export const sent = (method: string, path: string, body?: unknown): Asked => ({
  ...{ method, path },
  ...(body !== undefined && { body }),
})

export const writable = ({ fields, primaryKey }: Model): readonly Field[] =>
  fields.filter(
    (field) =>
      isWritable(field) &&
      !(primaryKey.includes(field.name) && field.hasDefault) &&
      // Where the application hides what is deleted, only a DELETE sets it.
      field.name !== 'deletedAt',
  )

/** A value that no record has, where two must not have the same. */
const free = ({ uniques, primaryKey, relations }: Model, { name, kind }: Field, value: unknown): unknown => {
  const isUnique = [...uniques, primaryKey].some((unique) => unique.includes(name))
  const isReference = relations.some(({ kind: of, fields }) => of === 'to-one' && fields.includes(name))
  return isUnique && !isReference ? (kind === 'text' ? 'new' : 77) : value
}

/** A body that is stored, like a record of the tenant. */
const bodyLike = (model: Model, record: Json): Json =>
  Object.fromEntries(writable(model).map((field) => [field.name, free(model, field, record[field.name])]))

/** Sets the keys of a reference. */
const referring = ({ fields }: Relation, keys: Keys): Json =>
  Object.fromEntries(fields.map((field, at) => [field, keys[at]]))

/** References that a body may have: to records of the tenant, of others and to none. */
export const references = ({
  model,
  keysFor,
}: Given): readonly { readonly isOwn: boolean; readonly values: Json }[] =>
  openRelations(model)
    .filter(({ kind }) => kind === 'to-one')
    .flatMap((relation) => {
      const { own, others } = keysFor(relation)
      return [
        ...own.slice(-1).map((keys) => ({ isOwn: true, values: referring(relation, keys) })),
        ...others.map((keys) => ({ isOwn: false, values: referring(relation, keys) })),
      ]
    })

/** A pair of references that no record has. */
const unpaired: Json = { accountId: 102, teamId: 102, contentId: 103, labelId: 102 }

export const withoutKey = (record: Json, { primaryKey, fields }: Model): Json =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name]) => fields.some((field) => field.name === name) && !primaryKey.includes(name),
    ),
  )

export const keyOf = ({ primaryKey }: Model, record: Json): Json =>
  Object.fromEntries(primaryKey.map((name) => [name, record[name]]))

/** A key in JSON of an id in a path. */
export const parsed = ({ primaryKey, fields }: Model, id: string): Json => {
  const parts = id.split(',').map(decodeURIComponent)
  return Object.fromEntries(
    primaryKey.map((name, at) => [
      name,
      fields.find((field) => field.name === name)?.kind === 'integer' ? Number(parts[at]) : parts[at],
    ]),
  )
}

/** A body that is stored. */
export const newRecord = ({ model, own }: Given): Json => {
  const like = bodyLike(model, own[0] ?? {})
  const needed = Object.fromEntries(
    Object.entries(unpaired).filter(([name]) =>
      model.fields.some(
        (field) => field.name === name && (isNeeded(field) || model.primaryKey.includes(name)),
      ),
    ),
  )
  return { ...like, ...needed }
}
