/** A fenced block of a Markdown page. */
export interface Block {
  readonly language: string
  readonly text: string
  /** The file that its first line names, as `// models.ts`. */
  readonly file: string | undefined
  /** The line of its fence, from 1. */
  readonly line: number
}

/** The fenced blocks of a page, or of one of its sections, in their order. */
export const fencedBlocks = (page: string, heading?: string): readonly Block[] => {
  const lines = page.split('\n')
  const blocks: Block[] = []
  let open: { language: string; line: number; lines: string[] } | undefined
  let section = ''
  lines.forEach((line, index) => {
    const fence = /^```(\S*)\s*$/.exec(line)
    if (open === undefined) {
      section = /^#+ (.*)$/.exec(line)?.[1] ?? section
      if (fence) open = { language: fence[1] ?? '', line: index + 1, lines: [] }
      return
    }
    if (line !== '```') {
      open.lines.push(line)
      return
    }
    const text = open.lines.join('\n')
    const file = /^\/\/ ([\w./-]+\.[mc]?[jt]s)$/m.exec(open.lines[0] ?? '')?.[1]
    if (heading === undefined || section === heading) {
      blocks.push({ language: open.language, text, file, line: open.line })
    }
    open = undefined
  })
  if (open !== undefined) throw new Error(`The block of line ${open.line} is never closed.`)
  return blocks
}
