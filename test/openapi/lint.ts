import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { OpenApiDocument } from '../../src/openapi/openapi-document.ts'

const rules = {
  // The specification writes list paths with a slash at the end (`/products/`).
  'no-path-trailing-slash': 'off',
  // The licence of an API is its owner's to name.
  'info-license': 'off',
  // `security: []` says that nothing asks for authentication; the rule wants a scheme.
  // (It is satisfied by the empty list, and stays on.)
  'security-defined': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
} as const

/** What nobody but the owner of an API knows, and descriptions of everything that generators and readers want one of. */
const completeRules = {
  'info-license': 'error',
  'info-license-strict': 'error',
  'info-contact': 'error',
  'operation-description': 'error',
  'tag-description': 'error',
  'parameter-description': 'error',
} as const

const usual = await createConfig({ extends: ['recommended'], rules })
const complete = await createConfig({ extends: ['recommended'], rules: { ...rules, ...completeRules } })

/**
 * What a linter finds (warnings too), what the schema of OpenAPI 3.1 finds, and schemas that are no JSON Schema.
 *
 * @param isComplete the owner has said all that there is to say of the API
 */
export const lint = async (document: OpenApiDocument, isComplete = false): Promise<readonly string[]> => [
  ...(
    await lintFromString({
      ...{ source: JSON.stringify(document), absoluteRef: 'openapi.json' },
      config: isComplete ? complete : usual,
    })
  ).map(
    ({ ruleId, message, location }) =>
      `${ruleId}: ${message} at ${location.map(({ pointer }) => pointer).join(', ')}`,
  ),
  ...(await againstOpenApiSchema(document)),
  ...againstJsonSchema(document),
]

const againstOpenApiSchema = async (document: OpenApiDocument): Promise<readonly string[]> => {
  const { valid, errors } = await new Validator().validate(
    structuredClone<object>(document) as Record<string, unknown>,
  )
  return valid ? [] : [`OpenAPI 3.1 schema: ${JSON.stringify(errors)}`]
}

const againstJsonSchema = ({ components }: OpenApiDocument): readonly string[] => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  return Object.entries(components.schemas).flatMap(([name, schema]) =>
    ajv.validateSchema(schema) ? [] : [`${name}: ${ajv.errorsText()}`],
  )
}
