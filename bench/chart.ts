import type { DatabaseName } from './databases.ts'
import { type Kind, kinds, type Side } from './dialects.ts'
import { cell, type Results } from './results.ts'
import { sides } from './sides.ts'

const WIDTH = 920
const MARGIN = 12
const LABEL = 96
const BAR = 11
const GAP = 3
const HEAD = 34
const KIND = 22
const panels: readonly (readonly [DatabaseName, string])[] = [
  ['sqlite', 'SQLite'],
  ['postgres', 'PostgreSQL'],
]
const PANEL = (WIDTH - MARGIN) / panels.length - MARGIN
/** Beyond this part of the hand-written routes a bar is cut, and its number says how long it would be. */
const LIMIT = 1.5

// Colours that can be read on white and on black.
const style = `text { font: 11px system-ui, sans-serif; fill: #768390; }
.title { font-weight: 600; font-size: 14px; }
.kind { font-weight: 600; }
.bar { fill: #8b949e; opacity: .55; }
.by-hand { fill: #768390; }
.modelrest { fill: #2f81f7; opacity: 1; }
.full { stroke: #768390; stroke-dasharray: 2 3; opacity: .5; }
@media (prefers-color-scheme: dark) { text { fill: #adbac7; } }`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const text = (x: number, y: number, content: string, of = ''): string =>
  `<text x="${x}" y="${y}"${of}>${escaped(content)}</text>`

const bars = (
  results: Results,
  where: { readonly database: DatabaseName; readonly kind: Kind; readonly x: number; readonly y: number },
  chosen: readonly Side[],
): string => {
  const { database, kind, x, y } = where
  const shown = chosen.filter((side) => sides[side].databases.includes(database))
  const perSecond = (side: Side) => cell(results, { database, side, kind }, 'perSecond')?.median
  const full = perSecond('by-hand')
  if (full === undefined) return ''
  const space = PANEL - LABEL - 110
  const each = shown.map((side, place) => {
    const top = y + place * (BAR + GAP)
    const value = perSecond(side)
    const label = text(x + LABEL - 6, top + BAR - 2, sides[side].title, ' text-anchor="end"')
    if (value === undefined) return label + text(x + LABEL, top + BAR - 2, '–')
    const width = (space * Math.min(value / full, LIMIT)) / LIMIT
    const number = `${Math.round(value).toLocaleString('en')} (${Math.round((100 * value) / full)} %)`
    return `${label}<rect class="bar ${side}" x="${x + LABEL}" y="${top}" width="${width.toFixed(1)}" height="${BAR}" rx="2"/>${text(x + LABEL + width + 6, top + BAR - 2, number)}`
  })
  const line = x + LABEL + space / LIMIT
  const bottom = y + shown.length * (BAR + GAP) - GAP
  return `${each.join('\n')}\n<line class="full" x1="${line}" x2="${line}" y1="${y}" y2="${bottom}"/>`
}

/** The chart of the README: requests per second of each side, relative to the hand-written routes. */
export const chart = (results: Results, shown: readonly Side[]): string => {
  const group = KIND + shown.length * (BAR + GAP) + 10
  const height = HEAD + kinds.length * group + 8
  const parts = panels.flatMap(([database, title], column) => {
    const x = MARGIN + column * (PANEL + MARGIN)
    return [
      text(x, 20, `${title}: requests per second (hand-written = 100 %)`, ' class="title"'),
      ...kinds.map((kind, row) => {
        const y = HEAD + row * group
        return `${text(x, y + 16, kind, ' class="kind"')}\n${bars(results, { database, kind, x, y: y + KIND }, shown)}`
      }),
    ]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Requests per second of modelrest, hand-written routes and other libraries">
<style>${style}</style>
${parts.join('\n')}
</svg>
`
}
