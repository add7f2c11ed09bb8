import type { Condition, FastifyApp, RawRequest, RouteStrategy } from './app.ts'

const name = 'modelrest'

/** The route option that binds a route to a condition. */
export const onlyWhere = (condition: Condition): Readonly<Record<string, Condition>> => ({
  [name]: condition,
})

/**
 * Teaches the router of an application our conditions.
 *
 * A route with a condition never takes a request from a route of the application: neither does the router find two
 * declarations of one path in conflict, whichever comes first, nor does our wildcard hide theirs.
 */
export const addConditions = (app: FastifyApp): void => {
  if (!app.hasConstraintStrategy(name)) app.addConstraintStrategy(strategy())
}

const strategy = (): RouteStrategy => ({
  name,
  storage: () => {
    // Which handlers a condition lets through, a bit for each. The router also asks for what it stored.
    const handlers = new Map<unknown, number>()
    return {
      set: (condition, bits) => {
        handlers.set(condition, Number(bits))
      },
      get: (asked) => {
        if (typeof asked === 'function') return handlers.get(asked)
        let bits = 0
        for (const [condition, bit] of handlers)
          if (typeof condition === 'function' && condition(asked) === true) bits |= bit
        return bits
      },
    }
  },
  deriveConstraint: (request: RawRequest) => request,
})
