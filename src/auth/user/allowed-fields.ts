import { StartError, suggest } from '../../error/start-error.ts'
import { type Field, isWritable, type Model } from '../../model/model.ts'
import { wordsOf } from '../../model/naming.ts'
import { usualIdentifiers } from './identifiers.ts'
import { passwordNames } from './password-column.ts'

/** What everyone may say of themselves. docs/users.md lists these words. */
const harmless: ReadonlySet<string> = new Set([
  ...['name', 'first_name', 'middle_name', 'last_name', 'given_name', 'family_name', 'full_name'],
  ...['display_name', 'nickname', 'surname', 'phone', 'locale', 'timezone'],
])

/** A name in any case style, as the list has it: `firstName` is `first_name`. */
const isHarmless = (name: string): boolean => harmless.has(wordsOf(name).join('_'))

/** What the allow-list follows from. */
export interface AllowedFrom {
  readonly identifiers: readonly Field[]
  readonly password: Field | undefined
  /** The setting `REGISTER_FIELDS`: it replaces the list. */
  readonly registerFields: readonly string[] | undefined
}

/**
 * The columns that users may fill in themselves, at registration and in their own record (contract, 9). The key and the
 * password are never among them.
 *
 * @throws StartError for a name in `REGISTER_FIELDS` that cannot be
 */
export const allowedFields = (
  model: Model,
  { identifiers, password, registerFields }: AllowedFrom,
): readonly Field[] => {
  const columns = model.fields.filter(
    (field) => !(model.primaryKey.includes(field.name) || field.generated || field === password),
  )
  if (registerFields !== undefined) return namedIn(model, columns, registerFields)
  return columns.filter((field) => {
    if (identifiers.includes(field)) return true
    return isNeeded(field)
      ? usualIdentifiers.includes(field.name) || isHarmless(field.name)
      : isHarmless(field.name) && isWritable(field)
  })
}

/** A column that a new record cannot do without, and that nothing but its values fills in. */
export const isNeeded = ({ nullable, hasDefault, generated, optional }: Field): boolean =>
  !(nullable || hasDefault || generated || optional)

const namedIn = (model: Model, columns: readonly Field[], names: readonly string[]): readonly Field[] => {
  const known = columns.map(({ name }) => name)
  for (const name of names) {
    // The password is asked for in any case.
    if (known.includes(name) || passwordNames.includes(name)) continue
    const why = model.primaryKey.includes(name)
      ? `${name} is the primary key of ${model.name}, which no client may choose.`
      : `${model.name} has no column ${name} that can be written.${suggest(name, known)}`
    throw new StartError(`The setting SERVICE_AUTH.REGISTER_FIELDS: ${why}`)
  }
  return columns.filter(({ name }) => names.includes(name))
}
