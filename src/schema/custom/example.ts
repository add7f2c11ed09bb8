import { z } from 'zod'
import type { JsonSchema } from '../../model/codec.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { Model } from '../../model/model.ts'
import { ownValue } from '../../model/objects.ts'
import { exampleOf } from '../example.ts'
import { propertiesOf } from '../json-schema.ts'
import type { SchemaName } from '../members.ts'

/**
 * The values of the model's example that match the JSON Schema of a custom schema. The schema itself runs only for requests.
 * `undefined` if a required value does not match or is unknown.
 */
export const fittingExample = (
  model: Model,
  which: SchemaName,
  schema: JsonSchema,
): Readonly<Record<string, unknown>> | undefined => {
  const example = exampleOf(model, which)
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const fitting = new Map<string, unknown>()
  for (const [name, property] of Object.entries(propertiesOf(schema))) {
    const value = formsOf(model, name, ownValue(example, name)).find((form) => fits(form, property))
    if (value !== undefined) fitting.set(name, value)
  }
  const isComplete = required.every((name) => fitting.has(String(name)))
  return isComplete && fitting.size > 0 ? Object.fromEntries(fitting) : undefined
}

/** Decimals and 64-bit integers have two forms in JSON, and a schema accepts one of them. */
const formsOf = (model: Model, name: string, value: unknown): readonly unknown[] => {
  const field = model.fields.find((candidate) => candidate.name === name)
  if (field === undefined || value === undefined) return []
  return [value, kinds[field.kind].otherJson?.(value, field)].filter((form) => form !== undefined)
}

export const fits = (value: unknown, schema: JsonSchema): boolean => {
  try {
    return z.fromJSONSchema(schema).safeParse(value).success
  } catch {
    // It has a reference to another schema or a keyword that Zod does not support.
    return false
  }
}
