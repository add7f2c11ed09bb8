import type { Controller, DeclaredAction } from '../../controller/controller.ts'
import type { Model } from '../../model/model.ts'
import { capital, plural } from '../../model/naming.ts'
import { type ValueSchema, valueSchemaOf } from '../../schema/custom/value.ts'

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

/** The actions by model name, and the warnings for startup. */
export const modelActionsOf = async (
  controllers: ReadonlyMap<string, Controller>,
  models: readonly Model[],
  mayWait: boolean,
): Promise<{
  readonly actions: ReadonlyMap<string, readonly ModelAction[]>
  readonly notes: readonly string[]
}> => {
  const actions = new Map<string, readonly ModelAction[]>()
  const notes: string[] = []
  for (const model of models) {
    const controller = controllers.get(model.name)
    const read = (controller?.actions ?? []).map((declared) =>
      withSchemas(declared, model, controller?.place ?? '', mayWait),
    )
    const found = await Promise.all(read)
    actions.set(model.name, found)
    for (const { input, output } of found)
      for (const schema of [input, output]) if (schema?.note !== undefined) notes.push(schema.note)
  }
  return { actions, notes }
}

const withSchemas = async (
  { input, output, ...declared }: DeclaredAction,
  model: Model,
  place: string,
  mayWait: boolean,
): Promise<ModelAction> => {
  const { name, on } = declared
  const id = name + (on === 'record' ? model.name : plural(model.name))
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
