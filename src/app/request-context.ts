import { type Auth, callerOf } from '../auth/authenticate.ts'
import type { UserRecord } from '../controller/controller.ts'
import { hookContext } from '../controller/hooks.ts'
import { guardOf, type ScopeContext } from '../controller/scope.ts'
import { StartError, suggest } from '../error/errors.ts'
import type { Awaitable } from '../model/objects.ts'
import type { ConditionIn, NameIn, Registered } from '../model/types.ts'
import type { Call, Caller } from '../operation/call.ts'
import { runNested } from '../operation/steps.ts'
import { unscoped } from '../resource/parts/record.ts'
import { forLog, type ModelSource } from '../source/source.ts'

/** A request to a route of the application, from `rest.context(request)`. */
export interface RequestContext<Types = Registered> {
  /** The caller. Null for anonymous callers, and without the option `auth`. */
  readonly caller: Caller | null
  /** The record of the caller without the password. Null for anonymous callers, and without a user model. */
  user(): Promise<UserRecord | null>
  /**
   * The records of a model that the caller can reach, as a condition for a query of the ORM: with drizzle, an `SQL` for
   * `where`, and with Prisma, an object for `where`. It holds for all records if no scope limits the model. Permissions of the model are not checked.
   *
   * @throws StartError for an unknown model, and if the source cannot express conditions; HttpError and other errors of the scope
   */
  scope(model: NameIn<Types>): Promise<ConditionIn<Types>>
}

/** What a context needs of the application. */
interface ContextParts {
  readonly source: ModelSource
  readonly auth: Auth | undefined
  readonly scopes: Pick<ScopeContext, 'controllers'>
}

export const requestContextOf = async (
  { source, auth, scopes }: ContextParts,
  call: Call,
): Promise<RequestContext<unknown>> => {
  const caller = await callerOf(auth, source, call)
  call.caller = caller ?? undefined
  const { models, conditionOf } = source
  const named = (name: string) => {
    const model = models.find((known) => known.name === name)
    if (model !== undefined) return model
    const names = models.map((known) => known.name)
    throw new StartError(`scope(): unknown model ${name}.${suggest(name, names)}`)
  }
  const scoped = unscoped(call)
  const clean = async <T>(work: () => Awaitable<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      // The application logs this error itself.
      throw forLog(source, error)
    }
  }
  return Object.freeze<RequestContext<unknown>>({
    caller,
    user: () => clean(() => hookContext(source, call).user()),
    scope: async (name) => {
      const model = named(name)
      if (conditionOf === undefined)
        throw new StartError(
          `scope('${name}'): the source of the models does not have conditionOf(), which translates conditions for queries of the application.`,
        )
      const guard = await clean(() =>
        runNested(guardOf({ ...scopes, source, modelOf: named }, model, scoped)),
      )
      return conditionOf.call(source, model, guard)
    },
  })
}
