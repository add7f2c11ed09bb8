import { z } from 'zod'
import type { Field, Model } from '../../model/model.ts'
import { ownValue } from '../../model/own-value.ts'
import { jsonSchemasOf } from '../../schema/json-schemas.ts'
import { schemasOf } from '../../schema/model-schemas.ts'
import type { NamedSchema } from '../../schema/named-schema.ts'
import { bodyRefusal, validateBody } from '../../schema/validate.ts'
import type { Row } from '../../source/source.ts'
import { withNormalised, withPrintable } from './identifiers.ts'

/** A body of a registration that has been read. */
export interface Registration {
  /** What is stored, but for the password: identifiers in their one form. */
  readonly values: Row
  /** As it was sent. */
  readonly password: string
}

/** The most characters of a password. */
const LONGEST_PASSWORD = 1024

/** What a registration asks for the password as, whatever its column is called and holds. */
const passwordField: Field = Object.freeze({
  ...({ name: 'password', kind: 'text', form: 'string', maxLength: LONGEST_PASSWORD } as const),
  ...({ nullable: false, hasDefault: false, generated: false, optional: false } as const),
  access: 'write-only',
})

/** What a registration is made of. */
export interface RegistrationParts {
  readonly password: Field
  readonly identifiers: readonly Field[]
  readonly allowed: readonly Field[]
}

/** The model of registrations: the fields of the allow-list and the password. All else is hidden. */
export const registrationModel = (
  model: Model,
  { password, identifiers, allowed }: RegistrationParts,
): Model => {
  const needed = identifiers.filter((field) => allowed.includes(field))
  const fieldOf = (field: Field): Field => {
    if (field === password) return passwordField
    if (!allowed.includes(field)) return Object.freeze({ ...field, access: 'hidden' })
    const access = field.access === 'write-only' ? 'write-only' : 'read-write'
    // By the only one there is, its user is found again.
    const isOnly = needed.length === 1 && needed[0] === field && !field.hasDefault
    return Object.freeze({ ...field, access, ...(isOnly && { nullable: false, optional: false }) })
  }
  const { search: _search, ...rest } = model
  return withPrintable({ ...rest, fields: model.fields.map(fieldOf) }, identifiers)
}

/** The JSON Schema of registrations, for the document. */
export const registrationSchemaOf = (registration: Model): NamedSchema => {
  const { create } = jsonSchemasOf(registration)
  return Object.freeze({ name: 'RegisterRequest', schema: create.schema, uses: create.uses ?? [] })
}

/**
 * Reads the body of a registration.
 *
 * @throws HttpError 422 `invalid_body`: a field that is missing, wrong or not in the allow-list, or no identifier at all
 */
export const registrationReader = (
  registration: Model,
  identifiers: readonly Field[],
): ((body: unknown) => Registration) => {
  // Any text may be a password, also one that no database could hold: what it may be is decided before it is hashed.
  const create = schemasOf(registration).create.extend({
    [passwordField.name]: z.string().max(LONGEST_PASSWORD),
  })
  const names = identifiers.map(({ name }) => name)
  const canBeKnown = identifiers.some((field) => field.hasDefault)
  return (body) => {
    const { [passwordField.name]: password, ...given } = validateBody(create, body)
    if (
      !canBeKnown &&
      names.every((name) => ownValue(given, name) === undefined || ownValue(given, name) === null)
    ) {
      throw bodyRefusal([
        { pointer: `/${names[0]}`, code: 'required', detail: `Give one of ${names.join(', ')}.` },
      ])
    }
    return { values: withNormalised(identifiers, given), password: String(password) }
  }
}
