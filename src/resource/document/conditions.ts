import type { Verb } from '../../controller/permissions.ts'
import type { ProblemCode } from '../../error/codes.ts'
import type { Model } from '../../model/model.ts'
import type { Parameter, Success } from '../../operation/operation.ts'
import { preconditionProblems } from '../../operation/preconditions.ts'

/** The problems of conditions in the headers of an operation. */
export const conditionProblems = (model: Model, verb: Verb): readonly ProblemCode[] => {
  if (verb === 'list') return []
  if (verb === 'get') return ['malformed_header']
  if (verb === 'create') return ['unsupported_header']
  return [
    ...preconditionProblems,
    ...(model.requireIfMatch === true ? (['precondition_required'] as const) : []),
  ]
}

/** Only where an application asks for it, because clients would otherwise have it in the signature of every function. */
export const ifMatchParameters = ({ version, requireIfMatch }: Model): readonly Parameter[] =>
  version === undefined && requireIfMatch !== true
    ? []
    : [
        {
          name: 'If-Match',
          in: 'header',
          required: requireIfMatch === true,
          description: 'The `ETag` of the record that you have read. The response is 412 if it has changed.',
          schema: { type: 'string' },
        },
      ]

/** What the header `ETag` says. */
export const ETAG = 'Identifies this state of the record. Send it in `If-Match` to change only this state.'

/** The response to a read of a record that the client has. */
export const unchanged: Success = {
  status: 304,
  description: 'The record has one of the tags in `If-None-Match`.',
  headers: { ETag: ETAG },
}
