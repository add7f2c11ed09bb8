import { StartError, suggest } from '../../error/errors.ts'
import { rowOf } from '../kinds/index.ts'
import { type Field, isReadable, type Model, type ModelLabel } from '../model.ts'
import { capital, plural, wordsOf } from '../naming.ts'

/** `OrderItem`: Order item, Order items. */
export const labelOf = ({ name, label }: Model): ModelLabel => {
  const inWords = (of: string): string => capital(wordsOf(of).join(' '))
  return label ?? { one: inWords(name), many: inWords(plural(name)) }
}

/** The plural of a name in another language may be wrong, so both can be given. */
export const labelGiven = (label: string | ModelLabel): ModelLabel =>
  Object.freeze(typeof label === 'string' ? { one: label, many: plural(label) } : { ...label })

/** Names of fields that name a record, the best first. */
const usual = ['title', 'name', 'label', 'subject', 'full_name', 'username', 'email', 'slug', 'code', 'sku']

const spelled = (name: string): string => wordsOf(name).join('_')

/** The field whose value names a record to people. */
export const titleFieldOf = ({ title, fields }: Model): string | undefined => {
  if (title !== undefined)
    return fields.some((field) => field.name === title && isReadable(field)) ? title : undefined
  const names = titles(fields)
  return usual.flatMap((wanted) => names.find((name) => spelled(name) === wanted) ?? [])[0]
}

/** Those that can name a record: in a line of text. */
const titles = (fields: readonly Field[]): readonly string[] =>
  fields
    .filter((field) => isReadable(field) && (rowOf(field).textual || rowOf(field).ordered))
    .map(({ name }) => name)

/** @throws StartError for a field that cannot name a record */
export const titleGiven = (model: string, fields: readonly Field[], title: string): string => {
  const names = titles(fields)
  if (names.includes(title)) return title
  throw new StartError(
    `modelConfig.${model}.title: ${title} cannot name a record. Use a readable field with text, a number or a time.${suggest(title, names)}`,
  )
}
