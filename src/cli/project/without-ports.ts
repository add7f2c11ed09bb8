import { Server } from 'node:net'

/** Milliseconds that a module has to end after it asked for a port: it does not wait for that then. */
const grace = 1000

/** Lets nothing of this process listen. What asks for it waits for ever: `awaited` comes where a module does. */
export const withoutPorts = (): { readonly awaited: Promise<undefined> } => {
  const { promise: awaited, resolve } = Promise.withResolvers<undefined>()
  Server.prototype.listen = function (this: Server) {
    setTimeout(() => resolve(undefined), grace)
    return this
  }
  return { awaited }
}
