import type { Visit } from '../controller/visit.ts'
import { readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { takePath } from '../operation/path.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Row } from '../source/source.ts'
import { beforeUpdate } from './before.ts'
import { type Body, fromClient, namesIn } from './body.ts'
import { bodyShape, operationOn, writtenSuccess } from './describe.ts'
import { orDropped, receiving } from './form.ts'
import { keyParameter } from './key.ts'
import { askForKey, changeProblems, existing, findIfAsked, findPermitted } from './on-record.ts'
import { JSON_TYPE, record } from './replies.ts'
import type { Resource } from './resource.ts'
import { withoutUnchangedFiles } from './unchanged-files.ts'
import type { Written } from './write.ts'
import { writing } from './writing.ts'

/** `PATCH /products/{id}`: absent fields stay untouched, and an empty body changes nothing. */
export const update = (resource: Resource): Operation => {
  const { model, around, bodies } = resource
  const body = bodyShape(resource, 'update')
  const receive = receiving(resource, 'update')
  const ask = askForKey(model)
  const find = findPermitted(resource, 'update')
  const read = function* (sent: unknown, visit: Visit, found: Row | undefined): Steps<Body> {
    const changed = yield* withoutUnchangedFiles(resource, sent, () =>
      found === undefined ? find(ask(visit.call), visit) : wait(found),
    )
    return { values: yield* wait(bodies.update(changed)), sent: namesIn(changed) }
  }
  const store = function* (
    key: readonly unknown[],
    given: Body,
    visit: Visit,
    found: Row | undefined,
  ): Steps<Written> {
    const values = yield* beforeUpdate(resource, visit, given, found)
    return yield* writing(resource, visit, {
      ...{ event: 'update', values, key, seen: found, uploads: given.uploads },
      sent: fromClient(given, bodies.isCustom.update),
      act: (records) => existing(model, records.update(key, values, visit.guard)),
    })
  }
  return operationOn(resource, {
    verb: 'update',
    method: 'PATCH',
    path: 'record',
    parameters: [keyParameter(model)],
    body,
    ...writtenSuccess(resource, 'update'),
    problems: changeProblems,
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask,
      enter: around.enter('update'),
      find: findIfAsked(resource, 'update'),
      validate: (bytes, visit, found) => read(bytes.length === 0 ? {} : readJson(bytes), visit, found),
      receive: (source, call, visit, found) => receive(source, call, (body) => read(body, visit, found)),
      act: (key, body, visit, found) => orDropped(body.uploads, store(key, body, visit, found)),
      reply: (written) => record(resource, written),
    }),
  })
}
