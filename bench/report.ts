import type { DatabaseName } from './databases.ts'
import { dialects, type Kind, kinds, type Side } from './dialects.ts'
import type { Measured } from './measure.ts'
import { integer, names, shown, table, titleOf } from './page.ts'
import { PAGE, ROWS } from './products.ts'
import { relationsSection } from './relations-page.ts'
import type { Found } from './relations-run.ts'
import { cell, memory, type Results, type Spread } from './results.ts'
import { sides, versionsOf } from './sides.ts'
import { sourcesSection } from './sources-page.ts'
import type { OrmFound } from './sources-run.ts'

/** How a run was made. */
export interface Setup {
  readonly sides: readonly Side[]
  readonly seconds: number
  readonly rounds: number
  readonly connections: number
  readonly canPin: boolean
  readonly versions: Readonly<Partial<Record<DatabaseName, string>>>
}

/** What else a whole run has found. */
export interface More {
  readonly relations: readonly Found[]
  readonly sources: readonly OrmFound[]
}

const all = Object.keys(names) as DatabaseName[]

const megabytes = (bytes: number): string => integer(bytes / 2 ** 20)

const numbers = (results: Results, setup: Setup, database: DatabaseName, number: keyof Measured): string =>
  table(
    ['', ...kinds],
    [
      ...setup.sides
        .filter((side) => sides[side].databases.includes(database))
        .map((side) => [
          titleOf(side),
          ...kinds.map((kind) => shown(cell(results, { database, side, kind }, number), integer)),
        ]),
      [
        'modelrest ÷ hand-written',
        ...kinds.map((kind) => ratio((side) => cell(results, { database, side, kind }, number))),
      ],
    ],
  )

const ratio = (of: (side: Side) => Spread | undefined): string => {
  const [ours, byHand] = [of('modelrest')?.median, of('by-hand')?.median]
  return ours === undefined || byHand === undefined ? '–' : (ours / byHand).toFixed(2)
}

const sections = (results: Results, setup: Setup, database: DatabaseName): string => `## ${names[database]}

Requests per second: the median of ${setup.rounds} rounds, and the lowest and highest round. More is better.

${numbers(results, setup, database, 'perSecond')}

CPU time of the server process for one request, in microseconds. Less is better.

${numbers(results, setup, database, 'microseconds')}
`

const memories = (results: Results, setup: Setup): string =>
  table(
    ['', ...Object.values(names)],
    [
      ...setup.sides.map((side) => [
        titleOf(side),
        ...all.map((database) => shown(memory(results, { database, side }), megabytes)),
      ]),
      [
        'modelrest ÷ hand-written',
        ...all.map((database) => ratio((side) => memory(results, { database, side }))),
      ],
    ],
  )

const requestOf = (side: Side, kind: Kind): string => {
  const load = dialects[side].requests[kind]
  if (load === undefined) return '–'
  const [path = ''] = load.paths
  return `\`${load.method} ${decodeURIComponent(path.replaceAll('+', ' ')).replaceAll('|', '\\|')}\``
}

const requests = (setup: Setup): string =>
  table(
    ['', ...kinds.slice(0, 3)],
    setup.sides.map((side) => [titleOf(side), ...kinds.slice(0, 3).map((kind) => requestOf(side, kind))]),
  ).replaceAll('--:', '---')

const method = ({ seconds, rounds, connections, canPin, versions }: Setup): string => `## Method

- One table of ${integer(ROWS)} products with six columns and an index on category and price. Lists return ${PAGE} records: a page of all products with the count of all, the most expensive in stock of one category, or what follows an id. "get by id" and "update" take 1,000 ids in a scattered order. "update" changes two fields.
- Before each round, the script compares the results of every server with the known contents of the table: the records of each list, the count, single records, what a create and an update have written, and that a wrong body is refused. A different result stops the run. "–" means that a library does not have this kind of request.
- In each of ${rounds} rounds, every server is a new process with a new copy of the database. The servers take turns for each kind of request, in an order that changes with the round. Each measurement lasts ${seconds} s after a warm-up of ${Math.max(1, seconds / 2)} s, with ${connections} connections over HTTP/1.1 on the same machine.
- ${
  canPin
    ? 'The servers run on one core. The load generator and PostgreSQL run on another.'
    : 'The processes were not pinned to cores, because `taskset` is missing.'
} That other core can limit the fastest servers: the CPU time shows their difference.
- \`NODE_ENV\` is \`production\` and logging is off. SQLite uses a write-ahead log with \`synchronous = NORMAL\`. PostgreSQL runs with its default settings, without \`fsync\`, so that writes do not measure the disk. Each server has a pool of at most 10 connections.
- At the same time, the connections ask for different pages, categories and ids. On PostgreSQL, modelrest [shares statements](connections.md#concurrent-reads): one count serves the requests that wait for it, and one statement reads several ids. The others run one statement for each request. Equal lists, which modelrest would share too, are not measured.
- Included records and ORMs are measured in turns of ${seconds} s with 8 and 32 connections, with the same servers in all rounds. Their results are compared before, too.
- The memory is the resident size of the server process after all its load and a garbage collection.

The requests for lists:

${requests({ sides: Object.keys(sides) as Side[], seconds, rounds, connections, canPin, versions })}
`

const about = (setup: Setup): string =>
  table(
    ['', 'Setup', 'Versions'],
    setup.sides.map((side) => [titleOf(side), sides[side].note ?? '', versionsOf(side)]),
  ).replaceAll('--:', '---')

/** docs/benchmarks.md. */
export const report = (results: Results, setup: Setup, { relations, sources }: More): string => `# Benchmarks

This page compares modelrest with hand-written routes and with other libraries that serve REST endpoints for data models. \`npm run bench\` writes it. Measure your own models and queries before you decide: the differences shrink as the database does more of the work.

![Requests per second relative to hand-written routes](pictures/benchmarks.svg)

${all.map((database) => sections(results, setup, database)).join('\n')}
${relationsSection(relations)}
${sourcesSection(sources)}
## Memory after load

Megabytes: the median, the lowest and the highest round.

${memories(results, setup)}

${method(setup)}
## Setup and versions

${about(setup)}

Node ${process.versions.node}, ${Object.values(setup.versions).join(', ')}.

## Run it

In a clone of the repository:

\`\`\`sh
npm run bench:peers
npm run bench
\`\`\`

The first command installs the other libraries into \`bench/peers\`; without it, \`npm run bench\` compares modelrest only with the hand-written routes. \`npm run bench -- --seconds 2 --rounds 1\` is a short run. With \`--on sqlite\`, \`--only get\` or \`--sides modelrest,by-hand\`, it measures a part, prints it and does not write this page.
`
