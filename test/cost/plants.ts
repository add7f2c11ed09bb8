import type { FastifyInstance } from 'fastify'

/** Something that makes each request slower, to see that the gate finds it. */
export type Plant = (app: FastifyInstance, ask: () => void) => void

/** As often as it takes to cost about a fifth of the time of a request: a list has twenty records, the others one. */
const ROUND_TRIPS = { one: 4, of20: 1 } as const

const roundTrip = (record: unknown, times: number): unknown =>
  times === 0 ? record : roundTrip(JSON.parse(JSON.stringify(record)), times - 1)

interface Page {
  readonly items?: readonly unknown[]
}

const copy = (payload: string): string => {
  const { items, ...rest } = JSON.parse(payload) as Page
  if (items === undefined) return JSON.stringify(roundTrip(rest, ROUND_TRIPS.one))
  return JSON.stringify({ items: items.map((item) => roundTrip(item, ROUND_TRIPS.of20)), ...rest })
}

/** Work that allocates nothing. */
const read = (payload: string): string => {
  let sum = 0
  for (let at = 0; at < payload.length; at += 1) if (payload.charCodeAt(at) === 58) sum += at
  return sum < 0 ? '' : payload
}

export const plants: Readonly<Record<string, Plant>> = {
  'JSON round trips of each record': (app) => {
    app.addHook<string>('onSend', async (_request, _reply, payload) => copy(payload))
  },
  'a walk over each character of the body': (app) => {
    app.addHook<string>('onSend', async (_request, _reply, payload) => read(payload))
  },
  'one more statement': (app, ask) => {
    app.addHook('onRequest', async () => ask())
  },
}
