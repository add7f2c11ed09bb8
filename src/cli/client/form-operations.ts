import { isRecord } from '../../error/record.ts'

type Json = Readonly<Record<string, unknown>>

const FORM_TYPE = 'multipart/form-data'

/** Only the operations of our own documents have this member. */
const OURS = 'x-problem-codes'

/**
 * A document of ours in which an operation takes JSON or a form, and not both: each operation that does is followed by
 * one for its form, `createProduct` by `createProductForm`.
 *
 * An operation has one signature in a client, so that generators take the first media type that there is; most of the
 * clients send JSON nevertheless where the operation knows it, without the form's fields. With two operations files
 * and `null` can both be sent. The second stands at the path with, or without, the slash at its end: the server answers
 * at both alike. `undefined`: there is nothing to split, as in any document that is not ours.
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
  // A model may be named so.
  while (ids.has(operationId)) operationId += 'Form'
  ids.add(operationId)
  const form = withContent(operation, { [FORM_TYPE]: contentOf(operation)[FORM_TYPE] })
  return { ...form, operationId, summary: `${operation['summary']}, with files` }
}
