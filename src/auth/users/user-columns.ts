import { StartError, suggest } from '../../error/errors.ts'
import { kinds } from '../../model/kinds/index.ts'
import { type Field, isNeeded, isWritable, type Model } from '../../model/model.ts'
import { singular, wordsOf } from '../../model/naming.ts'
import { ownValue } from '../../model/objects.ts'

export const usualIdentifiers: readonly string[] = ['email', 'username', 'login']

/** The name by which a login may send any of the identifiers, unless a column has this name. */
export const ANY_IDENTIFIER = 'login'

/** The maximum length of an identifier: email addresses have at most 254 characters (RFC 5321, 4.5.3.1). */
export const LONGEST_IDENTIFIER = 320

/** The fields that identify a user. @param loginFields the setting `LOGIN_FIELDS` */
export const identifiersOf = (model: Model, loginFields: readonly string[] | undefined): readonly Field[] => {
  const password = passwordColumnOf(model)
  const columns = model.fields.filter((field) => kinds[field.kind].textual && field !== password)
  const usualOnes = columns.filter(({ name }) => usualIdentifiers.includes(name))
  if (loginFields === undefined) return usualOnes
  const named = [...new Set(loginFields)].flatMap((name) => {
    const field = columns.find((known) => known.name === name)
    if (field !== undefined) return [field]
    if (name === ANY_IDENTIFIER) return []
    const names = columns.map((known) => known.name)
    throw new StartError(
      `The setting SERVICE_AUTH.LOGIN_FIELDS: ${name} is not a text column of ${model.name}.${suggest(name, names)}`,
    )
  })
  return named.length === 0 ? usualOnes : named
}

/**
 * Rejects invisible characters in identifiers: with them, two addresses look the same, and a line break can inject
 * headers into an email. This includes the usual identifiers that LOGIN_FIELDS leaves out.
 */
export const withPrintable = (model: Model, identifiers: readonly Field[]): Model => {
  const names = new Set([...usualIdentifiers, ...identifiers.map(({ name }) => name)])
  const fields = model.fields.map((field) =>
    names.has(field.name) && kinds[field.kind].textual ? printable(field) : field,
  )
  return Object.freeze({ ...model, fields: Object.freeze(fields) })
}

export const printable = (field: Field): Field => Object.freeze({ ...field, printable: true })

/** The names of password columns, the most likely first. */
export const passwordNames: readonly string[] = [
  ...['password', 'password_hash', 'passwordHash'],
  ...['hashed_password', 'hashedPassword'],
]

export const passwordColumnOf = ({ fields }: Model): Field | undefined => {
  const name = passwordNames.find((known) => fields.some((field) => field.name === known))
  return fields.find((field) => field.name === name)
}

/** The model with a hidden password, regardless of `modelConfig`. */
export const withPasswordHidden = (model: Model): Model => {
  const password = passwordColumnOf(model)
  if (password === undefined) return model
  const hidden = Object.freeze({ ...password, access: 'hidden' as const })
  const fields = model.fields.map((field) => (field === password ? hidden : field))
  return Object.freeze({ ...model, fields: Object.freeze(fields) })
}

/** The column with the address to which mail is sent. */
export const emailColumnOf = ({ fields }: Model): Field | undefined =>
  fields.find((field) => field.name === 'email' && kinds[field.kind].textual && !field.generated)

const verifiedNames: readonly string[] = ['email_verified', 'emailVerified']
const verifiedAtNames: readonly string[] = ['email_verified_at', 'emailVerifiedAt']

/** The column that says whether the address is verified: a boolean, or a time that may be null. */
export const verifiedColumnOf = ({ fields }: Model): Field | undefined =>
  fields.find(
    ({ name, kind, nullable, generated }) =>
      !generated &&
      ((verifiedNames.includes(name) && kind === 'boolean') ||
        (verifiedAtNames.includes(name) && verifiedTimes.includes(kind) && nullable)),
  )

const verifiedTimes: readonly string[] = ['datetime', 'localdatetime']

const falseValues: readonly unknown[] = [null, undefined, false, 0, 0n]

/** Whether the address in this record is verified. SQLite may store a boolean as a number. */
export const isVerified = (row: Readonly<Record<string, unknown>>, { name }: Field): boolean =>
  !falseValues.includes(ownValue(row, name))

/** The values that say that an address is verified, or is not. */
export const verifiedValues = (
  field: Field | undefined,
  verified: boolean,
): Readonly<Record<string, unknown>> => {
  if (field === undefined) return {}
  if (field.kind === 'boolean') return { [field.name]: verified }
  const text = new Date().toISOString().slice(0, 19)
  const reading = kinds[field.kind].readText(field.kind === 'datetime' ? `${text}Z` : text, field)
  return { [field.name]: verified && reading.ok ? reading.value : null }
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Columns that do not grant privileges. docs/users.md lists them. */
const harmlessNames = words(`
  name first_name middle_name last_name given_name family_name full_name
  display_name nickname surname phone locale timezone
`)

/** In any case style: `firstName` is `first_name`. */
const isHarmless = (name: string): boolean => harmlessNames.has(wordsOf(name).join('_'))

/**
 * The columns that users may write, at registration and in their own record: an allow-list, unless the setting
 * `REGISTER_FIELDS` replaces it. It never includes the key or the password.
 */
export const allowedFields = (
  model: Model,
  identifiers: readonly Field[],
  registerFields: readonly string[] | undefined,
): readonly Field[] => {
  const password = passwordColumnOf(model)
  const columns = model.fields.filter(
    (field) => !(model.primaryKey.includes(field.name) || field.generated || field === password),
  )
  if (registerFields !== undefined) return fieldsNamed(model, columns, registerFields)
  return columns.filter((field) => {
    if (identifiers.includes(field)) return true
    return isNeeded(field)
      ? usualIdentifiers.includes(field.name) || isHarmless(field.name)
      : isHarmless(field.name) && isWritable(field)
  })
}

const fieldsNamed = (model: Model, columns: readonly Field[], names: readonly string[]): readonly Field[] => {
  const known = columns.map(({ name }) => name)
  for (const name of names) {
    // Registration always requires the password.
    if (known.includes(name) || passwordNames.includes(name)) continue
    const why = model.primaryKey.includes(name)
      ? `${name} is the primary key of ${model.name}, which clients cannot choose. Remove it.`
      : `${name} is not a writable column of ${model.name}.${suggest(name, known)}`
    throw new StartError(`The setting SERVICE_AUTH.REGISTER_FIELDS: ${why}`)
  }
  return columns.filter(({ name }) => names.includes(name))
}

const powerWords = words(`
  role staff superuser superadmin sysadmin admin administrator root moderator
  permission privilege group scope grant right capability acl tenant
  organisation organization org company team workspace plan tier level status
  active enabled disabled verified confirmed approved validated trusted
  banned blocked suspended locked deleted balance credit quota limit discount
  point premium paid subscription licence license feature entitlement vip
  owner manager supervisor employee customer account department type kind access
`)

/** Whether a column may determine what its user can access: by its name, or because it refers to another record. */
export const mayGivePower = (model: Model, { name }: Field): boolean =>
  grantsPower(name) || model.relations.some(({ kind, fields }) => kind === 'to-one' && fields.includes(name))

/** Whether the name of a column suggests that it grants privileges: `role`, `isStaff`, `permissions`, `super_user`. */
export const grantsPower = (name: string): boolean => {
  const parts = wordsOf(name)
  const pairs = parts.map((part, at) => part + (parts[at + 1] ?? ''))
  return [...parts, ...pairs].some((part) => powerWords.has(part) || powerWords.has(singular(part)))
}
