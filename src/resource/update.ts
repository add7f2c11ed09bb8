import { readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { takePath } from '../operation/path.ts'
import { wait } from '../operation/steps.ts'
import { beforeUpdate } from './before.ts'
import { fromClient, namesIn } from './body.ts'
import { bodyShape, detailSuccess, operationOn } from './describe.ts'
import { keyParameter } from './key.ts'
import { askForKey, changeProblems, existing, findIfAsked } from './on-record.ts'
import { JSON_TYPE, record } from './replies.ts'
import type { Resource } from './resource.ts'
import { writing } from './writing.ts'

/** `PATCH /products/{id}`: absent fields stay untouched, and an empty body changes nothing. */
export const update = (resource: Resource): Operation => {
  const { model, around, bodies } = resource
  const body = bodyShape(resource, 'update')
  return operationOn(resource, {
    verb: 'update',
    method: 'PATCH',
    path: 'record',
    summary: `Change fields of one ${model.name}`,
    parameters: [keyParameter(model)],
    body,
    success: detailSuccess(resource, 200, 'The record as it is stored.'),
    problems: changeProblems,
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask: askForKey(model),
      enter: around.enter('update'),
      find: findIfAsked(resource, 'update'),
      *validate(bytes) {
        const body = bytes.length === 0 ? {} : readJson(bytes)
        return { values: yield* wait(bodies.update(body)), sent: namesIn(body) }
      },
      *act(key, body, visit, found) {
        const values = yield* beforeUpdate(resource, visit, body, found)
        return yield* writing(resource, visit, {
          ...{ event: 'update', values, key, seen: found },
          sent: fromClient(body, bodies.isCustom.update),
          act: (store) => existing(model, store.update(key, values, visit.guard)),
        })
      },
      reply: (written) => record(resource, written),
    }),
  })
}
