import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { NamedSchema } from '../../src/schema/json-schema.ts'

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true })
formats.default(ajv)

ajv.addKeyword('components')

const compiled = new Map<string, ValidateFunction>()

/** A validator that knows nothing of us. Properties compile the same few schemas over and over. */
export const compile = ({ schema, uses = [] }: NamedSchema): ValidateFunction => {
  const schemas = Object.fromEntries(uses.map((used) => [used.name, used.schema]))
  const whole = { ...schema, components: { schemas } }
  const text = JSON.stringify(whole)
  const validate = compiled.get(text) ?? ajv.compile(whole)
  compiled.set(text, validate)
  return validate
}

/** A schema with all that it refers to. */
export const wholeOf = (schema: NamedSchema): NamedSchema => {
  const used = (one: NamedSchema): readonly NamedSchema[] =>
    (one.uses ?? []).flatMap((each) => [each, ...used(each)])
  return { ...schema, uses: [...new Map(used(schema).map((each) => [each.name, each])).values()] }
}
