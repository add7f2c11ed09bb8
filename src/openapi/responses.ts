import { type ProblemCode, problemCodes } from '../error/codes.ts'
import type { Operation, Success } from '../operation/operation.ts'
import { toContent } from './content.ts'
import type { HeaderObject, ResponseObject } from './openapi-document.ts'
import { problemCodesOf } from './problem-examples.ts'
import { problemSchema } from './problem-schema.ts'

/** All that an operation may reply, by status. */
export const toResponses = ({
  success,
  withheld,
  problems,
}: Operation): Readonly<Record<string, ResponseObject>> => ({
  [success.status]: toSuccessResponse(success),
  ...(withheld !== undefined && { [withheld.status]: toSuccessResponse(withheld) }),
  ...Object.fromEntries(
    [...byStatus(problems)].map(([status, codes]) => [status, toProblemResponse(status, codes)]),
  ),
})

const toSuccessResponse = ({
  description,
  mediaType,
  schema,
  example,
  headers,
}: Success): ResponseObject => ({
  description,
  ...(headers !== undefined && { headers: toHeaders(headers) }),
  ...(mediaType !== undefined && { content: toContent([mediaType], schema, example) }),
})

const toHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, HeaderObject>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, required: true, schema: { type: 'string' } },
    ]),
  )

const byStatus = (problems: readonly ProblemCode[]): ReadonlyMap<number, readonly ProblemCode[]> => {
  const grouped = new Map<number, readonly ProblemCode[]>()
  for (const code of problemCodesOf(problems)) {
    const { status } = problemCodes[code]
    grouped.set(status, [...(grouped.get(status) ?? []), code])
  }
  return grouped
}

const toProblemResponse = (status: number, codes: readonly ProblemCode[]): ResponseObject => {
  const headers = headersOf[status]
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const)
  return {
    description: codes.map((code) => `\`${code}\`: ${problemCodes[code].title}.`).join(' '),
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
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 0 },
  },
}

/** Headers that come with a status. A hook that throws the same status may leave them out: none is required. */
const headersOf: Readonly<Partial<Record<number, Readonly<Record<string, HeaderObject>>>>> = {
  401: { 'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } } },
  405: { Allow: { description: 'The methods that are allowed here.', schema: { type: 'string' } } },
  415: { Accept: { description: 'The media types that a body may have.', schema: { type: 'string' } } },
  429: retryAfter,
  503: retryAfter,
}
