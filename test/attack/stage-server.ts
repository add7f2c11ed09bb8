/**
 * The application under attack, in a process of its own with a small heap. Commands come and answers go over IPC, so that
 * what is measured has no HTTP of its own in it.
 */
import { registerHooks } from 'node:module'
import Database from 'better-sqlite3'
import type { Answer, Ask, Start } from './stage.ts'

const root = new URL('../../src/', import.meta.url)

// The example imports the package by its name. It gets the sources, as in the tests of one process.
registerHooks({
  resolve: (specifier, context, next) => {
    const [, entry] = /^modelrest(?:\/(.+))?$/.exec(specifier) ?? []
    if (!/^modelrest(?:\/|$)/.test(specifier)) return next(specifier, context)
    const path = entry === undefined ? 'index.ts' : `entry/${entry.replace('/', '-')}.ts`
    return { url: new URL(path, root).href, shortCircuit: true }
  },
})

const [start] = process.argv.slice(2)
const { application, products, folder } = JSON.parse(start ?? '') as Start
const { open } = (await import(`./stage-${application}.ts`)) as typeof import('./stage-shop.ts')
const { app, operations } = await open({ products, folder })
const base = await app.listen({ port: 0, host: '127.0.0.1' })

const ofThread = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * The longest that the event loop was held, in milliseconds of the CPU: what the thread used between two turns of a timer.
 * Time by the clock would count whatever else this machine does.
 */
let held = 0
let last = ofThread()
setInterval(() => {
  const now = ofThread()
  held = Math.max(held, now - last)
  last = now
}, 1)

/** A fixed piece of work of the kinds that a request makes: how long it takes says how fast the machine is at this moment. */
const work = (): number => {
  const text = JSON.stringify(
    Array.from({ length: 40_000 }, (_, index) => ({ id: index, name: `n${index}` })),
  )
  const before = process.cpuUsage()
  let kept = 0
  for (let round = 0; round < 3; round += 1) {
    const rows = JSON.parse(text) as readonly { readonly id: number; readonly name: string }[]
    kept += rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)).length
  }
  const { user, system } = process.cpuUsage(before)
  return kept === 0 ? 0 : (user + system) / 1000
}

const sqlite = new Database(':memory:')
const scan = sqlite.prepare(
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
   select sum(instr(lower(? || i), 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaz')) from n`,
)

/** The same for what SQLite does with long texts, which some machines are slower at than at JavaScript. */
const scanning = (): number => {
  const text = 'a'.repeat(100_000)
  const before = process.cpuUsage()
  scan.get(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const collected = (): number => {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}

const answers: { readonly [Kind in Ask['kind']]: () => Answer } = {
  begin: () => {
    held = 0
    last = ofThread()
    const { user, system } = process.cpuUsage()
    return { cpu: (user + system) / 1000 }
  },
  end: () => {
    const { user, system } = process.cpuUsage()
    // What runs since the last turn of the timer counts, too.
    return { cpu: (user + system) / 1000, held: Math.max(held, ofThread() - last) }
  },
  work: () => ({ cpu: work(), scan: scanning() }),
  memory: () => ({ bytes: collected() }),
  operations: () => ({ operations }),
}

process.on('message', ({ id, kind }: Ask) => {
  process.send?.({ id, ...answers[kind]() })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ id: 0, base })
