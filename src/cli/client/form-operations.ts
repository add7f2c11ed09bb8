import { isRecord } from '../../error/record.ts'

type Json = Readonly<Record<string, unknown>>

const FORM_TYPE = 'multipart/form-data'

/** Only operations in documents of modelrest have this member. */
export const OURS = 'x-problem-codes'

/**
 * Splits operations that accept JSON and forms into two: `createProduct` for JSON and `createProductForm` for the form.
 *
 * An operation has one signature in a client, so generators use the first media type. Most clients then still send JSON,
 * but without the fields of the form. With two operations, a client can send both files and `null`. The second operation
 * has the same path with or without its trailing slash, which the server treats alike. Returns `undefined` if there is
 * nothing to split, for example in a document that is not from modelrest.
 */
export const withFormOperations = (document: unknown): Json | undefined => {
  if (!isRecord(document) || !isRecord(document['paths'])) return undefined
  const { paths } = document
  const ids = new Set(
    Object.values(paths).flatMap((item) => entriesOf(item).map(([, { operationId }]) => operationId)),
  )
  const parted: Record<string, unknown> = {}
  for (const [path, item] of Object.entries(paths)) {
    const twin = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
    const both = twin === '' || Object.hasOwn(paths, twin) ? [] : entriesOf(item).filter(takesBoth)
    parted[path] = item
    if (both.length === 0 || !isRecord(item)) continue
    parted[path] = {
      ...item,
      ...Object.fromEntries(both.map(([method, operation]) => [method, asJson(operation)])),
    }
    parted[twin] = Object.fromEntries(both.map(([method, operation]) => [method, asForm(operation, ids)]))
  }
  const isParted = Object.keys(parted).length > Object.keys(paths).length
  return isParted ? { ...document, paths: parted } : undefined
}

const entriesOf = (item: unknown): readonly (readonly [string, Json])[] =>
  Object.entries(isRecord(item) ? item : {}).flatMap(([name, value]) =>
    isRecord(value) ? [[name, value] as const] : [],
  )

const contentOf = ({ requestBody }: Json): Json =>
  isRecord(requestBody) && isRecord(requestBody['content']) ? requestBody['content'] : {}

const takesBoth = ([, operation]: readonly [string, Json]): boolean => {
  const content = contentOf(operation)
  return OURS in operation && FORM_TYPE in content && Object.keys(content).length > 1
}

const withContent = (operation: Json, content: Json): Json => ({
  ...operation,
  requestBody: { ...(isRecord(operation['requestBody']) && operation['requestBody']), content },
})

const asJson = (operation: Json): Json => {
  const { [FORM_TYPE]: _form, ...content } = contentOf(operation)
  return withContent(operation, content)
}

const asForm = (operation: Json, ids: Set<unknown>): Json => {
  let operationId = `${operation['operationId']}Form`
  // A model may have this name.
  while (ids.has(operationId)) operationId += 'Form'
  ids.add(operationId)
  const form = withContent(operation, { [FORM_TYPE]: contentOf(operation)[FORM_TYPE] })
  return { ...form, operationId, summary: `${operation['summary']}, with files` }
}
