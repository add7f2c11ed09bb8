import type { BodyShape, Operation, Parameter } from '../operation/operation.ts'
import { toContent, toFormContent } from './content.ts'
import type {
  DocumentedMethod,
  OperationObject,
  ParameterObject,
  PathItem,
  RequestBodyObject,
} from './openapi-document.ts'
import { problemCodesOf } from './problem-examples.ts'
import { toResponses } from './responses.ts'
import { type SecuritySchemes, securityOf } from './security.ts'

/** An operation that the document shows. */
export type ShownOperation = Operation & { readonly tag: string }

/** Operations without a tag (the documentation itself) are served and not shown. */
export const isShown = (operation: Operation): operation is ShownOperation => operation.tag !== undefined

/** Operations by path and method, in the order that they have. */
export const toPaths = (
  operations: readonly ShownOperation[],
  schemes: SecuritySchemes | undefined,
): Readonly<Record<string, PathItem>> => {
  const paths: Record<string, PathItem> = {}
  for (const operation of operations) {
    const method = operation.method.toLowerCase() as DocumentedMethod
    paths[operation.path] = { ...paths[operation.path], [method]: toOperationObject(operation, schemes) }
  }
  return paths
}

const toOperationObject = (
  operation: ShownOperation,
  schemes: SecuritySchemes | undefined,
): OperationObject => ({
  operationId: operation.id,
  tags: [operation.tag],
  summary: operation.summary,
  ...(operation.description !== undefined && { description: operation.description }),
  ...(operation.deprecated === true && { deprecated: true }),
  ...(schemes !== undefined && { security: securityOf(operation, schemes) }),
  parameters: operation.parameters.map(toParameterObject),
  ...(operation.body !== undefined && { requestBody: toRequestBody(operation.body) }),
  responses: toResponses(operation),
  'x-problem-codes': { type: 'string', enum: problemCodesOf(operation.problems) },
})

/** Repeating an array's name is the default of the format. Some generators of clients need it in words. */
const toParameterObject = (parameter: Parameter): ParameterObject =>
  parameter.in === 'query' && parameter.schema['type'] === 'array'
    ? { ...parameter, style: 'form', explode: parameter.explode ?? true }
    : parameter

/** The form comes first: generators of clients take the first media type that there is. */
const toRequestBody = ({
  mediaTypes,
  required,
  schema,
  example,
  limit,
  form,
}: BodyShape): RequestBodyObject => ({
  description:
    form === undefined
      ? `At most ${sizeOf(limit)}.`
      : `At most ${sizeOf(limit)} of JSON, or ${sizeOf(form.limit)} of a form.`,
  required,
  content: {
    ...(form !== undefined && toFormContent(form)),
    ...toContent(mediaTypes, schema, example),
  },
})

const units = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
] as const

/** In the largest unit that it is a whole number of: `1 MiB`. */
const sizeOf = (bytes: number): string => {
  const unit = units.find(([, size]) => bytes >= size && bytes % size === 0)
  return unit === undefined ? `${bytes} bytes` : `${bytes / unit[1]} ${unit[0]}`
}
