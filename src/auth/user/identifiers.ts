import type { Issue } from '../../error/http-error.ts'
import { StartError, suggest } from '../../error/start-error.ts'
import { isPrintable } from '../../model/kinds/text.ts'
import { kinds } from '../../model/kinds.ts'
import type { Field, Model } from '../../model/model.ts'
import { ownValue } from '../../model/own-value.ts'
import { bodyRefusal } from '../../schema/validate.ts'
import type { Row } from '../../source/source.ts'
import { normalised } from './identifier.ts'
import { passwordColumnOf } from './password-column.ts'

/** What one may log in with where the application does not say. */
export const usualIdentifiers: readonly string[] = ['email', 'username', 'login']

/** What a login may call any of the identifiers, where no column has this name (specification, 5.1). */
export const ANY_IDENTIFIER = 'login'

/**
 * The fields that a user may be known by.
 *
 * @param loginFields the setting `LOGIN_FIELDS`
 * @throws StartError for a name that is no text column
 */
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
      `The setting SERVICE_AUTH.LOGIN_FIELDS: ${name} is no text column of ${model.name}.${suggest(name, names)}`,
    )
  })
  return named.length === 0 ? usualOnes : named
}

/**
 * A model whose identifiers take no characters that cannot be seen: with those, one address looks like another, and a line
 * break ends the header of a mail. An address counts as well where LOGIN_FIELDS does not name it.
 */
export const withPrintable = (model: Model, identifiers: readonly Field[]): Model => {
  const names = new Set([...usualIdentifiers, ...identifiers.map(({ name }) => name)])
  const fields = model.fields.map((field) =>
    names.has(field.name) && kinds[field.kind].textual ? printable(field) : field,
  )
  return Object.freeze({ ...model, fields: Object.freeze(fields) })
}

const printable = (field: Field): Field => Object.freeze({ ...field, printable: true })

/**
 * Values with their identifiers in the form in which they are stored.
 *
 * @throws HttpError 422 for one that is empty then, too long for its column, or with characters that cannot be seen
 */
export const withNormalised = (identifiers: readonly Field[], values: Row): Row => {
  const texts = identifiers.flatMap((field) => {
    const value = ownValue(values, field.name)
    return typeof value === 'string' ? [{ field, value, text: normalised(value) }] : []
  })
  const issues = texts.flatMap((given) => issueOf(given) ?? [])
  if (issues.length > 0) throw bodyRefusal(issues)
  return { ...values, ...Object.fromEntries(texts.map(({ field, text }) => [field.name, text])) }
}

/** A value and its one form. */
interface Given {
  readonly field: Field
  readonly value: string
  readonly text: string
}

const issueOf = ({ field, value, text }: Given): Issue | undefined => {
  const pointer = `/${field.name}`
  if (text === '') return { pointer, code: 'too_short', detail: `${field.name} is empty.` }
  // A custom schema or a hook has not checked the value, and the one form may hold characters that the value does not.
  const reading = kinds[field.kind].read(isPrintable(value) ? text : value, printable(field))
  return reading.ok ? undefined : { pointer, code: reading.code, detail: `Expected ${reading.expected}.` }
}
