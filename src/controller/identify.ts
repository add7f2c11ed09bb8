import type { Call } from '../operation/call.ts'
import type { Caller } from '../operation/caller.ts'

/** Says who sent a request, to hooks and, where the host has no `user` of its own, on its request object. */
export const identify = (call: Call, caller: Caller | undefined): void => {
  if (caller === undefined) return
  call.caller = caller
  const { request } = call
  if (typeof request !== 'object' || request === null) return
  const own: unknown = Reflect.get(request, 'user')
  if (own === undefined || own === null) Reflect.set(request, 'user', caller)
}
