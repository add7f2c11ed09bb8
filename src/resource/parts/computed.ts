import type { Controller, DeclaredComputed, HookContext } from '../../controller/controller.ts'
import { hookContext } from '../../controller/hooks.ts'
import { capital } from '../../model/naming.ts'
import { isPromise, type Values } from '../../model/objects.ts'
import { type Call, failedIn } from '../../operation/call.ts'
import { PromiseRefused, type Steps, wait } from '../../operation/steps.ts'
import { type ComputedMember, computedMember, withComputed } from '../../schema/custom/computed.ts'
import type { ModelJsonSchemas } from '../../schema/json-schema.ts'
import type { Row, Session } from '../../source/source.ts'

/** A computed field that a resource serves. */
export interface ModelComputed extends ComputedMember, Pick<DeclaredComputed, 'title' | 'load'> {}

/** The computed fields by model name, and the warnings for startup. */
export const computedFieldsOf = async (
  controllers: ReadonlyMap<string, Controller>,
): Promise<{
  readonly computed: ReadonlyMap<string, readonly ModelComputed[]>
  readonly notes: readonly string[]
}> => {
  const computed = new Map<string, readonly ModelComputed[]>()
  const notes: string[] = []
  for (const { model, computed: own = [] } of controllers.values()) {
    const fields: ModelComputed[] = []
    for (const field of own) {
      const { member, note } = await computedMember(model, field)
      fields.push(Object.freeze({ ...member, title: field.title, load: field.load }))
      if (note !== undefined) notes.push(note)
    }
    if (fields.length > 0) computed.set(model, Object.freeze(fields))
  }
  return { computed, notes }
}

/** The schemas of a model with its computed fields, which only responses have. */
export const withComputedFields = (
  schemas: ModelJsonSchemas,
  computed: readonly ModelComputed[],
): ModelJsonSchemas =>
  computed.length === 0
    ? schemas
    : Object.freeze({
        ...schemas,
        list: withComputed(schemas.list, computed, false),
        detail: withComputed(schemas.detail, computed, true),
      })

export const namesOf = (fields: readonly ModelComputed[] = []): readonly string[] =>
  fields.map(({ name }) => name)

interface Computing {
  readonly call: Call
  readonly session: Session
}

/** For each record, the values of its computed fields. Each field is loaded once, all of them at the same time. */
export function* computedValues(
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
