import type { DatabaseName } from './databases.ts'
import type { Side } from './dialects.ts'
import type { Spread } from './results.ts'
import { sides } from './sides.ts'

export const names: Readonly<Record<DatabaseName, string>> = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** A table of Markdown, whose first column is text. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [
    `| ${head.join(' | ')} |`,
    `|${head.map((_, place) => (place === 0 ? '---' : '--:')).join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')

export const integer = (value: number): string => Math.round(value).toLocaleString('en')

export const shown = (spread: Spread | undefined, write: (value: number) => string): string =>
  spread === undefined ? '–' : `**${write(spread.median)}**<br>${write(spread.min)}–${write(spread.max)}`

export const titleOf = (side: Side): string => {
  const { title, link } = sides[side]
  return link === undefined ? title : `[${title}](${link})`
}
