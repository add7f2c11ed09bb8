import { issueCodes } from '../error/codes.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { NamedSchema } from '../schema/named-schema.ts'

const string = (description: string): JsonSchema => ({ type: 'string', description })

const issueSchema: NamedSchema = {
  name: 'ProblemIssue',
  schema: {
    type: 'object',
    description: 'What is wrong with one place of the request.',
    required: ['code', 'detail'],
    properties: {
      pointer: string('JSON pointer (RFC 6901) into the body.'),
      parameter: string('Name of the query parameter.'),
      code: string(`Stable: ${Object.keys(issueCodes).join(', ')}, or a code of a problem.`),
      detail: string('For humans.'),
    },
    additionalProperties: true,
  },
}

/**
 * The body of every error reply: one schema, so that a generated client has one type to catch.
 *
 * `code` is open here, so that an old client can read a code that a later version adds. What an operation may answer
 * with stands beside its replies (`x-problem-codes`) and not beside a `$ref` to this schema, which JSON Schema would
 * allow: openapi-generator 7.25 then makes another, empty type of every error.
 */
export const problemSchema: NamedSchema = {
  name: 'Problem',
  uses: [issueSchema],
  schema: {
    type: 'object',
    description: 'An error (RFC 9457).',
    required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
    properties: {
      type: string('A URN made of the code.'),
      title: string('What the code means.'),
      status: { type: 'integer', description: 'The status of the reply.' },
      detail: string('What went wrong this time, for humans.'),
      instance: string('The path of the request.'),
      code: string('Stable: programs decide by it.'),
      errors: { type: 'array', items: { $ref: `#/components/schemas/${issueSchema.name}` } },
      request_id: string('With a status of 500 and above: the id that the log of the server has too.'),
    },
    additionalProperties: true,
  },
}
