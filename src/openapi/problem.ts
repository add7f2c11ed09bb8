import { type ErrorCode, issueCodes, problemCodes } from '../error/codes.ts'
import type { Issue } from '../error/errors.ts'
import { meaningOf, type OwnCode, statusOf } from '../error/own-codes.ts'
import type { JsonSchema } from '../model/codec.ts'
import type { Operation } from '../operation/operation.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import type { ExampleObject, HeaderObject, ReferenceObject, ResponseObject } from './openapi-document.ts'

const textSchema = (description: string): JsonSchema => ({ type: 'string', description })

const issueSchema: NamedSchema = {
  name: 'ProblemIssue',
  schema: {
    type: 'object',
    description: 'A mistake in one part of the request.',
    required: ['code', 'detail'],
    properties: {
      pointer: textSchema('The invalid part of the body, as a JSON pointer (RFC 6901).'),
      parameter: textSchema('The name of the invalid query parameter.'),
      code: textSchema(`A stable code: ${Object.keys(issueCodes).join(', ')}, or the code of a problem.`),
      detail: textSchema('A human-readable explanation.'),
    },
    additionalProperties: true,
  },
}

/**
 * The body of every error response: one schema, so that a generated client has one type to catch.
 *
 * `code` is open here, so that an old client can read a code that a later version adds. The codes of an operation are
 * in its `x-problem-codes` and not beside a `$ref` to this schema, which JSON Schema would allow: openapi-generator
 * 7.25 then creates a second, empty type for every error.
 */
export const problemSchema: NamedSchema = {
  name: 'Problem',
  uses: [issueSchema],
  schema: {
    type: 'object',
    description: 'An error, as a problem document (RFC 9457).',
    required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
    properties: {
      type: textSchema('A URN that contains the code.'),
      title: textSchema('The meaning of the code.'),
      status: { type: 'integer', description: 'The HTTP status of the response.' },
      detail: textSchema('A human-readable explanation of the error in this request.'),
      instance: textSchema('The path of the request.'),
      code: textSchema('A stable, machine-readable code.'),
      errors: { type: 'array', items: { $ref: `#/components/schemas/${issueSchema.name}` } },
      request_id: textSchema('The id of the request in the server log, if the status is 500 or above.'),
    },
    additionalProperties: true,
  },
}

/** What a document says of a code. */
type Meaning = OwnCode & { readonly type: string }

/** Code -> its meaning. Those of modelrest come first, in the order of their table. */
type Meanings = ReadonlyMap<ErrorCode, Meaning>

/** The errors of an operation. Includes `internal_error`, because every operation can fail. */
export const problemMeanings = ({
  problems,
  codes = {},
}: Pick<Operation, 'problems' | 'codes'>): Meanings => {
  const used = new Set<ErrorCode>([...problems, 'internal_error'])
  const all = [...tableOrder.filter((code) => used.has(code)), ...Object.keys(codes)]
  return new Map(all.map((code) => [code, { status: statusOf(code, codes), ...meaningOf(code, codes) }]))
}

const tableOrder = Object.keys(problemCodes)

const problemsIn = (operations: readonly Operation[]): Meanings =>
  problemMeanings({
    problems: operations.flatMap(({ problems }) => problems),
    codes: Object.assign({}, ...operations.map(({ codes }) => codes)),
  })

/** The errors of an operation: by status, a reference to the response that all operations share, and its own codes. */
export const toProblemReferences = (
  operation: Pick<Operation, 'problems' | 'codes'>,
): Readonly<Record<string, ReferenceObject>> =>
  Object.fromEntries(
    byStatus(problemMeanings(operation)).map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${responseName(status)}`, description: sentencesOf(codes) },
    ]),
  )

/** The response of each status that these operations may send as an error. Generators make one type of each. */
export const toProblemResponses = (
  operations: readonly Operation[],
): Readonly<Record<string, ResponseObject>> =>
  Object.fromEntries(
    byStatus(problemsIn(operations)).map(([status, codes]) => [
      responseName(status),
      toResponse(status, codes),
    ]),
  )

const responseName = (status: number): string => `${problemSchema.name}${status}`

const byStatus = (meanings: Meanings): readonly (readonly [number, Meanings])[] =>
  [...Map.groupBy(meanings, ([, { status }]) => status)].map(([status, entries]) => [
    status,
    new Map(entries),
  ])

const sentencesOf = (codes: Meanings): string =>
  [...codes].map(([code, { title }]) => `\`${code}\`: ${title}.`).join(' ')

const toResponse = (status: number, codes: Meanings): ResponseObject => {
  const headers = headersOf[status]
  const examples = [...codes.keys()].map((code) => [code, { $ref: `#/components/examples/${code}` }] as const)
  return {
    description: sentencesOf(codes),
    ...(headers !== undefined && { headers }),
    content: {
      'application/problem+json': {
        schema: { $ref: `#/components/schemas/${problemSchema.name}` },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

const retryAfter: Readonly<Record<string, HeaderObject>> = {
  'Retry-After': {
    description: 'Seconds to wait before you retry.',
    schema: { type: 'integer', minimum: 0 },
  },
}

/** The headers of each status. They are optional, because a hook that throws the same status may omit them. */
const headersOf: Readonly<Partial<Record<number, Readonly<Record<string, HeaderObject>>>>> = {
  401: {
    'WWW-Authenticate': {
      description: 'The authentication scheme that the operation accepts.',
      schema: { type: 'string' },
    },
  },
  405: { Allow: { description: 'The methods that this path supports.', schema: { type: 'string' } } },
  415: {
    Accept: { description: 'The media types that this operation accepts.', schema: { type: 'string' } },
  },
  429: retryAfter,
  503: retryAfter,
}

/** An example of each code that these operations may send. */
export const toProblemExamples = (
  operations: readonly Operation[],
): Readonly<Record<string, ExampleObject>> =>
  Object.fromEntries([...problemsIn(operations)].map(([code, meaning]) => [code, exampleOf(code, meaning)]))

const exampleOf = (code: ErrorCode, { type, title, status }: Meaning): ExampleObject => {
  const errors = errorsOf[code]
  return {
    summary: code,
    value: {
      type,
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

const errorsOf: Readonly<Partial<Record<string, readonly Issue[]>>> = {
  invalid_body: [{ pointer: '/name', code: 'required', detail: issueCodes.required }],
  unknown_parameter: [{ parameter: 'color', code: 'unknown_parameter', detail: 'Remove `color`.' }],
}
