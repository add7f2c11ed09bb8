const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The rows of the first table under a heading, without its head. @throws where there is none. */
export const tableUnder = (page: string, heading: string): readonly (readonly string[])[] => {
  const lines = page.split('\n')
  const start = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'))
  const section = start === -1 ? [] : lines.slice(start + 1)
  const end = section.findIndex((line) => line.startsWith('#'))
  const table = section.slice(0, end === -1 ? undefined : end).filter((line) => line.startsWith('|'))
  if (table.length < 3) throw new Error(`There is no table under "${heading}".`)
  return table.slice(2).map(cellsOf)
}
