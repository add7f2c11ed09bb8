import type { Awaitable } from '../model/objects.ts'
import type { AnyRow, HookRequest, InsertOf, ModelName, RecordOf } from '../model/types.ts'
import type { InputOf, OutputOf, StandardSchema } from '../schema/custom/standard-schema.ts'
import type { Action, ActionDescription, ActionTarget, HookContext, Permission } from './controller.ts'

type Schema = StandardSchema | undefined

/** The output of a schema, which `run` receives as its input. Without a schema, the body is empty. */
export type ActionInput<Input> = Input extends StandardSchema ? OutputOf<Input> : undefined

/** What `run` may return: what `output` accepts, else values to store, else nothing. */
type ActionResult<Name extends ModelName, On, Output> = Output extends StandardSchema
  ? Awaitable<InputOf<Output>>
  : On extends 'record'
    ? Awaitable<Partial<InsertOf<Name>> | undefined> | Awaitable<void>
    : Awaitable<void>

/** No value has this type. While TypeScript infers `Output`, it keeps literals from being widened. */
interface Literals extends AnyRow {
  readonly '': never
}

/** The argument of {@link action}. */
export interface ActionOptions<
  Name extends ModelName = ModelName,
  On extends ActionTarget = ActionTarget,
  Input extends Schema = Schema,
  Output extends Schema = Schema,
  Request = HookRequest,
> extends ActionDescription {
  /** `'record'`: `POST /tickets/{id}/close`. `'collection'`: `POST /tickets/close`. */
  readonly on: On
  /** Validates the JSON body. Without it, the body must be empty or `{}`. */
  readonly input?: Input
  /** Validates what `run` returns, which then is the response and is not stored. */
  readonly output?: Output
  /** The callers who may run it. @default the permission `update` for a record, `create` for a collection */
  readonly permission?: Permission<Name, Request>
  /**
   * Runs in a transaction whose handle is `context.db`. The record is locked, and `record` is a copy of it; on a collection it
   * is `undefined`. It may run again after a conflict with other transactions.
   */
  run(
    request: Request,
    record: On extends 'record' ? RecordOf<Name> : undefined,
    input: ActionInput<Input>,
    context: HookContext,
  ): ActionResult<Name, On, Output> | Literals
}

/** The actions of a model by their names. The type of `static actions` in a class. */
export type Actions<Name extends ModelName = ModelName, Request = HookRequest> = {
  readonly [name: string]: Action<Name, Request>
}

/**
 * Creates an action: an endpoint for a change that is more than an update, such as closing a ticket.
 *
 * @example
 * ```ts
 * import { action, controllerFor, HttpError } from 'modelrest'
 * import { z } from 'zod'
 *
 * export const TicketController = controllerFor('Ticket', {
 *   actions: {
 *     close: action({
 *       on: 'record',
 *       input: z.object({ reason: z.string().min(1) }),
 *       run(_request, ticket, { reason }) {
 *         if (ticket['status'] === 'closed') throw new HttpError(403, 'The ticket is closed already.')
 *         return { status: 'closed', reason }
 *       },
 *     }),
 *   },
 * })
 * ```
 */
export const action = <
  Name extends ModelName,
  On extends ActionTarget,
  Input extends Schema = undefined,
  Output extends Schema = undefined,
  Request = HookRequest,
>(
  options: ActionOptions<Name, On, Input, Output, Request>,
): Action<Name, Request> => Object.freeze({ ...options }) as never
