import { issueCodes, type ProblemCode, problemCodes } from '../error/codes.ts'
import type { Issue } from '../error/errors.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Operation } from '../operation/operation.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import type { ExampleObject } from './openapi-document.ts'

const textSchema = (description: string): JsonSchema => ({ type: 'string', description })

const issueSchema: NamedSchema = {
  name: 'ProblemIssue',
  schema: {
    type: 'object',
    description: 'What is wrong with one place of the request.',
    required: ['code', 'detail'],
    properties: {
      pointer: textSchema('JSON pointer (RFC 6901) into the body.'),
      parameter: textSchema('Name of the query parameter.'),
      code: textSchema(`Stable: ${Object.keys(issueCodes).join(', ')}, or a code of a problem.`),
      detail: textSchema('For humans.'),
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
      type: textSchema('A URN made of the code.'),
      title: textSchema('What the code means.'),
      status: { type: 'integer', description: 'The status of the reply.' },
      detail: textSchema('What went wrong this time, for humans.'),
      instance: textSchema('The path of the request.'),
      code: textSchema('Stable: programs decide by it.'),
      errors: { type: 'array', items: { $ref: `#/components/schemas/${issueSchema.name}` } },
      request_id: textSchema('With a status of 500 and above: the id that the log of the server has too.'),
    },
    additionalProperties: true,
  },
}

/** An example of each problem that these operations may answer with. They are long and alike, so that they stand once. */
export const toProblemExamples = (
  operations: readonly Operation[],
): Readonly<Record<string, ExampleObject>> => {
  const used = problemCodesOf(operations.flatMap(({ problems }) => problems))
  return Object.fromEntries(used.map((code) => [code, exampleOf(code)]))
}

/** Every operation can fail. In the order of the table, so that nothing changes with the order in an operation. */
export const problemCodesOf = (problems: readonly ProblemCode[]): readonly ProblemCode[] => {
  const used = new Set<ProblemCode>(problems).add('internal_error')
  return tableOrder.filter((code) => used.has(code))
}

const tableOrder = Object.keys(problemCodes) as readonly ProblemCode[]

const exampleOf = (code: ProblemCode): ExampleObject => {
  const { status, title } = problemCodes[code]
  const errors = errorsOf[code]
  return {
    summary: code,
    value: {
      type: `urn:modelrest:problem:${code}`,
      title,
      status,
      detail: `${title}.`,
      instance: '/',
      code,
      ...(errors !== undefined && { errors }),
      ...(status >= 500 && { request_id: 'req-1' }),
    },
  }
}

const errorsOf: Readonly<Partial<Record<ProblemCode, readonly Issue[]>>> = {
  invalid_body: [{ pointer: '/name', code: 'required', detail: issueCodes.required }],
  unknown_parameter: [{ parameter: 'colour', code: 'unknown_parameter', detail: 'Leave it out.' }],
}
