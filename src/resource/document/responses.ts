import { needsCaller } from '../../controller/permissions.ts'
import type { Model } from '../../model/model.ts'
import { hasOperation } from '../../model/operations.ts'
import type { Operation, Success } from '../../operation/operation.ts'
import { defaultCount, defaultLimit } from '../../query/list-query.ts'
import { computedExample } from '../../schema/custom/computed.ts'
import { listSchema, type PageShell } from '../../schema/envelope.ts'
import { exampleOf } from '../../schema/example.ts'
import type { NamedSchema } from '../../schema/json-schema.ts'
import type { Resource } from '../parts/resource.ts'
import { JSON_TYPE, pageShell } from '../show/replies.ts'

/** What the header `ETag` says. */
const ETAG = 'Identifies this state of the record. Send it in `If-Match` to change only this state.'

/** The response to a read of a record that the client has. */
export const unchanged: Success = {
  status: 304,
  description: 'The record has one of the tags in `If-None-Match`.',
  headers: { ETag: ETAG },
}

/** An example of a record in a response. */
const recordExample = (
  { model, bodies: { computed } }: Pick<Resource, 'model' | 'bodies'>,
  which: 'list' | 'detail',
): object => ({
  ...exampleOf(model, which),
  ...computedExample(computed),
})

export const detailSuccess = (
  resource: Pick<Resource, 'model' | 'bodies'>,
  status: 200 | 201,
  description: string,
  schema: NamedSchema = resource.bodies.jsonSchemas.detail,
): Success => ({
  status,
  description,
  mediaType: JSON_TYPE,
  schema,
  get example() {
    return recordExample(resource, 'detail')
  },
  headers: { ...(status === 201 && locationOf(resource.model, 'create').headers), ETag: ETAG },
})

/** The response to a read, which has some of the fields if requests choose them. */
export const readSuccess = (resource: Pick<Resource, 'model' | 'bodies'>, description: string): Success => {
  const { model, bodies } = resource
  const { detail } = bodies.jsonSchemas
  return detailSuccess(
    resource,
    200,
    description,
    model.detailFields === true ? partOf(detail, model) : detail,
  )
}

const partOf = (whole: NamedSchema, { name, primaryKey }: Model): NamedSchema => ({
  name: `${name}Part`,
  get schema() {
    return { ...whole.schema, required: primaryKey }
  },
  get uses() {
    return whole.uses ?? []
  },
})

/** The responses of a write: the stored record, or no record if the caller may not read it. */
export const writtenSuccess = (
  resource: Pick<Resource, 'model' | 'access' | 'bodies'>,
  act: 'create' | 'update',
): Pick<Operation, 'success' | 'withheld'> => {
  const { read } = resource.access.permissions
  const success = detailSuccess(resource, act === 'create' ? 201 : 200, 'The stored record.')
  if (read === 'public' || (read === 'authenticated' && needsCaller(resource.access, act))) return { success }
  const description = 'The record is stored. The caller may not read it.'
  return { success, withheld: { status: 204, description, ...locationOf(resource.model, act) } }
}

/** Without its own route, a record has no path. */
const locationOf = (model: Model, act: 'create' | 'update'): Pick<Success, 'headers'> =>
  act === 'create' && hasOperation(model, 'read')
    ? { headers: { Location: 'The path of the new record.' } }
    : {}

/** The response of a list. @param withheld what some callers do not get */
export const pageSuccess = (
  resource: Pick<Resource, 'model' | 'bodies' | 'rules'>,
  withheld: string,
): Success => ({
  status: 200,
  description: `A page of records.${withheld}`,
  mediaType: JSON_TYPE,
  schema: pageSchema(resource),
  get example() {
    const { items, rest } = exampleShell(resource)
    return { [items]: [recordExample(resource, 'list')], ...rest }
  },
})

/** Of the only page of a list with one record. */
const exampleShell = ({ rules, bodies: { envelope } }: Pick<Resource, 'bodies' | 'rules'>): PageShell => {
  const [paging] = rules.paging
  const isCounted = defaultCount(rules, paging) !== 'none'
  const limit = paging === 'page-number' ? rules.perPage : defaultLimit(rules)
  const page = {
    ...{ count: isCounted ? 1 : null, exact: isCounted },
    ...(paging === 'cursor' && { next: null }),
  }
  return pageShell(envelope, page, { paging, selection: { limit, offset: 0 } })
}

const pageSchema = ({
  model,
  rules,
  bodies: { pageItem, envelope },
}: Pick<Resource, 'model' | 'bodies' | 'rules'>): NamedSchema => ({
  name: `${model.name}Page`,
  schema: listSchema(
    envelope,
    { type: 'array', items: { $ref: `#/components/schemas/${pageItem.name}` } },
    rules.paging,
  ),
  uses: [pageItem],
})
