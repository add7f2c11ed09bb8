/**
 * The closed table of problem codes: every error of a modelrest route carries one of them in `code`.
 *
 * A code is stable: it keeps its meaning and its status for a major version.
 */
export const problemCodes = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  malformed_multipart: { status: 400, title: 'The multipart body cannot be read' },
  malformed_query: { status: 400, title: 'The query string cannot be read' },
  query_too_long: { status: 400, title: 'The query string is too long' },
  unknown_parameter: { status: 400, title: 'The query holds an unknown parameter' },
  unknown_field: { status: 400, title: 'The query names an unknown field' },
  invalid_operator: { status: 400, title: 'The field does not have this operator' },
  invalid_value: { status: 400, title: 'A value in the query is not of the expected type' },
  page_too_large: { status: 400, title: 'The page is too large' },
  rejected: { status: 400, title: 'The request was rejected' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  forbidden: { status: 403, title: 'The caller may not do this' },
  not_found: { status: 404, title: 'Nothing was found here' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  not_acceptable: { status: 406, title: 'The reply cannot be given in an accepted media type' },
  request_timeout: { status: 408, title: 'The body came too slowly' },
  unique_conflict: { status: 409, title: 'The value is taken' },
  still_referenced: { status: 409, title: 'Other records refer to this one' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The media type of the body is not supported' },
  range_not_satisfiable: { status: 416, title: 'The file has none of these bytes' },
  invalid_body: { status: 422, title: 'The body does not fit the schema' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something failed on the server' },
  unrepresentable_value: { status: 500, title: 'A stored value cannot be returned exactly' },
  write_conflict: { status: 503, title: 'Others are writing the same at the moment' },
  outcome_unknown: { status: 503, title: 'It is not known whether this was done' },
  unavailable: { status: 503, title: 'The service is not available at the moment' },
} as const

/** One of the stable codes in the `code` member of a problem. */
export type ProblemCode = keyof typeof problemCodes

/** The closed table of codes inside `errors`: what is wrong with one place of a body or query. */
export const issueCodes = {
  required: 'The field must be there.',
  repeated: 'The part is there more than once.',
  unknown_key: 'The schema has no such key.',
  read_only: 'The field cannot be written.',
  not_nullable: 'The field cannot be null.',
  wrong_type: 'The value has another JSON type than the field.',
  invalid_format: 'The value has the right type, but not the form that the field asks for.',
  not_in_enum: 'The value is none of those allowed.',
  out_of_range: 'The number is smaller or larger than the field allows.',
  too_long: 'The text or array is longer than the field allows.',
  too_short: 'The text or array is shorter than the field allows.',
  imprecise_number: 'The number has more digits than can be held exactly: send it as a string.',
  missing_reference: 'The record that the field points to does not exist.',
  taken: 'Another record has this value already.',
  referenced: 'Records of this model still point here.',
  constraint: 'A rule of the database refuses the value.',
  invalid: 'The value is refused by a custom rule.',
} as const

/** One of the stable codes in an entry of `errors`. */
export type IssueCode = keyof typeof issueCodes
