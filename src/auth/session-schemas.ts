import type { JsonSchema } from '../model/codec.ts'
import { jsonSchemasOf } from '../schema/json-schemas.ts'
import type { NamedSchema } from '../schema/named-schema.ts'
import type { UserModel } from './user/user-model.ts'

const access: JsonSchema = { type: 'string', description: 'A JWT for Authorization: Bearer.' }
const refresh: JsonSchema = { type: 'string', description: 'A JWT for POST /auth/refresh.' }

/** The reply of a refresh. */
export const tokensSchema: NamedSchema = {
  name: 'TokenPair',
  schema: {
    type: 'object',
    required: ['access'],
    properties: {
      access,
      refresh: {
        ...refresh,
        description: 'Absent where the old one came in a cookie: the new one is there too.',
      },
    },
    additionalProperties: true,
  },
}

/**
 * A user as they see themselves. It has a name of its own: where users are served as other models are, what can be
 * changed there is another thing.
 */
export const userSchema = ({ model }: UserModel): NamedSchema => {
  const { detail } = jsonSchemasOf(model)
  return Object.freeze({
    name: 'CurrentUser',
    get schema(): JsonSchema {
      return detail.schema
    },
    get uses(): readonly NamedSchema[] {
      return detail.uses ?? []
    },
  })
}

/** The reply of a login. */
export const sessionSchema = (model: UserModel): NamedSchema =>
  withUser(model, { name: 'Session', required: ['access', 'refresh', 'user'] })

/** The reply of a registration: of a user who may not log in yet, it has no tokens. */
export const registrationReply = (model: UserModel): NamedSchema =>
  withUser(model, { name: 'Registration', required: ['user'] })

const withUser = (
  model: UserModel,
  { name, required }: { readonly name: string; readonly required: readonly string[] },
): NamedSchema => {
  const user = userSchema(model)
  return {
    name,
    schema: {
      type: 'object',
      required,
      properties: { access, refresh, user: { $ref: `#/components/schemas/${user.name}` } },
      additionalProperties: true,
    },
    uses: [user],
  }
}
