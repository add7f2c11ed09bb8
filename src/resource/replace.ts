import { assertNoQuery } from '../operation/head.ts'
import { readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { takePath } from '../operation/path.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Condition } from '../query/ast.ts'
import { validateBody } from '../schema/validate.ts'
import type { Row } from '../source/source.ts'
import { bodyProblems, detailSuccess, jsonBody, operationOn } from './describe.ts'
import { keyParameter, noSuchRecord, readKey } from './key.ts'
import { absentFields, withoutUnchanged } from './replacement.ts'
import { JSON_TYPE, record } from './replies.ts'
import type { Resource } from './resource.ts'

/** `PUT /products/{id}`: replaces the record, and never creates one. */
export const replace = (resource: Resource): Operation => {
  const { model, store, schemas } = resource
  const body = jsonBody(resource, 'replace')
  return operationOn(resource, {
    verb: 'replace',
    method: 'PUT',
    path: 'record',
    summary: `Replace one ${model.name}`,
    parameters: [keyParameter(model)],
    body,
    success: detailSuccess(resource, 200, 'The record as it is stored.'),
    problems: [
      ...bodyProblems,
      ...(['unknown_parameter', 'not_found', 'not_acceptable'] as const),
      ...(['unique_conflict', 'unrepresentable_value', 'unavailable'] as const),
    ],
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask: (call) => {
        assertNoQuery(call)
        return readKey(model, call.params['id'] ?? '')
      },
      find: (key, guard) => existing(resource, key, guard),
      validate: (bytes, found) => {
        const values = validateBody(schemas.replace, withoutUnchanged(model, readJson(bytes), found))
        return { ...absentFields(model, values), ...values }
      },
      *act(key, values, guard) {
        const row = yield* wait(store.update(key, values, guard))
        if (row === undefined) throw noSuchRecord(model)
        return row
      },
      reply: (row) => record(resource, row),
    }),
  })
}

function* existing({ model, store }: Resource, key: readonly unknown[], guard: Condition): Steps<Row> {
  const row = yield* wait(store.read(key, guard))
  if (row === undefined) throw noSuchRecord(model)
  return row
}
