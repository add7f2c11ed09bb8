import type { Commits } from '../controller/commits.ts'
import type { Controller } from '../controller/controller.ts'
import { type Reaching, reachOf } from '../controller/reach.ts'
import { openVisit, type Visit } from '../controller/visit.ts'
import type { Model, Relation } from '../model/model.ts'
import type { Call } from '../operation/call.ts'
import { type Steps, wait } from '../operation/steps.ts'
import type { CustomBodies } from '../schema/custom/custom-body.ts'
import type { ModelSource } from '../source/source.ts'

/** What the resources of an application have around them. */
export interface Surroundings {
  readonly source: ModelSource
  readonly controllers: ReadonlyMap<string, Controller>
  readonly commits: Commits
  /** Schemas of the application's own, by the names of their models. */
  readonly bodies: ReadonlyMap<string, CustomBodies>
}

/** What stands around the acts on one model: its controller, and what limits whom it may reach. */
export interface Around extends Surroundings {
  /** Seconds that a transaction may last. */
  readonly transactionTimeout: number
  readonly controller: Controller | undefined
  /** To-one relations to models that have a scope. */
  readonly scopedReferences: readonly Relation[]
  readonly reaching: Reaching
  /** What the caller of a request may reach. */
  readonly enter: (call: Call) => Steps<Visit>
}

export const aroundOf = (model: Model, surroundings: Surroundings, transactionTimeout: number): Around => {
  const { source, controllers } = surroundings
  const reaching: Reaching = { db: source.db, controllers, modelOf: modelIn(source) }
  const isScoped = (name: string): boolean => controllers.get(name)?.hooks.scope !== undefined
  return {
    ...surroundings,
    transactionTimeout,
    controller: controllers.get(model.name),
    scopedReferences: model.relations.filter(
      (relation) => relation.kind === 'to-one' && isScoped(relation.model),
    ),
    reaching,
    enter: isScoped(model.name) ? enterScoped(reaching, model) : (call) => wait(openVisit(call)),
  }
}

const enterScoped = (reaching: Reaching, model: Model): Around['enter'] =>
  function* (call) {
    const visit = openVisit(call)
    return { ...visit, guard: yield* reachOf(reaching, model, visit) }
  }

const modelIn =
  ({ models }: ModelSource) =>
  (name: string): Model => {
    const model = models.find((known) => known.name === name)
    if (model === undefined) throw new Error(`There is no model ${name}.`)
    return model
  }
