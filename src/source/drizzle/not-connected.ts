/** Some versions of mysql2 hand out a copy of an error, which has the code of the original and no cause. */
export const NOT_CONNECTED = 'MODELREST_NOT_CONNECTED'

/** There was no connection, so that nothing was asked. Its cause says why. */
export class NotConnected extends Error {
  readonly code: string = NOT_CONNECTED

  constructor(cause: unknown) {
    super('There is no connection to the database.', { cause })
  }
}

/** Whether the connection itself could not be made. */
export const isOfConnecting = (error: Error): boolean =>
  error instanceof NotConnected ||
  Reflect.get(error, 'code') === NOT_CONNECTED ||
  Reflect.get(error, 'syscall') === 'connect' ||
  // Of all addresses of a host.
  (error instanceof AggregateError && error.errors.some((one) => one instanceof Error && isOfConnecting(one)))
