import type { Verb } from '../../controller/permissions.ts'
import { isFileField } from '../../model/kinds/index.ts'
import { isReadable, type Model, otherKey } from '../../model/model.ts'
import { plural, quoted, withArticle } from '../../model/naming.ts'
import { defaultLimit } from '../../query/list-query.ts'
import { membersOf, staysOnReplace } from '../../schema/members.ts'
import { type CallerAccess, isScoped, type Resource } from '../parts/resource.ts'

export type ActName = Verb | 'file' | 'aggregate' | 'restore' | 'updateMany' | 'deleteMany'

/** What the scope does to a request. Empty: there is none. */
export const scopeSentence = (access: CallerAccess, which: keyof typeof scopes): string =>
  isScoped(access) ? scopes[which] : ''

export const ACCESS = 'The fields that exist depend on the caller.'

/** The summary, then the sentences of the description. Empty ones are omitted. */
type Sentences = readonly [string, ...string[]]

type SentencesOf = (resource: Pick<Resource, 'model' | 'bodies' | 'rules' | 'related'>) => Sentences

export const sentences: Readonly<Record<ActName, SentencesOf>> = {
  list: ({ model, rules }) => [
    `List ${plural(model.name)}`,
    `Returns the ${plural(model.name)} that match the filters, one page at a time, sorted by ${model.primaryKey.length > 0 ? quoted(model.primaryKey) : 'all fields that can be sorted by'} by default.`,
    pageSize(rules),
  ],
  aggregate: ({ model }) => [
    `Aggregate ${plural(model.name)}`,
    `Groups the ${plural(model.name)} that match the filters, and counts or computes functions of each group.`,
  ],
  get: ({ model }) => [`Get ${withArticle(model.name)} by its key`, `Returns one ${model.name}.`],
  create: ({ model, related, bodies, bodies: { files }, rules: { bulkMax } }) => [
    `Create ${withArticle(model.name)}`,
    `Creates ${withArticle(model.name)} and returns it, including defaults and generated values.`,
    model.bulk === true
      ? `An array creates many, at most ${bulkMax}. If one is refused, none is created.`
      : '',
    bodies.isCustom.create ? '' : requiredLine(model),
    parentsLine(model, related),
    uniqueLine(model),
    files?.takesForm.create === true ? formLine(model) : '',
  ],
  update: ({ model, bodies: { files } }) => [
    `Update ${withArticle(model.name)}`,
    'Changes only the fields in the body. An empty body changes nothing.',
    uniqueLine(model),
    files?.takesForm.update === true ? formLine(model) : '',
  ],
  replace: ({ model, bodies: { files } }) => [
    `Replace ${withArticle(model.name)}`,
    `Replaces every writable field. A field that is missing from the body is set to its default or to null.${keptLine(model)} PUT never creates ${withArticle(model.name)}.`,
    uniqueLine(model),
    files?.takesForm.replace === true ? formLine(model) : '',
  ],
  delete: ({ model }) => [
    `Delete ${withArticle(model.name)}`,
    model.softDelete === undefined
      ? `Deletes one ${model.name}. The response is 404 if it does not exist, and 409 if other records refer to it and the database does not allow it.`
      : `Deletes one ${model.name}, which can be restored. The response is 404 if it does not exist.`,
  ],
  restore: ({ model }) => [
    `Restore ${withArticle(model.name)}`,
    `Restores a deleted ${model.name}, and returns it. The response is 404 if it is not deleted.`,
  ],
  updateMany: ({ model, rules: { bulkMax } }) => [
    `Update many ${plural(model.name)}`,
    `Changes the ${plural(model.name)} of an array, each with its key, or with a filter all that match, at most ${bulkMax}. If one is refused, none is changed.`,
  ],
  deleteMany: ({ model, rules: { bulkMax } }) => [
    `Delete many ${plural(model.name)}`,
    `Deletes the ${plural(model.name)} that match the filter, at most ${bulkMax}. If one is refused, none is deleted.`,
  ],
  file: ({ model }) => [
    `Get a file of ${withArticle(model.name)}`,
    `Returns a file of the ${model.name} until it is replaced or deleted.`,
  ],
}

const pageSize = (rules: Resource['rules']): string => {
  const { paging, perPage, maxLimit } = rules
  if (paging.every((type) => type === 'page-number')) return `A page has ${perPage} records.`
  const numbered = paging.includes('page-number') ? `, and with \`page\` always ${perPage}` : ''
  return `A page has ${defaultLimit(rules)} records by default and at most ${maxLimit}${numbered}.`
}

const scopes: Readonly<Record<Exclude<ActName, 'file'>, string>> = {
  aggregate: 'Groups contain only records within the scope of the caller.',
  list: 'The list and its count contain only records within the scope of the caller.',
  get: 'The response is 404 for a record outside the scope of the caller.',
  create: 'The response is 403 for a record outside the scope of the caller.',
  update:
    'The response is 404 for a record outside the scope of the caller, and 403 if the change moves it there.',
  replace:
    'The response is 404 for a record outside the scope of the caller, and 403 if the change moves it there.',
  delete: 'The response is 404 for a record outside the scope of the caller.',
  restore: 'The response is 404 for a record outside the scope of the caller.',
  updateMany:
    'The response is 404 for a record of an array outside the scope of the caller, and 403 if the change moves one there. A filter matches only records within it.',
  deleteMany: 'The filter matches only records within the scope of the caller.',
}

/** The fields that a body must have. */
const requiredLine = (model: Model): string => {
  const required = membersOf(model, 'create').filter((member) => member.required)
  return required.length === 0 ? '' : `Required: ${quoted(required.map(({ field }) => field.name))}.`
}

/** Required foreign keys: the records must exist first. Other models are not named if they are not served. */
const parentsLine = (model: Model, related: Resource['related']): string => {
  const required = new Set(
    membersOf(model, 'create').flatMap((member) => (member.required ? [member.field.name] : [])),
  )
  return model.relations
    .filter(({ kind, unchecked }) => kind === 'to-one' && unchecked === undefined)
    .filter(({ fields }) => fields.every((name) => required.has(name)))
    .map((relation) => {
      const { model: other, fields } = relation
      const target = related(other)?.model
      const parent = target === undefined ? 'a record' : withArticle(other)
      const key = otherKey(relation, target)
      return key.length === 0
        ? `${quoted(fields)} must refer to ${parent} that already exists.`
        : `${quoted(fields)} must be the ${quoted(key)} of ${parent} that already exists.`
    })
    .join(' ')
}

/** The unique sets of fields that callers can read. */
const uniqueLine = ({ fields, uniques }: Model): string => {
  const readable = new Set(fields.filter(isReadable).map(({ name }) => name))
  const known = uniques.filter((names) => names.every((name) => readable.has(name)))
  return known.length === 0
    ? ''
    : `The response is 409 if another record has the same ${known.map(quoted).join(', or the same ')}.`
}

/** The fields that a PUT may omit without a change. */
const keptLine = (model: Model): string => {
  const kept = membersOf(model, 'replace')
    .map(({ field }) => field)
    .filter(staysOnReplace)
  return kept.length === 0
    ? ''
    : ` A missing ${kept.map(({ name }) => `\`${name}\``).join(' or ')} keeps its value.`
}

/** The fields that only a form can send. */
const formLine = ({ fields }: Model): string => {
  const names = fields
    .filter((field) => isFileField(field) && field.access !== 'hidden')
    .map(({ name }) => name)
  return names.length === 0 ? '' : `To upload ${quoted(names)}, send \`multipart/form-data\`.`
}
