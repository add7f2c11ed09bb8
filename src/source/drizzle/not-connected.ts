/** There was no connection, so that nothing was asked. Its cause says why. */
export class NotConnected extends Error {
  constructor(cause: unknown) {
    super('There is no connection to the database.', { cause })
  }
}

/** Whether the connection itself could not be made. */
export const isOfConnecting = (error: Error): boolean =>
  error instanceof NotConnected ||
  Reflect.get(error, 'syscall') === 'connect' ||
  // Of all addresses of a host.
  (error instanceof AggregateError && error.errors.some((one) => one instanceof Error && isOfConnecting(one)))
