import { LRUCache } from 'lru-cache'
import { fieldLimitsOf } from '../controller/access.ts'
import { type Controller, permissionActs } from '../controller/controller.ts'
import { hookContext, runHook, useResult } from '../controller/hooks.ts'
import { assertCaller, identify, needsCaller } from '../controller/permissions.ts'
import { problem } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import { type FieldLimits, limitsText, narrowedModels } from '../model/narrowed.ts'
import { onceFor } from '../model/objects.ts'
import type { Call } from '../operation/call.ts'
import { servedMethods } from '../operation/methods.ts'
import type { Operation } from '../operation/operation.ts'
import { translateErrors } from '../operation/path.ts'
import type { Steps } from '../operation/steps.ts'
import { type Linked, reachableFrom } from './document/related.ts'
import { operationsOf } from './index.ts'
import { isNarrowed, type Narrowing, type Resource } from './parts/resource.ts'

/** What requests of callers with the same access share. The oldest are created again when they are needed. */
const MOST_NARROWED = 100

interface PerCaller {
  /** The resources of narrowed models. */
  readonly narrowedTo: (models: readonly Model[], narrowing: Narrowing) => Resource['related']
  /** The error for a route that does not exist for the caller. @param methods those that exist */
  readonly absent: (call: Call, methods: readonly string[]) => Error
}

/** A resource as a caller has it, with its operations by their id. */
interface OwnResource {
  readonly resource: Resource
  readonly operations: ReadonlyMap<string, Operation>
}

/** By the name of the model. */
type Own = (model: string) => OwnResource

/** A model whose fields depend on the caller. */
type Deciding = Pick<Resource, 'model' | 'access'>

export interface ForCallers {
  readonly operations: readonly Operation[]
  /** The resource as the caller of a request has it. @param known the limits that the request has found before. @default none */
  readonly ofCaller: (resource: Resource, call: Call, known?: Map<string, FieldLimits>) => Steps<Resource>
}

/**
 * All operations. Those of models whose fields depend on the caller, and of models with relations to them, run on the models as
 * the caller may see them, so a field that is closed to the caller is treated like one that does not exist.
 */
export const operationsPerCaller = (
  resources: readonly Resource[],
  { narrowedTo, absent }: PerCaller,
): ForCallers => {
  const models = resources.map(({ model }) => model)
  const whole = new Map(models.map((model) => [model.name, model]))
  const narrowed = new LRUCache<string, Own>({ max: MOST_NARROWED })
  let ids = 0
  const ownOf = (deciding: readonly Deciding[], limits: Limits): Own => {
    const text = textOf(deciding, limits)
    const known = narrowed.get(text)
    if (known !== undefined) return known
    const none = new Set<string>()
    const closed = new Map(
      deciding.map(({ model }) => {
        const names = model.fields.map(({ name }) => name)
        return [
          model.name,
          new Set(names.filter((name) => limits.get(model.name)?.write.has(name) === false)),
        ]
      }),
    )
    const related = narrowedTo(narrowedModels(models, limits), {
      id: ids++,
      whole,
      closed: (model) => closed.get(model) ?? none,
      *confirm(call) {
        if (textOf(deciding, yield* limitsFor(deciding, call)) !== text)
          throw problem('forbidden', 'Your access has changed since the request began. Send it again.')
      },
    })
    const made = new Map<string, OwnResource>()
    const own: Own = (name) => {
      const known = made.get(name)
      if (known !== undefined) return known
      const resource = related(name)
      if (resource === undefined) throw new Error(`${name} is not served.`)
      const ready = { resource, operations: byId(operationsOf(resource)) }
      made.set(name, ready)
      return ready
    }
    narrowed.set(text, own)
    return own
  }
  const decidingFor = onceFor((resource: Linked): readonly Deciding[] =>
    reachableFrom(resource).filter(({ access }) => isNarrowed(access)),
  )
  const operations = resources.flatMap((resource) => {
    const own = operationsOf(resource)
    const deciding = decidingFor(resource)
    if (deciding.length === 0) return own
    const perCaller = (operation: Operation): Operation['run'] =>
      translateErrors(resource.rules, function* (call) {
        if (resource.access.authenticate !== undefined)
          identify(call, yield* resource.access.authenticate(call))
        // A signature replaces authentication.
        if ((operation.caller === 'required' || operation.caller === 'session') && !isOfFiles(operation))
          assertCaller(call)
        const theirs = ownOf(deciding, yield* limitsFor(deciding, call))(resource.model.name).operations
        const found = theirs.get(operation.id)
        if (found === undefined) throw absent(call, methodsAt(operation.path, theirs))
        return yield* found.run(call)
      })
    const all = byId(own.map((each) => ({ ...each, run: perCaller(each) })))
    return [...all.values()].map((operation) => {
      const { instead } = operation
      if (instead === undefined) return Object.freeze(operation)
      return Object.freeze({ ...operation, instead: Object.freeze(all.get(instead.id) ?? instead) })
    })
  })
  return {
    operations,
    *ofCaller(resource, call, known) {
      const deciding = decidingFor(resource)
      return deciding.length === 0
        ? resource
        : ownOf(deciding, yield* limitsFor(deciding, call, known))(resource.model.name).resource
    },
  }
}

const byId = (operations: readonly Operation[]): ReadonlyMap<string, Operation> =>
  new Map(operations.map((operation) => [operation.id, operation]))

const isOfFiles = ({ tag }: Operation): boolean => tag === undefined

const methodsAt = (path: string, own: OwnResource['operations']): readonly string[] =>
  [...own.values()].filter((other) => other.path === path).flatMap(servedMethods)

type Limits = ReadonlyMap<string, FieldLimits>

function* limitsOf({ model, access }: Deciding, controller: Controller, call: Call): Steps<FieldLimits> {
  const given = yield* runHook(controller, 'access', call, (hook) =>
    hook(call.request, hookContext(access.scopes.source, call)),
  )
  return useResult(controller, 'access', call, () => fieldLimitsOf(given, model))
}

function* limitsFor(
  deciding: readonly Deciding[],
  call: Call,
  known = new Map<string, FieldLimits>(),
): Steps<Limits> {
  const limits = new Map<string, FieldLimits>()
  for (const { model, access } of deciding) {
    const { controller } = access
    // An anonymous caller is refused before anything of the model is shown or written.
    if (call.caller === undefined && permissionActs.every((act) => needsCaller(access, act))) continue
    if (controller === undefined) continue
    const own = known.get(model.name) ?? (yield* limitsOf({ model, access }, controller, call))
    limits.set(model.name, own)
    known.set(model.name, own)
  }
  return limits
}

const textOf = (deciding: readonly Deciding[], limits: Limits): string =>
  deciding
    .map(({ model }) => {
      const own = limits.get(model.name)
      return `${model.name} ${own === undefined ? '' : limitsText(model, own)}`
    })
    .join()
