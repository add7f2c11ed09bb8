import type { Visit } from '../controller/visit.ts'
import type { Model } from '../model/model.ts'
import { ownValue } from '../model/own-value.ts'
import { readJson } from '../operation/json-body.ts'
import type { Operation } from '../operation/operation.ts'
import { takePath } from '../operation/path.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { Row } from '../source/source.ts'
import { beforeUpdate } from './before.ts'
import { type Body, fromClient, namesIn } from './body.ts'
import { bodyShape, operationOn, writtenSuccess } from './describe.ts'
import { filledBody } from './fill.ts'
import { orDropped, receiving } from './form.ts'
import { keyParameter } from './key.ts'
import { askForKey, changeProblems, existing, findPermitted } from './on-record.ts'
import { mayRead } from './permit.ts'
import { absentFields, withoutUnchanged } from './replacement.ts'
import { JSON_TYPE, record } from './replies.ts'
import type { Resource } from './resource.ts'
import { withoutUnchangedFiles } from './unchanged-files.ts'
import type { Written } from './write.ts'
import { writing } from './writing.ts'

/** What the path of a request has said already. */
const keyIn = (model: Model, row: Row): Row =>
  Object.fromEntries(model.primaryKey.map((name) => [name, ownValue(row, name)]))

/** `PUT /products/{id}`: replaces the record, and never creates one. */
export const replace = (resource: Resource): Operation => {
  const { model, around, bodies } = resource
  const body = bodyShape(resource, 'replace')
  const receive = receiving(resource, 'replace')
  const read = function* (sent: unknown, visit: Visit, found: Row): Steps<Body> {
    const otherFiles = yield* withoutUnchangedFiles(resource, sent, () => wait(found))
    const known = (yield* mayRead(resource, visit, found)) ? found : keyIn(model, found)
    const changed = withoutUnchanged(model, otherFiles, known)
    const filled = bodies.isCustom.replace ? changed : filledBody(model, changed, visit.guard)
    return { values: yield* wait(bodies.replace(filled, found)), sent: namesIn(changed) }
  }
  const store = function* (key: readonly unknown[], body: Body, visit: Visit, found: Row): Steps<Written> {
    const given = yield* beforeUpdate(resource, visit, body, found)
    const values = { ...absentFields(model, given), ...given }
    return yield* writing(resource, visit, {
      ...{ event: 'update', values, key, seen: found, uploads: body.uploads },
      sent: fromClient(body, bodies.isCustom.replace),
      act: (records) => existing(model, records.update(key, values, visit.guard)),
    })
  }
  return operationOn(resource, {
    verb: 'replace',
    method: 'PUT',
    path: 'record',
    parameters: [keyParameter(model)],
    body,
    ...writtenSuccess(resource, 'update'),
    problems: changeProblems,
    run: takePath({
      mediaType: JSON_TYPE,
      body,
      ask: askForKey(model),
      enter: around.enter('replace'),
      find: findPermitted(resource, 'replace'),
      validate: (bytes, visit, found) => read(readJson(bytes), visit, found),
      receive: (source, call, visit, found) => receive(source, call, (body) => read(body, visit, found)),
      act: (key, body, visit, found) => orDropped(body.uploads, store(key, body, visit, found)),
      reply: (written) => record(resource, written),
    }),
  })
}
