import {
  type BodyShape,
  type FormShape,
  KEY_SCHEME,
  type Operation,
  type Success,
} from '../operation/operation.ts'
import { FORM_TYPE } from '../operation/path.ts'
import type {
  Content,
  DocumentedMethod,
  HeaderObject,
  MediaTypeObject,
  OperationObject,
  PathItem,
  RequestBodyObject,
  ResponseObject,
  SecurityRequirements,
  SecuritySchemes,
} from './openapi-document.ts'
import type { SharedParameters } from './parameters.ts'
import { problemMeanings, toProblemReferences } from './problem.ts'

type ShownOperation = Operation & { readonly tag: string }

/** Operations without a tag, such as those of the documentation itself, are served but not documented. */
export const isShown = (operation: Operation): operation is ShownOperation => operation.tag !== undefined

export const toPaths = (
  operations: readonly ShownOperation[],
  schemes: SecuritySchemes | undefined,
  parameters: SharedParameters,
): Readonly<Record<string, PathItem>> => {
  const paths: Record<string, PathItem> = {}
  for (const operation of operations) {
    const method = operation.method.toLowerCase() as DocumentedMethod
    paths[operation.path] = {
      ...paths[operation.path],
      [method]: toOperationObject(operation, schemes, parameters),
    }
  }
  return paths
}

const toOperationObject = (
  operation: ShownOperation,
  schemes: SecuritySchemes | undefined,
  parameters: SharedParameters,
): OperationObject => ({
  operationId: operation.id,
  tags: [operation.tag],
  summary: operation.summary,
  ...(operation.description !== undefined && { description: operation.description }),
  ...(operation.deprecated === true && { deprecated: true }),
  ...(schemes !== undefined && { security: securityOf(operation, schemes) }),
  parameters: operation.parameters.map(parameters.of),
  ...(isSent(operation.body) && { requestBody: toRequestBody(operation.body) }),
  responses: toResponses(operation),
  'x-problem-codes': { type: 'string', enum: [...problemMeanings(operation).keys()] },
})

/** Whether clients send something in it. */
export const isSent = (body: BodyShape | undefined): body is BodyShape =>
  body !== undefined && body.isEmpty !== true

/** The credentials of an operation, any one of which is enough. */
export const securityOf = (
  { caller = 'anyone' }: Pick<Operation, 'caller'>,
  schemes: SecuritySchemes,
): SecurityRequirements => {
  if (caller === 'anyone') return []
  const accepted = Object.keys(schemes).filter((name) => caller !== 'session' || name !== KEY_SCHEME)
  const any = accepted.map((name) => ({ [name]: [] }))
  return caller === 'decided' ? [...any, {}] : any
}

/** The form comes first, because client generators use the first media type. */
const toRequestBody = ({ form, ...body }: BodyShape): RequestBodyObject => ({
  description:
    form === undefined
      ? `The maximum size is ${sizeOf(body.limit)}.`
      : `The maximum size is ${sizeOf(body.limit)} for JSON and ${sizeOf(form.limit)} for a form.`,
  required: body.required,
  content: {
    ...(form !== undefined && toFormContent(form)),
    ...toContent(body.mediaTypes, body),
  },
})

const units = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
] as const

/** In the largest unit that divides it: `1 MiB`. */
const sizeOf = (bytes: number): string => {
  const unit = units.find(([, size]) => bytes >= size && bytes % size === 0)
  return unit === undefined ? `${bytes} bytes` : `${bytes / unit[1]} ${unit[0]}`
}

const toResponses = ({
  success,
  withheld,
  unchanged,
  ...operation
}: Operation): OperationObject['responses'] => {
  return {
    [success.status]: toSuccessResponse(success),
    ...(withheld !== undefined && { [withheld.status]: toSuccessResponse(withheld) }),
    ...(unchanged !== undefined && { [unchanged.status]: toSuccessResponse(unchanged) }),
    ...toProblemReferences(operation),
  }
}

const toSuccessResponse = ({ description, mediaType, headers, ...body }: Success): ResponseObject => ({
  description,
  ...(headers !== undefined && { headers: toHeaders(headers) }),
  ...(mediaType !== undefined && { content: toContent([mediaType], body) }),
})

const toHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, HeaderObject>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, required: true, schema: { type: 'string' } },
    ]),
  )

const toContent = (mediaTypes: readonly string[], shape: SchemaExample): Content =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, toMediaType(shape)]))

type SchemaExample = Pick<Success, 'schema' | 'example'>

const toMediaType = ({ schema, example }: SchemaExample): MediaTypeObject => ({
  ...(schema !== undefined && { schema: { $ref: `#/components/schemas/${schema.name}` } }),
  ...(example !== undefined && { example }),
})

const toFormContent = ({ encoding, ...shape }: FormShape): Content => ({
  [FORM_TYPE]: {
    ...toMediaType(shape),
    ...(encoding !== undefined && Object.keys(encoding).length > 0 && { encoding }),
  },
})
