import { z } from 'zod'
import type { Issue } from '../error/http-error.ts'
import type { Field } from '../model/model.ts'
import { ownValue } from '../model/own-value.ts'
import type { NamedSchema } from '../schema/named-schema.ts'
import { bodyRefusal, validateBody } from '../schema/validate.ts'
import type { AuthSettings } from './settings.ts'
import { ANY_IDENTIFIER } from './user/identifiers.ts'
import type { UserModel } from './user/user-model.ts'

/** What a login asks for. */
export interface Credentials {
  /** Where to look for the identifier: one field of the user, or any of them. */
  readonly field: Field | 'any'
  readonly identifier: string
  readonly password: string
}

/** The body of `POST /auth/login`. */
export interface LoginBody {
  readonly schema: NamedSchema
  readonly example: unknown
  /** @throws HttpError 422 */
  readonly read: (body: unknown) => Credentials
}

/** The longest identifier: the longest e-mail address (RFC 5321, 4.5.3.1) has 254. */
const MOST = 320

/**
 * Identifiers that the settings name, or those of the user and `login`. That means any of them (contract, 9), unless the
 * settings name a column of this name.
 */
export const loginBody = (
  { identifiers }: UserModel,
  { loginFields }: Pick<AuthSettings, 'loginFields'>,
): LoginBody => {
  const ofUser = new Map<string, Field | 'any'>(identifiers.map((field) => [field.name, field]))
  if (loginFields === undefined || !ofUser.has(ANY_IDENTIFIER)) ofUser.set(ANY_IDENTIFIER, 'any')
  const names = [...new Set(loginFields ?? ofUser.keys())]
  const text = z.string().min(1).max(MOST)
  const schema = z.strictObject({
    ...Object.fromEntries(names.map((name) => [name, text.optional()])),
    password: z.string().min(1),
  })
  return {
    schema: toSchema(names),
    example: { [names[0] ?? ANY_IDENTIFIER]: 'ada@example.com', password: 'a long and private sentence' },
    read: (body) => {
      const given = validateBody(schema, body)
      const [name, another] = names.filter((known) => ownValue(given, known) !== undefined)
      if (name === undefined || another !== undefined) throw bodyRefusal([noIdentifier(names, another)])
      return {
        field: ofUser.get(name) ?? 'any',
        identifier: String(ownValue(given, name)),
        password: String(given['password']),
      }
    },
  }
}

const noIdentifier = (names: readonly string[], another: string | undefined): Issue => ({
  pointer: `/${another ?? names[0]}`,
  code: another === undefined ? 'required' : 'invalid',
  detail: `Give exactly one of ${names.join(', ')}.`,
})

const toSchema = (names: readonly string[]): NamedSchema => ({
  name: 'LoginRequest',
  schema: {
    type: 'object',
    description: `The password, and exactly one of ${names.join(', ')}.`,
    required: ['password'],
    properties: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 1, maxLength: MOST }])),
      password: { type: 'string', minLength: 1, writeOnly: true },
    },
    minProperties: 2,
    maxProperties: 2,
    additionalProperties: false,
  },
})
