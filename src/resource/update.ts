import { isDeepStrictEqual } from 'node:util'
import type { ScopedCall } from '../controller/scope.ts'
import { type Issue, problem } from '../error/errors.ts'
import { kinds } from '../model/kinds/index.ts'
import { type Field, isReadable, isWritable, type Model } from '../model/model.ts'
import { ownValue } from '../model/objects.ts'
import { readJson } from '../operation/body.ts'
import type { Operation } from '../operation/operation.ts'
import { takePath } from '../operation/path.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { staysOnReplace } from '../schema/members.ts'
import { DEFAULT, type Row } from '../source/source.ts'
import { type Body, filledBody, fromClient, namesIn, orDropped, receiving } from './body.ts'
import { bodyShape, operationOn, writtenSuccess } from './describe.ts'
import { withoutUnchangedFiles } from './files.ts'
import { keyParameter } from './key.ts'
import {
  askForKey,
  changeProblems,
  existing,
  findIfAsked,
  findPermitted,
  JSON_TYPE,
  mayRead,
  recordReply,
  type Written,
} from './record.ts'
import type { Resource } from './resource.ts'
import { beforeUpdate, performWrite } from './write.ts'

/** `PATCH /products/{id}`: absent fields stay untouched, and an empty body changes nothing. */
export const update = (resource: Resource): Operation => {
  const { model, around, bodies } = resource
  const body = bodyShape(resource, 'update')
  const receive = receiving(resource, 'update')
  const ask = askForKey(model)
  const find = findPermitted(resource, 'update')
  const read = function* (sent: unknown, visit: ScopedCall, found: Row | undefined): Steps<Body> {
    const changed = yield* withoutUnchangedFiles(resource, sent, () =>
      found === undefined ? find(ask(visit.call), visit) : wait(found),
    )
    return { values: yield* wait(bodies.update(changed)), sent: namesIn(changed) }
  }
  const store = function* (
    key: readonly unknown[],
    given: Body,
    visit: ScopedCall,
    found: Row | undefined,
  ): Steps<Written> {
    const values = yield* beforeUpdate(resource, visit, given, found)
    return yield* performWrite(resource, visit, {
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
      reply: (written) => recordReply(resource, written),
    }),
  })
}

/** What the path of a request has said already. */
const keyIn = (model: Model, row: Row): Row =>
  Object.fromEntries(model.primaryKey.map((name) => [name, ownValue(row, name)]))

/** `PUT /products/{id}`: replaces the record, and never creates one. */
export const replace = (resource: Resource): Operation => {
  const { model, around, bodies } = resource
  const body = bodyShape(resource, 'replace')
  const receive = receiving(resource, 'replace')
  const read = function* (sent: unknown, visit: ScopedCall, found: Row): Steps<Body> {
    const otherFiles = yield* withoutUnchangedFiles(resource, sent, () => wait(found))
    const known = (yield* mayRead(resource, visit, found)) ? found : keyIn(model, found)
    const changed = withoutUnchanged(model, otherFiles, known)
    const filled = bodies.isCustom.replace ? changed : filledBody(model, changed, visit.guard)
    return { values: yield* wait(bodies.replace(filled, found)), sent: namesIn(changed) }
  }
  const store = function* (
    key: readonly unknown[],
    body: Body,
    visit: ScopedCall,
    found: Row,
  ): Steps<Written> {
    const given = yield* beforeUpdate(resource, visit, body, found)
    const values = { ...absentFields(model, given), ...given }
    return yield* performWrite(resource, visit, {
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
      reply: (written) => recordReply(resource, written),
    }),
  })
}

/**
 * A PUT body without the read-only fields that are as they were, so that what GET returned can be sent back.
 *
 * @param known the record as far as the caller may read it: else they could find out its values by trying
 * @throws HttpError 422 `read_only` for each of them that is changed, or not known
 */
const withoutUnchanged = (model: Model, body: unknown, known: Row): unknown => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const fixed = model.fields.filter((field) => isReadable(field) && !isReplaceable(model, field))
  const sent = fixed.filter((field) => Object.hasOwn(body, field.name))
  if (sent.length === 0) return body
  const errors: Issue[] = sent
    .filter((field) => {
      const { name } = field
      return !Object.hasOwn(known, name) || !isSame(field, Reflect.get(body, name), ownValue(known, name))
    })
    .map(({ name }) => ({ pointer: `/${name}`, code: 'read_only', detail: `${name} cannot be changed.` }))
  if (errors.length > 0) throw problem('invalid_body', 'The body changes a read-only field.', { errors })
  return Object.fromEntries(Object.entries(body).filter(([key]) => !sent.some((field) => field.name === key)))
}

/** What a PUT does with writable fields that its body does not name: their default, else null. Some stay as they are. */
const absentFields = (model: Model, values: Row): Row =>
  Object.fromEntries(
    model.fields
      .filter(
        (field) =>
          isReplaceable(model, field) && !staysOnReplace(field) && !Object.hasOwn(values, field.name),
      )
      .filter((field) => field.hasDefault || field.nullable)
      .map((field) => [field.name, field.hasDefault ? DEFAULT : null]),
  )

const isReplaceable = (model: Model, field: Field): boolean =>
  isWritable(field) && !model.primaryKey.includes(field.name)

const isSame = (field: Field, sent: unknown, stored: unknown): boolean => {
  if (sent === null || stored === null) return sent === stored
  const row = kinds[field.kind]
  const reading = row.read(sent, field)
  return reading.ok && isDeepStrictEqual(row.write(reading.value, field), row.write(stored, field))
}
