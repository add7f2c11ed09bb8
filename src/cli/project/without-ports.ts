import { Server } from 'node:net'

/** Lets nothing of this process listen. What asks for it waits for ever. */
export const withoutPorts = (): { readonly wanted: Promise<undefined> } => {
  const { promise: wanted, resolve } = Promise.withResolvers<undefined>()
  Server.prototype.listen = function (this: Server) {
    resolve(undefined)
    return this
  }
  return { wanted }
}
