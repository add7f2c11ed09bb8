import { readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { takePath } from '../operation/path.ts'
import { validateBody } from '../schema/validate.ts'
import { detailSuccess, jsonBody, operationOn } from './describe.ts'
import { keyParameter } from './key.ts'
import { askForKey, changeProblems, existing } from './on-record.ts'
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
    problems: changeProblems,
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask: askForKey(model),
      find: (key, guard) => existing(model, store.read(key, guard)),
      validate: (bytes, found) => {
        const values = validateBody(schemas.replace, withoutUnchanged(model, readJson(bytes), found))
        return { ...absentFields(model, values), ...values }
      },
      act: (key, values, guard) => existing(model, store.update(key, values, guard)),
      reply: (row) => record(resource, row),
    }),
  })
}
