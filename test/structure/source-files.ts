import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type Program, parseSync } from 'oxc-parser'

/** A TypeScript file: its path below the folder that was read, with forward slashes. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** The files of new projects: they stand below src, and are no part of it. */
const templates = join('src', 'cli', 'templates')

/** Every TypeScript file below a folder, but for templates and what tests write. */
export const readSources = (folder: string): readonly SourceFile[] => {
  if (folder !== 'src') return filesBelow(folder)
  ours = ours ?? filesBelow(folder)
  return ours
}

/** The files of src, which many tests of one process look at: each is read and parsed once. */
let ours: readonly SourceFile[] | undefined

const filesBelow = (folder: string): readonly SourceFile[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[mc]?ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(templates + sep) && !file.split(sep).includes('.tmp'))
    .sort()
    .map((file) => ({
      path: relative(folder, file).split(sep).join('/'),
      text: readFileSync(file, 'utf8'),
    }))

/** A node of the syntax tree, as far as these checks look at it. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Every node of a file, the outer before the inner. @throws where the file does not parse: what is unread is not checked. */
export const nodesOf = (file: SourceFile): readonly Node[] => {
  const known = nodes.get(file)
  if (known !== undefined) return known
  const found: Node[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    if (!isNode(value)) return
    found.push(value)
    for (const child of Object.values(value)) if (typeof child === 'object') visit(child)
  }
  visit(parse(file).program)
  nodes.set(file, found)
  return found
}

const nodes = new WeakMap<SourceFile, readonly Node[]>()

/** The syntax tree of a file, its comments, and what it imports and exports. */
export const parse = (file: SourceFile): Parsed => {
  const known = trees.get(file)
  if (known !== undefined) return known
  const parsed = parsedText(file)
  trees.set(file, parsed)
  return parsed
}

type Parsed = ReturnType<typeof parsedText>

const trees = new WeakMap<SourceFile, Parsed>()

const parsedText = ({ path, text }: SourceFile) => {
  const parsed = parseSync(path, text)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${path} does not parse: ${error.message}`)
  return {
    program: parsed.program as Program,
    comments: parsed.comments,
    imports: parsed.module.staticImports,
    exports: parsed.module.staticExports,
  }
}

/** The line of a place in a text, from 1. */
export const lineAt = (text: string, place: number): number => text.slice(0, place).split('\n').length
