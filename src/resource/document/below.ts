import { isRecord } from '../../error/record.ts'
import type { JsonSchema } from '../../model/codec.ts'
import type { BodyShape } from '../../operation/operation.ts'
import { type NamedSchema, propertiesOf } from '../../schema/json-schema.ts'

/**
 * The body of a record that is created below another one. It does not show the foreign key, because the path has it. Schemas and
 * examples are made when a document is.
 */
export const bodyBelow = (whole: BodyShape, name: string, foreign: readonly string[]): BodyShape => {
  const { mediaTypes, required, limit, timeout, form } = whole
  return {
    ...{ mediaTypes, required, limit, timeout },
    schema: schemaWithout(whole.schema, name, foreign),
    get example() {
      return exampleWithout(whole.example, foreign)
    },
    ...(form && {
      form: {
        limit: form.limit,
        schema: schemaWithout(form.schema, `${name}Form`, foreign),
        get encoding() {
          return form.encoding ?? {}
        },
        get example() {
          return exampleWithout(form.example, foreign)
        },
      },
    }),
  }
}

const schemaWithout = (whole: NamedSchema, name: string, members: readonly string[]): NamedSchema =>
  Object.freeze({
    name,
    get schema(): JsonSchema {
      const { required, ...schema } = whole.schema
      const rest = Array.isArray(required) ? required.filter((member) => !members.includes(member)) : []
      return {
        ...schema,
        ...(rest.length > 0 && { required: rest }),
        properties: membersWithout(propertiesOf(whole.schema), members),
      }
    },
    get uses(): readonly NamedSchema[] {
      return whole.uses ?? []
    },
  })

const exampleWithout = (example: unknown, members: readonly string[]): unknown =>
  isRecord(example) ? membersWithout(example, members) : example

const membersWithout = <T>(
  object: Readonly<Record<string, T>>,
  members: readonly string[],
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(object).filter(([member]) => !members.includes(member)))
