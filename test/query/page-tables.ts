/** A table of a Markdown page: the names of its columns, and its rows by them. */
export interface PageTable {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, string>>[]
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) =>
      cell
        .trim()
        .replaceAll('\\|', '|')
        .replace(/^`(.*)`$/, '$1'),
    )

/** All tables of a page. */
export const tablesOf = (page: string): readonly PageTable[] =>
  page
    .split(/\n(?!\|)/)
    .map((block) => block.split('\n').filter((line) => line.startsWith('|')))
    .filter((lines) => lines.length > 2)
    .map(([head = '', , ...lines]) => {
      const columns = cellsOf(head)
      const rows = lines.map((line) => {
        const cells = cellsOf(line)
        return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
      })
      return { columns, rows }
    })
