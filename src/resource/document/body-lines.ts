import { isFileField } from '../../model/kinds/index.ts'
import { isReadable, type Model, otherKey } from '../../model/model.ts'
import { quoted, withArticle } from '../../model/naming.ts'
import { membersOf, staysOnReplace } from '../../schema/members.ts'
import type { Resource } from '../parts/resource.ts'

/** The fields that a body must have. */
export const requiredLine = (model: Model): string => {
  const required = membersOf(model, 'create').filter((member) => member.required)
  return required.length === 0 ? '' : `Required: ${quoted(required.map(({ field }) => field.name))}.`
}

/** Required foreign keys: the records must exist first. Other models are not named if they are not served. */
export const parentsLine = (model: Model, related: Resource['related']): string => {
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
export const uniqueLine = ({ fields, uniques }: Model): string => {
  const readable = new Set(fields.filter(isReadable).map(({ name }) => name))
  const known = uniques.filter((names) => names.every((name) => readable.has(name)))
  return known.length === 0
    ? ''
    : `The response is 409 if another record has the same ${known.map(quoted).join(', or the same ')}.`
}

/** The fields that a PUT may omit without a change. */
export const keptLine = (model: Model): string => {
  const kept = membersOf(model, 'replace')
    .map(({ field }) => field)
    .filter(staysOnReplace)
  return kept.length === 0
    ? ''
    : ` A missing ${kept.map(({ name }) => `\`${name}\``).join(' or ')} keeps its value.`
}

/** The fields that only a form can send. */
export const formLine = ({ fields }: Model): string => {
  const names = fields
    .filter((field) => isFileField(field) && field.access !== 'hidden')
    .map(({ name }) => name)
  return names.length === 0 ? '' : `To upload ${quoted(names)}, send \`multipart/form-data\`.`
}
