import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { JsonSchema } from '../../src/model/codec.ts'

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true })
formats.default(ajv)

const compiled = new Map<string, ValidateFunction>()

/** A validator that knows nothing of us. Properties compile the same few schemas over and over. */
export const compile = (schema: JsonSchema): ValidateFunction => {
  const text = JSON.stringify(schema)
  const validate = compiled.get(text) ?? ajv.compile(schema)
  compiled.set(text, validate)
  return validate
}
