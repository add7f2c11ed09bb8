import { type Access, accessOf, needsCaller, type Verb, verbs } from '../controller/access.ts'
import { assertCaller, authorise } from '../controller/authorise.ts'
import type { Commits } from '../controller/commits.ts'
import type { Controller } from '../controller/controller.ts'
import { identify } from '../controller/identify.ts'
import { type Reaching, reachOf } from '../controller/reach.ts'
import { openVisit, type Visit } from '../controller/visit.ts'
import type { ProblemCode } from '../error/codes.ts'
import type { Model, Relation } from '../model/model.ts'
import type { Call } from '../operation/call.ts'
import type { Caller } from '../operation/caller.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { CustomBodies } from '../schema/custom/custom-body.ts'
import type { ModelSource } from '../source/source.ts'
import type { Media } from '../upload/media/media.ts'
import type { FileSetup } from './files.ts'

/** What the resources of an application have around them. */
export interface Surroundings {
  readonly source: ModelSource
  readonly controllers: ReadonlyMap<string, Controller>
  readonly commits: Commits
  /** Finds out who sent a request. Absent: nobody asks. */
  readonly authenticate?: (call: Call) => Steps<Caller | undefined>
  /** How that may refuse a request that writes, beside what every operation may answer. @default none */
  readonly writeProblems?: readonly ProblemCode[]
  /** Schemas of the application's own, by the names of their models. */
  readonly bodies: ReadonlyMap<string, CustomBodies>
  /** Absent: no model has files or takes forms. */
  readonly files?: FileSetup
  /** How replies say where files are. Absent: no model has files. */
  readonly media?: Media
}

/** What a transaction may take. */
export interface TransactionBounds {
  /** Seconds that it may last. */
  readonly transactionTimeout: number
  /** How often it is done again where others undid it. */
  readonly databaseRetries: number
}

/** What stands around the acts on one model: its controller, and what limits whom it may reach. */
export interface Around extends Surroundings, TransactionBounds {
  readonly controller: Controller | undefined
  /** To-one relations to models whose scope binds foreign keys. */
  readonly scopedReferences: readonly Relation[]
  readonly reaching: Reaching
  readonly access: Access
  /** Lets a request pass that may do this, and says what its caller may reach. */
  readonly enter: (verb: Verb) => (call: Call) => Steps<Visit>
}

export const aroundOf = (model: Model, surroundings: Surroundings, bounds: TransactionBounds): Around => {
  const { source, controllers, authenticate } = surroundings
  const { db } = source
  const reaching: Reaching = { db, controllers, modelOf: modelIn(source) }
  const isScoped = (name: string): boolean => controllers.get(name)?.hooks.scope !== undefined
  const bindsReferences = (name: string): boolean =>
    isScoped(name) && controllers.get(name)?.bindsReferences !== false
  const controller = controllers.get(model.name)
  const access = accessOf(model, controller, authenticate !== undefined)
  return {
    ...surroundings,
    ...bounds,
    controller,
    scopedReferences: model.relations.filter(
      (relation) => relation.kind === 'to-one' && bindsReferences(relation.model),
    ),
    reaching,
    access,
    enter: (verb) => {
      const { act, onRecord } = verbs[verb]
      const permission = access[act]
      const isForKnown = needsCaller({ access, controller }, act)
      const waitsForRecord = onRecord && typeof permission === 'function'
      if (authenticate === undefined && permission === 'public' && !isScoped(model.name))
        return (call) => wait(openVisit(call))
      const isLimited = isScoped(model.name)
      return function* (call) {
        if (authenticate !== undefined) identify(call, yield* authenticate(call))
        if (isForKnown) assertCaller(call)
        else if (typeof permission === 'function' && !waitsForRecord)
          yield* authorise(permission, { call, db })
        const visit = openVisit(call)
        if (isLimited) visit.guard = yield* reachOf(reaching, model, visit)
        return visit
      }
    },
  }
}

const modelIn =
  ({ models }: ModelSource) =>
  (name: string): Model => {
    const model = models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`There is no model ${name}.`)
    return model
  }
