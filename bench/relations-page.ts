import { median } from './measure.ts'
import { integer, names, shown, table, titleOf } from './page.ts'
import { type Kind, kinds, type OrderSide } from './relations-dialects.ts'
import type { Found } from './relations-run.ts'
import { spreadOf } from './results.ts'

const perSecond = ({ of }: Found, side: OrderSide, kind: Kind): readonly number[] =>
  of(side, kind).map((measured) => measured.perSecond)

/** The median of the ratios within a round. */
const ratio = (found: Found, kind: Kind): string => {
  const byHand = perSecond(found, 'by-hand', kind)
  const ratios = perSecond(found, 'modelrest', kind).map(
    (ours, round) => ours / (byHand[round] ?? Number.NaN),
  )
  return median(ratios).toFixed(2)
}

const tableOf = (found: Found): string =>
  table(
    ['', ...kinds],
    [
      ...found.sides.map((side) => [
        titleOf(side),
        ...kinds.map((kind) => shown(spreadOf(perSecond(found, side, kind)), integer)),
      ]),
      ['modelrest ÷ hand-written', ...kinds.map((kind) => ratio(found, kind))],
    ],
  )

/** The part of docs/benchmarks.md about included records. */
export const relationsSection = (all: readonly Found[]): string => `## Included records

Requests per second for a page of 20 of 100,000 orders, which have a customer each, and five items each among a million; "two levels" includes the products of the items too. More is better.

${all.map((found) => `### Included on ${names[found.database]}\n\n${tableOf(found)}\n`).join('\n')}`
