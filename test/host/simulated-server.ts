import type { Gate, Queue } from '../../src/host/gate.ts'
import type { PlantedLoop } from './planted-loop.ts'

/** Milliseconds of work for each request, and for each refusal. */
interface Costs {
  readonly served: number
  readonly refused: number
}

interface Load {
  /** Requests per millisecond. They come at random times, whatever the responses. */
  readonly rate: number
  readonly milliseconds: number
  /** Only requests that arrive later are measured. */
  readonly from?: number
}

interface Outcome {
  /** Milliseconds from the arrival of each request to its response. */
  readonly served: readonly number[]
  readonly refused: readonly number[]
}

/** The same numbers between 0 and 1 in each run. */
const numbers = (): (() => number) => {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** A server whose requests take the event loop, one after another, as with a synchronous driver. */
export const serveOpenLoop = (
  loop: PlantedLoop,
  gate: Gate,
  costs: Costs,
  { rate, milliseconds, from = 0 }: Load,
): Outcome => {
  const random = numbers()
  const begun = loop.now()
  const served: number[] = []
  const refused: number[] = []
  const following = (time: number): number => time - Math.log(random()) / rate
  let waiting: number[] = []
  let next = following(begun)
  while (loop.now() < begun + milliseconds) {
    for (; next <= loop.now(); next = following(next)) waiting.push(next)
    const turn = waiting
    waiting = []
    for (const arrived of turn) {
      const isRefused = gate.refusal() !== undefined
      loop.spend(isRefused ? costs.refused : costs.served)
      if (arrived - begun >= from) (isRefused ? refused : served).push(loop.now() - arrived)
    }
    if (turn.length === 0) loop.idle(Math.max(0, next - loop.now()))
    else loop.endTurn()
  }
  return { served, refused }
}

/** Some connections that each send the next request as soon as they have a response, or a refusal. Returns the number of refusals. */
export const serveClosedLoop = (
  loop: PlantedLoop,
  gate: Gate,
  costs: Costs,
  { connections, turns }: { readonly connections: number; readonly turns: number },
): number => {
  let refusals = 0
  for (let turn = 0; turn < turns; turn += 1) {
    for (let connection = 0; connection < connections; connection += 1) {
      const isRefused = gate.refusal() !== undefined
      if (isRefused) refusals += 1
      loop.spend(isRefused ? costs.refused : costs.served)
    }
    loop.endTurn()
  }
  return refusals
}

/** A pool whose connections together take `cost` milliseconds for each statement, one after another. */
export const simulatedPool = (loop: PlantedLoop, cost: number) => {
  const waiting: number[] = []
  let passed = 0
  const queue: Queue = {
    name: 'connections',
    waited: () => loop.now() - (waiting[0] ?? loop.now()),
    passed: () => passed,
  }

  /** Returns whether it is refused. */
  const send = (gate: Gate): boolean => {
    const isRefused = gate.refusal() !== undefined
    if (!isRefused) waiting.push(loop.now())
    return isRefused
  }

  /** Serves, and sends a request for each response. Returns the number of refusals. */
  const serve = (gate: Gate, milliseconds: number): number => {
    let refusals = 0
    for (let time = 0; time < milliseconds; time += 1) {
      loop.idle(1)
      const served = waiting.splice(0, 1 / cost).length
      passed += served
      for (let response = 0; response < served; response += 1) if (send(gate)) refusals += 1
    }
    return refusals
  }
  return { queue, send, serve }
}
