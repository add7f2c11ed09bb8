import { type Measured, median } from './measure.ts'
import { names, table } from './page.ts'
import { kinds } from './sources-requests.ts'
import type { OrmFound } from './sources-run.ts'

const titles: Readonly<Record<string, string>> = {
  ...{ 'mikro-orm': 'MikroORM', prisma: 'Prisma', sequelize: 'Sequelize', typeorm: 'TypeORM' },
}

const ratio = (
  one: readonly Measured[],
  other: readonly Measured[],
  of: 'perSecond' | 'microseconds',
): string =>
  median(one.map((measured, round) => measured[of] / (other[round]?.[of] ?? Number.NaN))).toFixed(2)

const tableOf = (all: readonly OrmFound[], database: OrmFound['database']): string =>
  table(
    ['', ...kinds],
    all
      .filter((found) => found.database === database)
      .map(({ orm, samples }) => [
        titles[orm] ?? orm,
        ...kinds.map((kind) => {
          const { ours = [], 'by-hand': byHand = [] } = samples.get(kind) ?? {}
          return `**${ratio(ours, byHand, 'perSecond')}**<br>${ratio(byHand, ours, 'microseconds')}`
        }),
      ]),
  )

/** The part of docs/benchmarks.md about ORMs. */
export const sourcesSection = (all: readonly OrmFound[]): string => `## Each ORM

modelrest with an ORM, beside routes written by hand with the same ORM on Fastify: requests per second of modelrest as a part of theirs, and below it their CPU time as a part of that of modelrest. Above 1, modelrest is faster.

${[...new Set(all.map(({ database }) => database))]
  .map((database) => `### ORMs on ${names[database]}\n\n${tableOf(all, database)}\n`)
  .join('\n')}`
