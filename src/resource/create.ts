import type { ScopedCall } from '../controller/scope.ts'
import { bodyProblems, readJson } from '../operation/body.ts'
import type { Operation } from '../operation/operation.ts'
import { assertNoQuery, skip, takePath } from '../operation/path.ts'
import { writeProblems } from '../operation/refusals.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { type Body, filledBody, filledValues, fromClient, namesIn, orDropped, receiving } from './body.ts'
import { bodyShape, operationOn, writtenSuccess } from './describe.ts'
import { assertReachable } from './key.ts'
import { createdReply, JSON_TYPE, type Written } from './record.ts'
import type { Resource } from './resource.ts'
import { beforeCreate, performWrite } from './write.ts'

/** `POST /products/` */
export const create = (resource: Resource): Operation => {
  const { model, around, bodies } = resource
  const body = bodyShape(resource, 'create')
  const receive = receiving(resource, 'create')
  const read = function* (sent: unknown, { guard }: ScopedCall): Steps<Body> {
    // A schema of the application's own decides itself which fields there are.
    const filled = bodies.isCustom.create ? sent : filledBody(model, sent, guard)
    const values = yield* wait(bodies.create(filled))
    return { values: filledValues(values, guard), sent: namesIn(sent) }
  }
  const store = function* (given: Body, visit: ScopedCall): Steps<Written> {
    const values = yield* beforeCreate(resource, visit, given)
    assertReachable(model, values)
    return yield* performWrite(resource, visit, {
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
      find: skip,
      validate: (bytes, visit) => read(readJson(bytes), visit),
      receive: (source, call, visit) => receive(source, call, (body) => read(body, visit)),
      act: (_asked, body, visit) => orDropped(body.uploads, store(body, visit)),
      reply: (written, call) => createdReply(resource, written, call),
    }),
  })
}
