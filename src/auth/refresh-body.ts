import { z } from 'zod'
import { readJson } from '../operation/json-body.ts'
import type { NamedSchema } from '../schema/named-schema.ts'
import { validateBody } from '../schema/validate.ts'

const schema = z.strictObject({ refresh: z.string().min(1).optional() })

/** The body of refresh and logout. */
export const refreshSchema: NamedSchema = {
  name: 'RefreshRequest',
  schema: {
    type: 'object',
    properties: {
      refresh: {
        type: 'string',
        minLength: 1,
        description: 'The refresh token. Absent: the one in the cookie.',
      },
    },
    additionalProperties: false,
  },
}

/** The refresh token in a body, which may be empty. @throws HttpError 400, 422 */
export const readRefresh = (bytes: Uint8Array): string | undefined => {
  if (bytes.length === 0) return undefined
  const { refresh } = validateBody(schema, readJson(bytes))
  return refresh === undefined ? undefined : String(refresh)
}
