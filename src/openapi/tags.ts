import { isReadable, type Model, type Relation } from '../model/model.ts'
import { plural, quoted } from '../model/naming.ts'
import type { OpenApiDocument, PathItem } from './openapi-document.ts'

/** The tags that operations have, in the order in which they come, each with what there is to say of it. */
export const toTags = (
  paths: Readonly<Record<string, PathItem>>,
  models: readonly Model[],
): OpenApiDocument['tags'] => {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const names = new Set(operations.flatMap((operation) => operation.tags))
  const known = new Map(models.map((model) => [model.name, model]))
  return [...names].map((name) => {
    const model = known.get(name)
    const description = model === undefined ? descriptions.get(name) : describe(model, known)
    return { name, description: description ?? `Operations on ${plural(name)}.` }
  })
}

const descriptions: ReadonlyMap<string, string> = new Map([
  ['other', "The application's own routes."],
  ['Auth', 'Login, registration, tokens and the current user.'],
])

/** What a model is about, as far as callers may know: its key, and how it hangs together with others that are served. */
const describe = (model: Model, known: ReadonlyMap<string, Model>): string => {
  const to = model.relations.filter((relation) => isKnown(model, relation, known))
  const sentences = [
    model.readOnly ? 'A view, which can only be read.' : '',
    `Key: ${quoted(model.primaryKey)}.`,
    listed('Refers to', to, 'to-one'),
    listed('Referred to by', to, 'to-many'),
  ]
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

const listed = (lead: string, relations: readonly Relation[], wanted: Relation['kind']): string => {
  const shown = relations
    .filter(({ kind }) => kind === wanted)
    .map(
      ({ kind, model, fields, references }) =>
        `${model} (${quoted(kind === 'to-one' ? fields : references)})`,
    )
  return shown.length === 0 ? '' : `${lead}: ${shown.join(', ')}.`
}

const isKnown = (model: Model, relation: Relation, known: ReadonlyMap<string, Model>): boolean => {
  const other = known.get(relation.model)
  return other !== undefined && canRead(model, relation.fields) && canRead(other, relation.references)
}

const canRead = ({ fields }: Model, names: readonly string[]): boolean =>
  names.every((name) => fields.some((field) => field.name === name && isReadable(field)))
