import fc from 'fast-check'
import type { Model, Operation } from 'modelrest'
import { type Body, forms, noiseBodies, validBodies } from './bodies.ts'
import { type Headers, noiseHeaders, validHeaders } from './heads.ts'
import { existingIds, type Id, noiseIds } from './ids.ts'
import { noiseQueries, type Schemas, validQueries } from './queries.ts'

/** A request as it is generated. Which records it is about is settled when it is sent. */
export interface Request {
  readonly id: Id
  readonly query: string
  readonly headers: Headers
  readonly body: Body
  /** An order, whose customer the request comes from. Without it the shop itself asks. */
  readonly customer?: number | undefined
  /** A record that is made first, so that a DELETE uses up nothing. */
  readonly first?: Readonly<Record<string, unknown>>
}

/** What the generators are made from. */
export interface Subject {
  readonly model: Model
  /** The model of the records that the operation is about. Those below a record are of another model than that record. */
  readonly target: Model
  readonly operation: Operation
  /** The list of the same records. */
  readonly list: Operation
  readonly create: Operation | undefined
  readonly schemas: Schemas
}

const none: fc.Arbitrary<Body> = fc.constant({ none: true })

const bodies = ({
  target: model,
  operation,
}: Subject): { readonly good: fc.Arbitrary<Body>; readonly bad: fc.Arbitrary<Body> } => {
  if (operation.body === undefined) {
    // DELETE ignores a body, and so does GET.
    return {
      good: none,
      bad: fc.oneof(
        none,
        fc.json().map((text) => ({ text })),
      ),
    }
  }
  const valid = validBodies(model, operation)
  const object = valid.map((each): Body => ({ object: each }))
  const copy = valid.map((change): Body => ({ copy: change }))
  const good = operation.method === 'PUT' ? fc.oneof(object, copy) : object
  const bad = noiseBodies(model, operation)
  if (operation.body.form === undefined) return { good, bad }
  return {
    good: fc.oneof(good, forms(model, operation, true)),
    bad: fc.oneof(bad, forms(model, operation, false)),
  }
}

/** Requests to one operation: half of them as it wants them, half of them with something random in one place or more. */
export const requestsTo = (subject: Subject): fc.Arbitrary<Request> => {
  const { model, target, operation, list, create, schemas } = subject
  const isList = operation.parameters.some(({ name }) => name === 'q')
  const goodQuery = validQueries(operation, list, schemas)
  const { good: goodBody, bad: badBody } = bodies(subject)
  const customer = fc.option(fc.nat(), { freq: 2, nil: undefined })
  const usual = { id: existingIds, query: goodQuery, headers: validHeaders, body: goodBody, customer }
  const good: fc.Arbitrary<Request> =
    operation.method === 'DELETE' && create !== undefined
      ? fc.record({ ...usual, first: validBodies(model, create) })
      : fc.record(usual)
  const or = <T>(usual: fc.Arbitrary<T>, noise: fc.Arbitrary<T>): fc.Arbitrary<T> => fc.oneof(usual, noise)
  const bad: fc.Arbitrary<Request> = fc.record({
    id: or(existingIds, noiseIds),
    query: isList
      ? or(goodQuery, noiseQueries(target))
      : fc.oneof({ weight: 3, arbitrary: goodQuery }, noiseQueries(target)),
    headers: or(validHeaders, noiseHeaders(operation.body !== undefined)),
    body: or(goodBody, badBody),
    customer,
  })
  return fc.oneof(good, bad)
}
