import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Gate, gateOf, type Queue } from '../../src/host/gate.ts'
import { type PlantedLoop, plantedLoop } from './planted-loop.ts'
import { serveClosedLoop, serveOpenLoop, simulatedPool } from './simulated-server.ts'

let loop: PlantedLoop
beforeEach(() => {
  loop = plantedLoop()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const costs = { served: 1, refused: 0.05 }

/** Requests one after another, of which each takes `cost` milliseconds. Returns the number of refusals. */
const serveInTurns = (gate: Gate, { requests, cost }: { requests: number; cost: number }): number => {
  let refusals = 0
  for (let request = 0; request < requests; request += 1) {
    if (gate.refusal() !== undefined) refusals += 1
    loop.spend(cost)
    loop.endTurn()
  }
  return refusals
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN

describe('at twice the load that the event loop bears', () => {
  it.each([0.3, 1, 5])('p99 of requests of %d ms is below ten times the p99 at half the load', (served) => {
    const p99At = (load: number): number => {
      const gate = gateOf(1000, [])
      const measured = { rate: load / served, milliseconds: 12_000, from: 2000 }
      return percentile(serveOpenLoop(loop, gate, { ...costs, served }, measured).served, 0.99)
    }
    expect(p99At(2) / p99At(0.5)).toBeLessThan(10)
  })

  it('most of the time is for requests that are served', () => {
    const { served } = serveOpenLoop(loop, gateOf(1000, []), costs, { rate: 2, milliseconds: 5000 })
    expect(served.length * costs.served).toBeGreaterThan(0.8 * 5000)
  })

  it('no request waits for much longer than the limit', () => {
    const { served, refused } = serveOpenLoop(loop, gateOf(300, []), costs, { rate: 2, milliseconds: 5000 })
    expect(percentile([...served, ...refused], 0.9999)).toBeLessThan(3 * 300)
  })

  it('and less once it is over, nothing is refused', () => {
    const gate = gateOf(1000, [])
    const overload = serveOpenLoop(loop, gate, costs, { rate: 2, milliseconds: 3000 })
    expect(overload.refused.length).toBeGreaterThan(500)
    const { refused } = serveOpenLoop(loop, gate, costs, { rate: 0.9, milliseconds: 5000, from: 2000 })
    expect(refused).toEqual([])
  })

  it('that returns after a break, requests wait less than when it came', () => {
    const gate = gateOf(1000, [])
    const longest = (rate: number, milliseconds: number): number =>
      percentile(serveOpenLoop(loop, gate, costs, { rate, milliseconds }).served, 1 - 1e-9)
    const first = longest(1.5, 8000)
    longest(0.5, 2000)
    expect(longest(1.5, 8000)).toBeLessThan(first / 3)
  })

  it('and less once it is over, clients that repeat refused requests at once do not keep it up', () => {
    const gate = gateOf(1000, [])
    const ofFive = { ...costs, served: 5 }
    serveOpenLoop(loop, gate, ofFive, { rate: 0.4, milliseconds: 5000 })
    const connections = 32
    expect(serveClosedLoop(loop, gate, ofFive, { connections, turns: 10 })).toBeGreaterThan(0)
    while (loop.now() < 300_000) serveClosedLoop(loop, gate, ofFive, { connections, turns: 100 })
    expect(serveClosedLoop(loop, gate, ofFive, { connections, turns: 100 })).toBe(0)
  })
})

it('if refusals take half the time of requests, some requests are served all the same', () => {
  const { served } = serveOpenLoop(
    loop,
    gateOf(1000, []),
    { served: 1, refused: 0.5 },
    { rate: 4, milliseconds: 5000 },
  )
  expect(served.length).toBeGreaterThan(0.2 * 5000)
})

describe('nothing is refused', () => {
  it('at 90 % of the load that the event loop bears', () => {
    expect(serveOpenLoop(loop, gateOf(1000, []), costs, { rate: 0.9, milliseconds: 10_000 }).refused).toEqual(
      [],
    )
  })

  it.each([0.1, 1])('of 256 connections that send one request after another, each of %d ms', (cost) => {
    expect(
      serveClosedLoop(loop, gateOf(1000, []), { ...costs, served: cost }, { connections: 900, turns: 50 }),
    ).toBe(0)
  })

  it('of few connections with heavy requests', () => {
    expect(
      serveClosedLoop(loop, gateOf(1000, []), { ...costs, served: 250 }, { connections: 4, turns: 20 }),
    ).toBe(0)
  })

  it('after a block of 2 s without other requests', () => {
    const gate = gateOf(1000, [])
    const refusals = [
      { requests: 5, cost: 1 },
      { requests: 1, cost: 2000 },
      { requests: 500, cost: 1 },
    ]
    expect(refusals.map((requests) => serveInTurns(gate, requests))).toEqual([0, 0, 0])
  })

  it('after a block of 2 s at half the load that the event loop bears', () => {
    const gate = gateOf(1000, [])
    serveOpenLoop(loop, gate, costs, { rate: 0.5, milliseconds: 1000 })
    gate.refusal()
    loop.spend(2000)
    for (let waiting = 0; waiting < 1000; waiting += 1) {
      expect(gate.refusal()).toBeUndefined()
      loop.spend(1)
    }
    loop.endTurn()
    expect(serveOpenLoop(loop, gate, costs, { rate: 0.5, milliseconds: 3000 }).refused).toEqual([])
  })
})

/** Requests without an end of the turn, of which each takes a millisecond. Returns the number of refusals. */
const serveInOneTurn = (gate: Gate, requests: number): number => {
  let refusals = 0
  for (let request = 0; request < requests; request += 1) {
    if (gate.refusal() !== undefined) refusals += 1
    loop.spend(1)
  }
  return refusals
}

it('notices an overload while requests that keep arriving delay all timers', () => {
  const gate = gateOf(1000, [])
  for (let batch = 0; batch < 2; batch += 1) {
    expect(serveInOneTurn(gate, 1024)).toBe(0)
    loop.deliver()
  }
  expect(serveInOneTurn(gate, 1024)).toBeGreaterThan(500)
})

it('refuses nothing of a program that sends requests without a turn of the loop, such as a test', () => {
  const gate = gateOf(1000, [])
  expect(serveInOneTurn(gate, 10_000)).toBe(0)
  loop.endTurn()
  expect(serveInOneTurn(gate, 1)).toBe(0)
})

it('has no timer while no request arrives', () => {
  const gate = gateOf(1000, [])
  gate.refusal()
  expect(loop.timers()).toBe(1)
  loop.idle(10)
  loop.idle(100)
  expect(loop.timers()).toBe(0)
})

describe('a queue', () => {
  /** A request every millisecond. Returns the names of the queues that refused some. */
  const serveSlowly = (gate: Gate, milliseconds: number): readonly (string | undefined)[] => {
    const refusals: (string | undefined)[] = []
    for (let passed = 0; passed < milliseconds; passed += 1) {
      refusals.push(gate.refusal())
      loop.idle(1)
    }
    return refusals
  }
  /** One statement leaves it per millisecond, after it has waited for the given time. */
  const queueThat = (waited: () => number, passed: () => number = loop.now): Queue => ({
    name: 'connections',
    waited,
    passed,
  })

  it('that stays long refuses all requests, and admits all when it is empty', () => {
    let waited = 1100
    const gate = gateOf(1000, [queueThat(() => waited)])
    expect(serveSlowly(gate, 1000).at(-1)).toBe('connections')
    waited = 0
    expect(new Set(serveSlowly(gate, 1000))).toEqual(new Set([undefined]))
  })

  it('is still overloaded after a short break', () => {
    let waited = 1100
    const gate = gateOf(1000, [queueThat(() => waited)])
    expect(serveSlowly(gate, 1000).at(-1)).toBe('connections')
    waited = 0
    loop.idle(30)
    waited = 50
    expect(gate.refusal()).toBe('connections')
    waited = 0
    loop.idle(3000)
    waited = 50
    expect(gate.refusal()).toBeUndefined()
  })

  it('that no statement leaves refuses nothing until its wait is longer than the limit', () => {
    const begun = loop.now()
    const gate = gateOf(1000, [
      queueThat(
        () => loop.now() - begun,
        () => 0,
      ),
    ])
    expect(new Set(serveSlowly(gate, 950))).toEqual(new Set([undefined]))
    expect(serveSlowly(gate, 200).at(-1)).toBe('connections')
  })

  it('whose wait is falling refuses nothing', () => {
    const begun = loop.now()
    const gate = gateOf(1000, [queueThat(() => Math.max(0, 900 - (loop.now() - begun)))])
    expect(new Set(serveSlowly(gate, 1000))).toEqual(new Set([undefined]))
  })

  it.each([256, 800])(
    'that stalls for less than the limit refuses nothing of %d connections',
    (connections) => {
      const pool = simulatedPool(loop, 0.1)
      const gate = gateOf(1000, [pool.queue])
      for (let connection = 0; connection < connections; connection += 1) pool.send(gate)
      expect(pool.serve(gate, 1000)).toBe(0)
      loop.idle(600)
      expect(pool.serve(gate, 1000)).toBe(0)
    },
  )

  it('of more than a thousand requests refuses some, though each waits for less than the limit', () => {
    const pool = simulatedPool(loop, 0.1)
    const gate = gateOf(1000, [pool.queue])
    for (let connection = 0; connection < 2000; connection += 1) pool.send(gate)
    expect(pool.serve(gate, 1000)).toBeGreaterThan(0)
  })

  it('that hangs is watched even if no request arrives', () => {
    const begun = loop.now()
    const gate = gateOf(1000, [
      queueThat(
        () => loop.now() - begun,
        () => 0,
      ),
    ])
    gate.refusal()
    loop.idle(5000)
    expect(gate.refusal()).toBe('connections')
  })
})
