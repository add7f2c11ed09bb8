import type { Visit } from '../controller/visit.ts'
import { assertNoQuery } from '../operation/head.ts'
import { bodyProblems, readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { nothing, takePath } from '../operation/path.ts'
import { writeProblems } from '../operation/refusals.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { beforeCreate } from './before.ts'
import { type Body, fromClient, namesIn } from './body.ts'
import { bodyShape, operationOn, writtenSuccess } from './describe.ts'
import { filledBody, filledValues } from './fill.ts'
import { orDropped, receiving } from './form.ts'
import { assertReachable } from './key.ts'
import { created, JSON_TYPE } from './replies.ts'
import type { Resource } from './resource.ts'
import type { Written } from './write.ts'
import { writing } from './writing.ts'

/** `POST /products/` */
export const create = (resource: Resource): Operation => {
  const { model, around, bodies } = resource
  const body = bodyShape(resource, 'create')
  const receive = receiving(resource, 'create')
  const read = function* (sent: unknown, { guard }: Visit): Steps<Body> {
    // A schema of the application's own decides itself which fields there are.
    const filled = bodies.isCustom.create ? sent : filledBody(model, sent, guard)
    const values = yield* wait(bodies.create(filled))
    return { values: filledValues(values, guard), sent: namesIn(sent) }
  }
  const store = function* (given: Body, visit: Visit): Steps<Written> {
    const values = yield* beforeCreate(resource, visit, given)
    assertReachable(model, values)
    return yield* writing(resource, visit, {
      ...{ event: 'create', values, uploads: given.uploads },
      sent: fromClient(given, bodies.isCustom.create),
      act: (records) => wait(records.create(values)),
    })
  }
  return operationOn(resource, {
    verb: 'create',
    method: 'POST',
    path: 'collection',
    parameters: [],
    body,
    ...writtenSuccess(resource, 'create'),
    problems: [
      ...bodyProblems,
      ...(['unknown_parameter', 'not_acceptable', 'unique_conflict', 'unrepresentable_value'] as const),
      ...writeProblems,
    ],
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask: assertNoQuery,
      enter: around.enter('create'),
      find: nothing,
      validate: (bytes, visit) => read(readJson(bytes), visit),
      receive: (source, call, visit) => receive(source, call, (body) => read(body, visit)),
      act: (_asked, body, visit) => orDropped(body.uploads, store(body, visit)),
      reply: (written, call) => created(resource, written, call),
    }),
  })
}
