import { canPin, type Measured, median } from './measure.ts'
import { type Kind, kinds, type OrderSide } from './relations-dialects.ts'
import type { Found } from './relations-run.ts'
import { isOwn, sides } from './sides.ts'

/** The median of the ratios within a round. */
const ratio = (a: readonly Measured[], b: readonly Measured[], number: keyof Measured): number =>
  median(a.map((each, round) => each[number] / (b[round]?.[number] ?? 0)))

const rounded = (values: readonly Measured[], number: keyof Measured): number | string =>
  values.length === 0 ? '–' : Math.round(median(values.map((each) => each[number])))

const besideByHand = ({ of }: Found, kind: Kind): object => {
  const [ours, byHand] = [of('modelrest', kind), of('by-hand', kind)]
  return {
    'ours, µs CPU': rounded(ours, 'microseconds'),
    'by hand, µs CPU': rounded(byHand, 'microseconds'),
    'CPU, by hand / ours': ratio(byHand, ours, 'microseconds').toFixed(2),
    'requests/s, ours / by hand': ratio(ours, byHand, 'perSecond').toFixed(2),
    'requests/s, page of 20 / this': ratio(of('modelrest', 'page of 20'), ours, 'perSecond').toFixed(2),
  }
}

const besidePeers = ({ of }: Found, kind: Kind, peers: readonly OrderSide[]): object => {
  const ours = of('modelrest', kind)
  const all = peers.map((peer) => [peer, of(peer, kind)] as const)
  const measured = all.map(([, its]) => its).filter((its) => its.length > 0)
  const least = (ratios: readonly number[]): string =>
    ratios.length === 0 ? '–' : Math.min(...ratios).toFixed(2)
  return {
    'ours, requests/s': rounded(ours, 'perSecond'),
    ...Object.fromEntries(
      all.map(([peer, its]) => [`${sides[peer].title}, requests/s`, rounded(its, 'perSecond')]),
    ),
    'ours / fastest peer': least(measured.map((its) => ratio(ours, its, 'perSecond'))),
    'CPU, least of a peer / ours': least(measured.map((its) => ratio(its, ours, 'microseconds'))),
  }
}

/** Prints what a run has found. */
export const report = (title: string, found: Found): void => {
  const table = (row: (kind: Kind) => object): void =>
    console.table(Object.fromEntries(kinds.map((kind) => [kind, row(kind)])))
  console.log(
    `${title}, ${canPin ? 'server on core 0, load and PostgreSQL on core 1' : 'processes NOT pinned to cores'}`,
  )
  table((kind) => besideByHand(found, kind))
  const peers = found.sides.filter((side) => !isOwn(side))
  if (peers.length > 0) table((kind) => besidePeers(found, kind, peers))
  const times = ratio(found.first, found.deep, 'perSecond').toFixed(2)
  console.log(`Sorted over a to-one, by cursor: page 3001 takes ${times} times as long as the first page.\n`)
}
