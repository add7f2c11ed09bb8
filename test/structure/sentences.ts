import { problemCodes } from '../../src/error/codes.ts'
import { lineAt, type Node, nodesOf, type SourceFile } from './source-files.ts'

/** A text that people read, with `{}` in the place of each value. */
export interface Sentence {
  readonly room: string
  /** The code of the problem, `start` for a mistake that is found at start, or nothing. */
  readonly kind: string
  readonly text: string
}

export interface Literal extends Node {
  readonly value?: unknown
  readonly regex?: { readonly pattern: string }
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[]
}

/** A function of one test, or of each of many. */
interface TestBody extends Node {
  readonly params?: readonly (Node & { readonly name?: string })[]
}

interface Call extends Node {
  readonly callee: Node & { readonly name?: string; readonly object?: Node; readonly tag?: Node }
  readonly arguments: readonly Literal[]
}

const isCall = (node: Node): node is Call => node.type === 'CallExpression' || node.type === 'NewExpression'

/** The text of a literal, `{}` in the place of each value. */
export const textOf = ({ type, value, regex, quasis }: Literal): string | undefined => {
  if (type === 'TemplateLiteral') return quasis?.map((quasi) => quasi.value.cooked).join('{}')
  if (type !== 'Literal') return undefined
  if (regex !== undefined) return regex.pattern.replaceAll(/\\[nsdwbt]/g, ' ').replaceAll('\\', '')
  return typeof value === 'string' ? value : undefined
}

const sql =
  /\b(select|update \{\}|delete from|explain|case when|create table|json_table|convert|asc|desc|collate)\b|with(out)? time zone$|is (not )?(null|true)$|constraint failed|string\.format/i

const functionWord =
  /\b(an?|the|is|are|has|no|not|of|to|it|its|for|with|must|cannot|and|or|by|at|in|already|alone|only|use)\b/i

const isProse = (text: string): boolean =>
  /\S\s+\S+\s+\S/.test(text) && functionWord.test(text) && !text.startsWith('\n') && !sql.test(text)

const makers = /^(problem|StartError|HttpError|ValueError|SourceError|FieldError)$/

const kindOf = ({ callee, arguments: [first] }: Call): string => {
  if (callee.name === 'StartError') return 'start'
  const code = first?.value
  return typeof code === 'string' && Object.hasOwn(problemCodes, code) ? code : ''
}

/** What a file says to people: its texts of three words and more. */
export const sentencesOf = (file: SourceFile): readonly Sentence[] => {
  const nodes = nodesOf(file)
  const calls = nodes.filter(isCall).filter(({ callee }) => makers.test(callee.name ?? ''))
  const room = file.path.split('/', 1)[0] ?? ''
  return nodes.flatMap((node) => {
    const { regex } = node as Literal
    const text = textOf(node as Literal)
    if (text === undefined || regex !== undefined || !isProse(text)) return []
    const call = calls.findLast(({ start, end }) => start <= node.start && node.end <= end)
    return [{ room, kind: call === undefined ? '' : kindOf(call), text }]
  })
}

/** A name with hyphens or slashes is one word: `content-disposition`, `drizzle-orm/node-postgres`. */
const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replaceAll('{}', ' § ')
    .split(/[^a-z§'_/-]+/)
    .filter((word) => /[a-z§]/.test(word))

/** How many words in a row make a quotation. */
const QUOTED = 4

/** Code, commands and paths have none of these words. */
const ordinaryWord = new RegExp(
  `${functionWord.source}|\\b(be|each|gives?|may|needs|one|takes|that|there|this|what)\\b`,
)

const runsOf = (text: string): readonly string[] => {
  const words = wordsOf(text)
  return words
    .map((_, index) => words.slice(index, index + QUOTED))
    .filter((run) => run.length === QUOTED && !run.includes('§'))
    .map((run) => run.join(' '))
    .filter((run) => ordinaryWord.test(run))
}

const titled = /^(test|it|describe\w*)$/

const isTitled = ({ callee }: Call): boolean => {
  let called: Call['callee'] | undefined = callee
  while (called !== undefined && called.name === undefined)
    called = (called.object ?? called.tag ?? (called as Node & { callee?: Node }).callee) as typeof called
  return titled.test(called?.name ?? '')
}

interface Row {
  readonly elements?: readonly Node[]
}

interface Rows {
  readonly elements?: readonly Row[]
  /** Of `[…] as const`. */
  readonly expression?: Rows
}

/** Where rows of a test of many have a text for its title only: its function leaves that out, as `_` or `_title`. */
const titlesOfRows = ({ callee, arguments: [, body] }: Call): readonly number[] => {
  const { arguments: [table] = [] } = callee as Partial<Call>
  const given = table as Rows | undefined
  const rows = given?.elements ?? given?.expression?.elements ?? []
  const unused = (body as TestBody | undefined)?.params?.map(({ name }) => name?.startsWith('_')) ?? []
  return rows.flatMap(({ elements = [] }) =>
    elements.flatMap(({ start }, place) => (unused[place] === true ? [start] : [])),
  )
}

const isProperty = (node: Node): node is Node & { readonly key: Node; readonly computed: boolean } =>
  node.type === 'Property'

/** The places of a test that quote a sentence in place of its status, code and names, as `path:line text`. */
export const quotationsOf = (sentences: readonly Sentence[]) => {
  const known = new Set(sentences.flatMap(({ text }) => runsOf(text)))
  return (file: SourceFile): readonly string[] => {
    const nodes = nodesOf(file)
    const titles = new Set(
      nodes
        .filter(isCall)
        .filter(isTitled)
        .flatMap((call) => [call.arguments[0]?.start, ...titlesOfRows(call)]),
    )
    for (const { key, computed } of nodes.filter(isProperty)) if (!computed) titles.add(key.start)
    return nodes.flatMap((node) => {
      const text = titles.has(node.start) ? undefined : textOf(node as Literal)
      if (text === undefined || !runsOf(text).some((run) => known.has(run))) return []
      return [`${file.path}:${lineAt(file.text, node.start)} ${text}`]
    })
  }
}
