import type { NamedSchema } from '../schema/named-schema.ts'
import type { Content } from './openapi-document.ts'

/** The same body in each of these media types. */
export const toContent = (
  mediaTypes: readonly string[],
  schema: NamedSchema | undefined,
  example: unknown,
): Content =>
  Object.fromEntries(
    mediaTypes.map((mediaType) => [
      mediaType,
      {
        ...(schema !== undefined && { schema: { $ref: `#/components/schemas/${schema.name}` } }),
        ...(example !== undefined && { example }),
      },
    ]),
  )
