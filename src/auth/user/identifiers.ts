import type { Issue } from '../../error/http-error.ts'
import { StartError, suggest } from '../../error/start-error.ts'
import { kinds } from '../../model/kinds.ts'
import type { Field, Model } from '../../model/model.ts'
import { ownValue } from '../../model/own-value.ts'
import { bodyRefusal } from '../../schema/validate.ts'
import type { Row } from '../../source/source.ts'
import { normalised } from './identifier.ts'
import { passwordColumnOf } from './password-column.ts'

/** What one may log in with where the application does not say. */
const usual = ['email', 'username', 'login']

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
  const usualOnes = columns.filter(({ name }) => usual.includes(name))
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
 * Values with their identifiers in the form in which they are stored.
 *
 * @throws HttpError 422 for one that is empty then, or too long for its column
 */
export const withNormalised = (identifiers: readonly Field[], values: Row): Row => {
  const texts = identifiers.flatMap((field) => {
    const value = ownValue(values, field.name)
    return typeof value === 'string' ? [{ field, text: normalised(value) }] : []
  })
  const issues = texts.flatMap(({ field, text }) => issueOf(field, text) ?? [])
  if (issues.length > 0) throw bodyRefusal(issues)
  return { ...values, ...Object.fromEntries(texts.map(({ field, text }) => [field.name, text])) }
}

const issueOf = (field: Field, text: string): Issue | undefined => {
  const pointer = `/${field.name}`
  if (text === '') return { pointer, code: 'too_short', detail: `${field.name} is empty.` }
  const reading = kinds[field.kind].read(text, field)
  return reading.ok ? undefined : { pointer, code: reading.code, detail: `Expected ${reading.expected}.` }
}
