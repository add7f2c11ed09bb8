import type { Call } from '../operation/call.ts'

/** What is logged of authentication (specification, 6). */
export type AuthEvent = 'login' | 'login_refused' | 'register' | 'refresh' | 'refresh_reused' | 'logout'

/** Says what happened to whom, and from where. */
export type Events = (call: Call, event: AuthEvent, user: unknown) => void

const refusals: ReadonlySet<AuthEvent> = new Set(['login_refused', 'refresh_reused'])

/** Entries of the log: a line, and its parts as fields. Nothing that a client wrote stands in the line. */
export const eventsOf = (logEvents: boolean): Events =>
  logEvents
    ? (call, event, user) => {
        const level = refusals.has(event) ? 'warn' : 'info'
        call.log[level](`auth.${event}`, {
          event: `auth.${event}`,
          user: user ?? null,
          address: call.address ?? null,
        })
      }
    : () => undefined
