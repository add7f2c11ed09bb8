import { expect } from 'vitest'
import { bothAnswers, type PermissionAnswer } from '../../src/controller/answers.ts'
import type { OpenApiDocument } from '../../src/index.ts'
import { ownValue } from '../../src/model/objects.ts'
import type { Answer } from './requests.ts'

/** What `GET /access` says of a model. */
export interface ModelAccess {
  readonly operations: Readonly<Record<string, PermissionAnswer>>
  readonly actions?: Readonly<Record<string, PermissionAnswer>>
  readonly trash?: PermissionAnswer
  readonly fields: Readonly<Record<'read' | 'write', readonly string[]>>
}

/** The member `models` of `GET /access`. */
export type Rights = Readonly<Record<string, ModelAccess>>

/** An answer for each operation of the document that concerns a model, by its id: refused if `GET /access` does not name it. */
export const answersIn = (
  document: OpenApiDocument,
  rights: Rights,
): ReadonlyMap<string, PermissionAnswer> => {
  const { models } = document['x-modelrest'] ?? expect.unreachable('The document has no x-modelrest.')
  const answerTo = (model: string, name: string): PermissionAnswer =>
    ownValue(rights[model]?.operations ?? {}, name) ?? 'refused'
  return new Map(
    Object.entries(models).flatMap(([model, { operations, actions = {}, relations }]) => [
      ...Object.entries(operations).map(([name, id]) => [id, answerTo(model, name)] as const),
      ...Object.entries(actions).map(
        ([name, { operation }]) =>
          [operation, ownValue(rights[model]?.actions ?? {}, name) ?? 'refused'] as const,
      ),
      // The record above must be there for the caller, too.
      ...Object.values(relations).flatMap(({ model: other, list, create }) =>
        (
          [
            [list, 'list'],
            [create, 'create'],
          ] as const
        ).flatMap(([id, name]) =>
          id === undefined ? [] : [[id, bothAnswers(answerTo(model, 'get'), answerTo(other, name))] as const],
        ),
      ),
    ]),
  )
}

/** A permission that fails refuses with 500, and a model of which the caller sees nothing with 404. */
const refusals: readonly number[] = [401, 403, 404, 500]

type Met = Pick<Answer, 'status' | 'text' | 'json'>

/** Whether a permission refused: 404 is no record, and the pointers of a 403 name others that are written with it. */
const isRefused = ({ status, json }: Met): boolean =>
  status !== 404 && refusals.includes(status) && json['errors'] === undefined

/** A write with a filter asks the permission for each record that matches. */
const wroteNone = ({ json }: Met): boolean => json['count'] === 0 || json['dry_run'] === true

/** Asserts that a request met what `GET /access` had said: a record that an allowed request asks for may be missing. */
export const expectAsSaid = (about: string, answer: PermissionAnswer, met: Met): void => {
  const found = [about, answer, met.status, met.text]
  if (answer === 'allowed') expect([...found, isRefused(met)]).toEqual([...found, false])
  if (answer === 'refused' && !wroteNone(met))
    expect(found).toEqual([about, answer, expect.toBeOneOf([...refusals]), met.text])
}

/** The ids of the operations with a method. */
const operationsIn = ({ paths }: OpenApiDocument, method: 'get'): readonly (string | undefined)[] =>
  Object.values(paths).map((item) => item[method]?.operationId)

/** A request of the document, which may be asked of a deleted record. */
interface Attempted {
  readonly id: string
  readonly name: string
  readonly path: string
}

/**
 * Sends requests, and compares each with what `GET /access` says after the last write, because an action may change who the caller is.
 * Returns the ids of the operations, each with its answers and statuses.
 */
export const compareAll = async <A extends Attempted>(
  document: OpenApiDocument,
  attempts: readonly A[],
  rightsNow: () => Promise<Rights>,
  send: (attempt: A) => Promise<Met>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const found = new Map<string, Set<string>>()
  const reading = new Set(operationsIn(document, 'get'))
  let rights = await rightsNow()
  for (const attempt of attempts) {
    const { id, name, path } = attempt
    const answer = answersIn(document, rights).get(id)
    if (answer === undefined) continue
    const met = await send(attempt)
    if (met.status < 300 && !reading.has(id)) rights = await rightsNow()
    // That is wrong for every caller.
    if (met.json['code'] === 'filter_required') continue
    // Who may see deleted records is another question.
    expectAsSaid(`${name} ${path}`, path.includes('deleted=') ? 'depends' : answer, met)
    found.set(id, (found.get(id) ?? new Set()).add(`${answer} ${met.status}`))
  }
  expect([...answersIn(document, rights).keys()].filter((id) => !found.has(id))).toEqual([])
  return found
}
