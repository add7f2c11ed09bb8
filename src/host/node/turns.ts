import type { IncomingMessage } from 'node:http'
import type { NodeRequest } from './request.ts'
import type { NodeResponse } from './response.ts'

/** The state of a connection. A WeakMap would also work, but costs garbage collection for each entry. */
const TURN: unique symbol = Symbol('modelrest.turn')

/** The response to the latest request, and the number of requests that have not started. */
interface ConnectionTurn {
  readonly last: NodeResponse
  readonly waiting: number
}

type Connection = IncomingMessage['socket'] & { [TURN]?: ConnectionTurn | undefined }

/** Clients that use pipelining send only a few requests ahead. */
const MOST_WAITING = 100

/**
 * Starts a request after the previous response on its connection has been sent. A client can send a thousand requests in
 * one packet. Node would pass on all of them at once: other clients would wait until the last one is served, and all
 * responses would be in memory. Here, requests of other clients run in between. HTTP/2 has streams instead.
 *
 * @param drop is called instead of `begin` if the client disconnects before its turn
 */
export const inTurn = (
  raw: NodeRequest,
  response: NodeResponse,
  begin: () => void,
  drop?: () => void,
): void => {
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
    if (connection === undefined || connection.destroyed) {
      drop?.()
      return
    }
    connection[TURN] = { last, waiting: waiting - 1 }
    begin()
  }
}

/** Resolves when a request may start, or to `false` if the client disconnects before. */
export const turnAfter = (raw: NodeRequest, response: NodeResponse): Promise<boolean> =>
  new Promise((resolve) =>
    inTurn(
      raw,
      response,
      () => resolve(true),
      () => resolve(false),
    ),
  )
