import { FORM_TYPE } from '../operation/head.ts'
import type { FormShape } from '../operation/operation.ts'
import type { NamedSchema } from '../schema/named-schema.ts'
import type { Content, MediaTypeObject } from './openapi-document.ts'

/** The same body in each of these media types. */
export const toContent = (
  mediaTypes: readonly string[],
  schema: NamedSchema | undefined,
  example: unknown,
): Content => Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, toMediaType(schema, example)]))

const toMediaType = (schema: NamedSchema | undefined, example: unknown): MediaTypeObject => ({
  ...(schema !== undefined && { schema: { $ref: `#/components/schemas/${schema.name}` } }),
  ...(example !== undefined && { example }),
})

/** A body as a form. */
export const toFormContent = ({ schema, encoding, example }: FormShape): Content => ({
  [FORM_TYPE]: {
    ...toMediaType(schema, example),
    ...(encoding !== undefined && Object.keys(encoding).length > 0 && { encoding }),
  },
})
