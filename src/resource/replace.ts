import { readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { takePath } from '../operation/path.ts'
import { wait } from '../operation/steps.ts'
import { beforeUpdate } from './before.ts'
import { fromClient, namesIn } from './body.ts'
import { bodyShape, detailSuccess, operationOn } from './describe.ts'
import { filledBody } from './fill.ts'
import { keyParameter } from './key.ts'
import { askForKey, changeProblems, existing, findPermitted } from './on-record.ts'
import { absentFields, withoutUnchanged } from './replacement.ts'
import { JSON_TYPE, record } from './replies.ts'
import type { Resource } from './resource.ts'
import { writing } from './writing.ts'

/** `PUT /products/{id}`: replaces the record, and never creates one. */
export const replace = (resource: Resource): Operation => {
  const { model, around, bodies } = resource
  const body = bodyShape(resource, 'replace')
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
      enter: around.enter('replace'),
      find: findPermitted(resource, 'replace'),
      *validate(bytes, { guard }, found) {
        const body = withoutUnchanged(model, readJson(bytes), found)
        const filled = bodies.isCustom.replace ? body : filledBody(model, body, guard)
        return { values: yield* wait(bodies.replace(filled, found)), sent: namesIn(body) }
      },
      *act(key, body, visit, found) {
        const given = yield* beforeUpdate(resource, visit, body, found)
        const values = { ...absentFields(model, given), ...given }
        return yield* writing(resource, visit, {
          ...{ event: 'update', values, key, seen: found },
          sent: fromClient(body, bodies.isCustom.replace),
          act: (store) => existing(model, store.update(key, values, visit.guard)),
        })
      },
      reply: (written) => record(resource, written),
    }),
  })
}
