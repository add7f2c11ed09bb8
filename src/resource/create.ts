import { assertNoQuery } from '../operation/head.ts'
import { bodyProblems, readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { nothing, takePath } from '../operation/path.ts'
import { wait } from '../operation/steps.ts'
import type { RecordStore } from '../source/source.ts'
import { beforeCreate } from './before.ts'
import { fromClient, namesIn } from './body.ts'
import { bodyShape, detailSuccess, operationOn } from './describe.ts'
import { filledBody, filledValues } from './fill.ts'
import { created, JSON_TYPE } from './replies.ts'
import type { Resource } from './resource.ts'
import { writing } from './writing.ts'

/** `POST /products/` */
export const create = (resource: Resource): Operation => {
  const { model, around, bodies } = resource
  const body = bodyShape(resource, 'create')
  return operationOn(resource, {
    verb: 'create',
    method: 'POST',
    path: 'collection',
    summary: `Create a ${model.name}`,
    parameters: [],
    body,
    success: detailSuccess(resource, 201, 'The record as it is stored.'),
    problems: [
      ...bodyProblems,
      ...([
        'unknown_parameter',
        'not_acceptable',
        'unique_conflict',
        'unrepresentable_value',
        'unavailable',
      ] as const),
    ],
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask: assertNoQuery,
      enter: around.enter('create'),
      find: nothing,
      *validate(bytes, { guard }) {
        const body = readJson(bytes)
        // A schema of the application's own decides itself which fields there are.
        const filled = bodies.isCustom.create ? body : filledBody(model, body, guard)
        const values = yield* wait(bodies.create(filled))
        return { values: filledValues(values, guard), sent: namesIn(body) }
      },
      *act(_asked, body, visit) {
        const values = yield* beforeCreate(resource, visit, body)
        const sent = fromClient(body, bodies.isCustom.create)
        const act = (store: RecordStore) => wait(store.create(values))
        return yield* writing(resource, visit, { event: 'create', values, sent, act })
      },
      reply: (written, call) => created(resource, written, call),
    }),
  })
}
