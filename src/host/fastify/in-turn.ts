import type { FastifyReply, FastifyRequest, RawRequest } from './app.ts'

/** What a connection is at. A WeakMap would do, but the garbage collector pays for each entry. */
const TURN: unique symbol = Symbol('modelrest.turn')

interface Turn {
  /** The response of the request that came last. */
  readonly last: FastifyReply['raw']
  /** Requests that have not begun. */
  readonly waiting: number
}

type Connection = NonNullable<RawRequest['socket']> & { [TURN]?: Turn | undefined }

/** Clients that send requests ahead of responses send a few of them. */
const MOST_WAITING = 100

/**
 * Begins a request when the response of the one before it on its connection is sent. A client may send a thousand requests
 * in one packet: Node would hand over all of them at once, so that no other client is served until the last one is answered,
 * and every response is held in memory. Between two of them others have their turn. HTTP/2 has streams instead.
 */
export const inTurn = ({ raw }: FastifyRequest, { raw: response }: FastifyReply, begin: () => void): void => {
  const connection: Connection | undefined = raw.socket
  if (connection === undefined || raw.httpVersionMajor > 1) {
    begin()
    return
  }
  const before = connection[TURN]
  if (before === undefined || (before.waiting === 0 && before.last.writableFinished)) {
    connection[TURN] = { last: response, waiting: 0 }
    begin()
    return
  }
  connection[TURN] = { last: response, waiting: before.waiting + 1 }
  if (before.waiting === MOST_WAITING) connection.destroy()
  before.last.once('close', () => setImmediate(go))

  function go(): void {
    const { last = response, waiting = 1 } = connection?.[TURN] ?? {}
    if (connection === undefined || connection.destroyed) return
    connection[TURN] = { last, waiting: waiting - 1 }
    begin()
  }
}
