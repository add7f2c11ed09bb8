// node bench/imports.ts: how long an import takes in a new process, beside that of Fastify.
import { execFileSync } from 'node:child_process'
import { median } from './measure.ts'

const ROUNDS = 15
const entries = ['fastify', 'zod', 'modelrest/fetch', 'modelrest/fastify'] as const

const importing = (entry: string): string =>
  `const start = performance.now(); await import('${entry}'); console.log(performance.now() - start)`

const milliseconds = (entry: string): number =>
  Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', importing(entry)], { encoding: 'utf8' }),
  )

const rounds = Array.from({ length: ROUNDS }, () => entries.map(milliseconds))
const times = entries.map((entry, index) => ({
  entry,
  milliseconds: Math.round(median(rounds.map((round) => round[index] ?? 0))),
  'to Fastify': median(rounds.map((round) => (round[index] ?? 0) / (round[0] ?? 1))).toFixed(2),
}))
console.log(`medians of ${ROUNDS} interleaved rounds, Node ${process.versions.node}`)
console.table(times)
