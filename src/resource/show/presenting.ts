import type { Controller, HookContext } from '../../controller/controller.ts'
import { hookContext, hookTitle, runHook } from '../../controller/hooks.ts'
import type { ScopedCall } from '../../controller/scope.ts'
import { HttpError } from '../../error/errors.ts'
import type { Model } from '../../model/model.ts'
import { capital } from '../../model/naming.ts'
import { isPromise, ownValue, type Values } from '../../model/objects.ts'
import { type Call, failedIn } from '../../operation/call.ts'
import { isHead } from '../../operation/methods.ts'
import { PromiseRefused, type Steps, wait } from '../../operation/steps.ts'
import type { Row, Session } from '../../source/source.ts'
import type { ModelComputed } from '../parts/declared.ts'
import { chosenComputed, isPresented } from '../parts/record.ts'
import type { CallerAccess, Resource } from '../parts/resource.ts'
import type { Shown } from './replies.ts'

/** What presenting the records of a model needs of it. */
type Presenting = Pick<Resource, 'model' | 'access' | 'bodies'>

/** What a response shows of records. */
export interface Presented {
  /** The records that hooks returned instead of the stored ones. Absent: the stored ones. */
  readonly shown?: readonly object[]
  /** For each of `shown`, the place of its stored record, or -1. */
  readonly places?: readonly number[]
  /** For each stored record, what computed fields add to its JSON. Absent if `shown` has it. */
  readonly computed?: readonly Values[]
}

/**
 * Adds computed fields and runs the hook `present`.
 *
 * @param given what a hook returned instead of the records. @default the stored ones
 * @param fields the fields that the client chose. @default all
 */
export function* presented(
  resource: Presenting,
  rows: readonly Row[],
  { call }: ScopedCall,
  given?: readonly object[],
  fields?: readonly string[],
): Steps<Presented> {
  const { model } = resource
  const { controller, scopes } = resource.access
  const { present } = controller?.hooks ?? {}
  const places = given && placesOf(model, rows, given)
  const isUnseen = present === undefined && isHead(call)
  const wanted = isUnseen || rows.length === 0 ? none : chosenComputed(resource.bodies, fields)
  const computing = { call, session: scopes.source }
  const computed = wanted.length === 0 ? undefined : yield* computedValues(wanted, rows, computing)
  const stored = computed === undefined ? {} : { computed }
  if (present === undefined && given === undefined) return stored
  const placed = places ?? [...rows.keys()]
  const valuesAt = (place = -1): Values | undefined => computed?.[place]
  const merged = (given ?? rows).map((record, at) => ({ ...valuesAt(placed[at]), ...record }))
  const before: Presented = { shown: merged, places: placed }
  const after =
    controller === undefined || merged.length === 0
      ? undefined
      : yield* presentedBy(controller, resource.access, rows, before, call)
  if (after === undefined && given === undefined) return stored
  const { shown = merged, places: found = placed } = after ?? before
  const dropped = resource.bodies.computed.filter((field) => !wanted.includes(field))
  return { shown: dropped.length === 0 ? shown : shown.map(without(dropped)), places: found }
}

/** The same for records with equal keys. */
export const shownKeyText = ({ primaryKey }: Model, record: object): string =>
  JSON.stringify(primaryKey.map((name) => String(ownValue(record as Values, name))))

/**
 * The row that each result of a hook belongs to: by their keys, or by their places if keys are missing and there are as many.
 * -1: none. Rows may have the same key, because a record may belong to several others.
 */
export const placesOf = (model: Model, rows: readonly Row[], shown: readonly object[]): readonly number[] => {
  const places = Map.groupBy(rows.keys(), (at) => shownKeyText(model, rows[at] as Row))
  const used = new Map<string, number>()
  const found = shown.map((record) => {
    const key = shownKeyText(model, record)
    const at = used.get(key) ?? 0
    used.set(key, at + 1)
    const known = places.get(key)
    return known?.[at] ?? known?.at(-1) ?? -1
  })
  const isByPlace = shown.length === rows.length && found.includes(-1)
  return isByPlace ? rows.map((_, at) => at) : found
}

const none: readonly ModelComputed[] = Object.freeze([])

function* presentedBy(
  controller: Controller,
  { model, scopes }: CallerAccess,
  rows: readonly Row[],
  before: Presented,
  call: Call,
): Steps<Presented | undefined> {
  const { shown = [], places = [] } = before
  const copies = shown.map((record) => ({ ...record }))
  const result = yield* runHook(controller, 'present', call, (hook) =>
    hook(call.request, copies as never, hookContext(scopes.source, call)),
  )
  if (result === undefined) return undefined
  // An earlier hook may have changed or removed the keys.
  const rowAt = (place = -1): Row | undefined => rows[place]
  const keyed = shown.map((record, at) => rowAt(places[at]) ?? (record as Row))
  const found = placesOf(model, keyed, result)
  if (found.includes(-1)) {
    const title = hookTitle(controller, 'present')
    throw failedIn(
      call,
      title,
      new Error(`${capital(title)} must return the key of each record, or as many records as it received.`),
    )
  }
  return { shown: result, places: found.map((place) => places[place] ?? -1) }
}

const without =
  (dropped: readonly ModelComputed[]) =>
  (record: object): object =>
    dropped.some(({ name }) => Object.hasOwn(record, name))
      ? Object.fromEntries(
          Object.entries(record).filter(([key]) => dropped.every(({ name }) => name !== key)),
        )
      : record

/** The same for a single record. `shown` is `undefined` if `present` has left it out. */
export function* presentedRecord<Some extends Shown>(
  resource: Presenting,
  given: Some,
  scoped: ScopedCall,
): Steps<Some> {
  if (given.shown === undefined || !isPresented(resource)) return given
  const { record, shown } = given
  const instead = shown === record ? undefined : [shown]
  const { shown: made, computed } = yield* presented(resource, [record], scoped, instead)
  const [members] = computed ?? []
  return { ...given, ...(made && { shown: made[0] }), ...(members && { members }) }
}

/** The same for a record that is already stored: without it, if it cannot be shown. */
export function* presentedWrite<Some extends Shown>(
  resource: Presenting,
  stored: Some,
  scoped: ScopedCall,
): Steps<Some> {
  const shown = yield* ifShown(resource.model, scoped, presentedRecord(resource, stored, scoped))
  return shown ?? { ...stored, shown: undefined }
}

/** What a response shows of a write that is stored. `undefined`: it cannot be shown, as the log says. */
export function* ifShown<T>(model: Model, { call }: ScopedCall, steps: Steps<T>): Steps<T | undefined> {
  try {
    return yield* steps
  } catch (error) {
    const { log, requestId, failure } = call
    if (!(error instanceof HttpError && error.status < 500))
      log.error(
        `The write is stored, but ${failure?.place ?? model.name} failed, so the response has no body, request ${requestId}`,
        error,
      )
    return undefined
  }
}

interface Computing {
  readonly call: Call
  readonly session: Session
}

/** For each record, the values of its computed fields. Each field is loaded once, all of them at the same time. */
function* computedValues(
  fields: readonly ModelComputed[],
  rows: readonly Row[],
  { call, session }: Computing,
): Steps<readonly Values[]> {
  const begun = fields.map((field) => begin(field, rows, hookContext(session, call)))
  const loaded: (readonly unknown[])[] = []
  for (const [at, field] of fields.entries()) {
    try {
      loaded.push(yield* valuesOf(field, rows.length, begun[at] as Begun))
    } catch (error) {
      throw failedIn(call, field.title, error instanceof PromiseRefused ? promised(field, error) : error)
    }
  }
  return rows.map((_, at) => Object.fromEntries(fields.map(({ name }, which) => [name, loaded[which]?.[at]])))
}

/** What a function returned, or what it threw. */
type Begun = { readonly given: unknown } | { readonly error: unknown }

const begin = ({ load }: ModelComputed, rows: readonly Row[], context: HookContext): Begun => {
  try {
    const copies = rows.map((row) => ({ ...row }))
    const given = load(copies, context)
    // The error of another field may end the request before anything waits for this one.
    if (isPromise(given)) given.then(undefined, () => undefined)
    return { given }
  } catch (error) {
    return { error }
  }
}

function* valuesOf({ title, check }: ModelComputed, length: number, begun: Begun): Steps<readonly unknown[]> {
  if ('error' in begun) throw begun.error
  const given = yield* wait(begun.given)
  if (!Array.isArray(given) || given.length !== length)
    throw new Error(
      `${capital(title)} must return an array with one value for each record, in their order: ${length}, not ${Array.isArray(given) ? given.length : 'another type'}.`,
    )
  // Holes of an array count as values.
  const checked = Array.from(given, (value) => check(value))
  return checked.some(isPromise) ? yield* wait(Promise.all(checked)) : checked
}

const promised = ({ title }: ModelComputed, cause: PromiseRefused): Error =>
  new Error(`${capital(title)} returned a promise. ${cause.message}`, { cause })
