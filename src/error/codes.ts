/**
 * All problem codes. Every error of a modelrest endpoint has one of them in `code`.
 *
 * A code keeps its meaning and its status within a major version.
 */
export const problemCodes = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  malformed_header: { status: 400, title: 'A header is malformed' },
  unsupported_header: { status: 400, title: 'A header would have no effect' },
  malformed_multipart: { status: 400, title: 'The multipart body is malformed' },
  malformed_query: { status: 400, title: 'The query string is malformed' },
  query_too_long: { status: 400, title: 'The query string is too long' },
  unknown_parameter: { status: 400, title: 'Unknown query parameter' },
  unknown_field: { status: 400, title: 'Unknown field in the query' },
  invalid_operator: { status: 400, title: 'The field does not support this operator' },
  invalid_value: { status: 400, title: 'Invalid value in the query' },
  page_too_large: { status: 400, title: 'The page is too large' },
  no_records: { status: 400, title: 'The array of records is empty' },
  too_many_records: { status: 400, title: 'The request concerns too many records' },
  filter_required: { status: 400, title: 'The request needs a filter' },
  rejected: { status: 400, title: 'The request was rejected' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  forbidden: { status: 403, title: 'The caller is not allowed to do this' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'The response is not available in an accepted media type' },
  request_timeout: { status: 408, title: 'The body arrived too slowly' },
  conflict: { status: 409, title: 'The request conflicts with the state of the record' },
  unique_conflict: { status: 409, title: 'The value is already taken' },
  still_referenced: { status: 409, title: 'Other records refer to this record' },
  precondition_failed: { status: 412, title: 'The record was changed meanwhile' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  range_not_satisfiable: { status: 416, title: 'The requested range is outside the file' },
  invalid_body: { status: 422, title: 'The body does not match the schema' },
  precondition_required: { status: 428, title: 'The request needs a precondition' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Internal server error' },
  unrepresentable_value: { status: 500, title: 'A stored value cannot be represented exactly' },
  write_conflict: { status: 503, title: 'Concurrent writes to the same records' },
  outcome_unknown: { status: 503, title: 'The outcome of the request is unknown' },
  unavailable: { status: 503, title: 'The service is temporarily unavailable' },
} as const

/** A value of the `code` member of a problem. */
export type ProblemCode = keyof typeof problemCodes

/** A code of modelrest, or one of the application. Editors complete those of modelrest. */
export type ErrorCode = ProblemCode | (string & Record<never, never>)

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(problemCodes, code)

/**
 * The codes of errors without a code. They say no more than the status. Those that are not in `problemCodes` are only in
 * errors of the application.
 */
export const generalCodes: Readonly<Partial<Record<number, ErrorCode>>> = {
  401: 'unauthenticated',
  402: 'payment_required',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  422: 'invalid_body',
  423: 'locked',
  424: 'failed_dependency',
  428: 'precondition_required',
  429: 'too_many_requests',
  451: 'unavailable_for_legal_reasons',
  501: 'not_implemented',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
  507: 'insufficient_storage',
}

/** All codes inside `errors`: each describes one mistake in a body or query. */
export const issueCodes = {
  required: 'The field is required.',
  repeated: 'The part or record is present more than once.',
  unknown_key: 'The schema has no field with this name.',
  read_only: 'The field is read-only.',
  not_nullable: 'The field cannot be null.',
  wrong_type: 'The value has the wrong JSON type.',
  invalid_format: 'The value has the right type but the wrong format.',
  not_in_enum: 'The value is not one of the allowed values.',
  out_of_range: 'The number is below the minimum or above the maximum.',
  too_long: 'The text or array is too long.',
  too_short: 'The text or array is too short.',
  imprecise_number: 'The number has more digits than a JSON number can represent exactly.',
  missing_reference: 'The referenced record does not exist.',
  taken: 'Another record already has this value.',
  taken_by_deleted: 'A deleted record already has this value.',
  referenced: 'Other records still refer to this record.',
  constraint: 'A database constraint rejects the value.',
  invalid: 'A custom rule rejects the value.',
} as const

/** A value of `code` in an entry of `errors`. */
export type IssueCode = keyof typeof issueCodes
