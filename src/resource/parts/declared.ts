import type { Controller, DeclaredAction, DeclaredComputed } from '../../controller/controller.ts'
import type { Model } from '../../model/model.ts'
import { capital, plural } from '../../model/naming.ts'
import { type ComputedMember, computedMember, withComputed } from '../../schema/custom/computed.ts'
import { type ValueSchema, valueSchemaOf } from '../../schema/custom/value.ts'
import type { ModelJsonSchemas } from '../../schema/json-schema.ts'

/** A computed field that a resource serves. */
export interface ModelComputed extends ComputedMember, Pick<DeclaredComputed, 'title' | 'load'> {}

/** An action of a model, with its schemas read. */
export interface ModelAction extends Omit<DeclaredAction, 'input' | 'output'> {
  /** The `operationId`: `closeTicket`, `importTickets`. */
  readonly id: string
  /** `the action close of Ticket (controllers/ticket.ts, TicketController)`, for the log */
  readonly title: string
  /** Absent: the body is empty. */
  readonly input?: ValueSchema
  /** Absent: `run` returns values to store, or nothing. */
  readonly output?: ValueSchema
}

/** What controllers declare, by model name. */
export interface Declarations {
  readonly computed: ReadonlyMap<string, readonly ModelComputed[]>
  readonly actions: ReadonlyMap<string, readonly ModelAction[]>
}

/** The computed fields and actions of models, with their schemas read, and the warnings for startup. */
export const declaredOf = async (
  controllers: ReadonlyMap<string, Controller>,
  models: readonly Model[],
  mayWait: boolean,
): Promise<Declarations & { readonly notes: readonly string[] }> => {
  const computed = new Map<string, readonly ModelComputed[]>()
  const actions = new Map<string, readonly ModelAction[]>()
  const notes: (string | undefined)[] = []
  for (const { model, computed: own = [] } of controllers.values()) {
    const fields: ModelComputed[] = []
    for (const field of own) {
      const { member, note } = await computedMember(model, field)
      fields.push(Object.freeze({ ...member, title: field.title, load: field.load }))
      notes.push(note)
    }
    if (fields.length > 0) computed.set(model, Object.freeze(fields))
  }
  for (const model of models) {
    const { actions: own = [], place = '' } = controllers.get(model.name) ?? {}
    const found = await Promise.all(own.map((declared) => withSchemas(declared, model, place, mayWait)))
    actions.set(model.name, found)
    notes.push(...found.flatMap(({ input, output }) => [input?.note, output?.note]))
  }
  return { computed, actions, notes: notes.filter((note) => note !== undefined) }
}

const withSchemas = async (
  { input, output, ...declared }: DeclaredAction,
  model: Model,
  place: string,
  mayWait: boolean,
): Promise<ModelAction> => {
  const { name, on, own } = declared
  const id = own?.id ?? name + (on === 'record' ? model.name : plural(model.name))
  const about = (side: 'input' | 'output') => ({
    ...{ model, side, mayWait },
    name: capital(id) + capital(side),
    place: `${place}: actions.${name}.${side}`,
  })
  return Object.freeze({
    ...declared,
    ...{ id, title: `the action ${name} of ${model.name} (${place})` },
    ...(input && { input: await valueSchemaOf(input, about('input')) }),
    ...(output && { output: await valueSchemaOf(output, about('output')) }),
  })
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
