import { issueCodes, type ProblemCode, problemCodes } from '../error/codes.ts'
import type { Issue } from '../error/http-error.ts'
import type { Operation } from '../operation/operation.ts'
import type { ExampleObject } from './openapi-document.ts'

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
