import { join } from 'node:path'
import { type Node, nodesOf, type SourceFile } from '../structure/source-files.ts'
import { type Fault, FORGOTTEN, project } from './faults.ts'

/** A fault with the number by which it is switched on. */
export interface Numbered {
  readonly number: number
  readonly fault: Fault
}

/** What stands behind a switch: an expression, or a statement. */
interface Host {
  readonly node: Node
  readonly number: number
  /** The text of the node with the fault. */
  readonly faulty: string
  /** Both texts can be read once more without a difference to what happens. */
  readonly isPure: boolean
  /** Evaluated once, while the file is loaded. */
  readonly isLoading: boolean
}

const acts = /^(Call|New|Yield|Await|Assignment|Update|TaggedTemplate|Import)Expression$/

const functions: ReadonlySet<string> = new Set([
  ...['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'],
])

const statements: ReadonlySet<string> = new Set([
  ...['ExpressionStatement', 'IfStatement', 'ReturnStatement', 'ThrowStatement', 'BlockStatement'],
  ...['ForOfStatement', 'ForStatement', 'WhileStatement', 'TryStatement', 'ContinueStatement'],
])

const isStatement = ({ type }: Node): boolean => statements.has(type)

const ofTypes = /^TS(?!As|Satisfies|NonNull)/
const expression = /^(?!TS(?!As|Satisfies|NonNull)).*(Expression|Literal|Identifier)$/

/** Children whose place takes no other expression, or gives it another meaning. */
const fixed: Readonly<Record<string, readonly string[]>> = {
  ...{ VariableDeclarator: ['id'], AssignmentExpression: ['left'], AssignmentPattern: ['left'] },
  ...{
    UpdateExpression: ['argument'],
    TaggedTemplateExpression: ['quasi'],
    MethodDefinition: ['key', 'value'],
  },
  ...{ PropertyDefinition: ['key'], CatchClause: ['param'], LabeledStatement: ['label'] },
}

const isFixed = (node: Node, parent: Node): boolean => {
  const { type, computed, method, shorthand, operator, params, id } = Object(parent)
  if (fixed[type]?.some((name) => Object(parent)[name] === node)) return true
  if (ofTypes.test(type) || /^(Import|Export)/.test(type) || type.endsWith('Pattern')) return true
  if (functions.has(type)) return id === node || (params as readonly Node[]).includes(node)
  if (type === 'Property') return shorthand || method || (!computed && Object(parent).key === node)
  // What follows would be called without its object, or be read although the chain ended.
  const { object, callee, property } = Object(parent)
  if (type === 'MemberExpression' && property === node) return !computed
  if (object === node || callee === node) return /^(Member|Call)Expression$/.test(node.type)
  return operator === 'delete'
}

/** Without what a text and its fault have in common at both ends. */
const trimmed = (source: string, { start, end, text }: Fault): Omit<Fault, 'name' | 'key' | 'path'> => {
  let before = 0
  while (before < end - start - 1 && before < text.length && source[start + before] === text[before])
    before += 1
  let after = 0
  const most = Math.min(end - start - 1, text.length) - before
  while (after < most && source[end - 1 - after] === text[text.length - 1 - after]) after += 1
  return { start: start + before, end: end - after, text: text.slice(before, text.length - after) }
}

const inside = (outer: Node, { start, end }: Node): boolean => outer.start <= start && outer.end >= end

/** The smallest part of a file that reads the same with the fault but for the part itself. */
const hostOf = (file: SourceFile, nodes: readonly Node[], { number, fault }: Numbered): Host => {
  const { path, text } = file
  const { start, end, text: instead } = trimmed(text, fault)
  const withFault = text.slice(0, start) + instead + text.slice(end)
  const changed = nodesOf({ path, text: withFault })
  const chain = nodes.filter((node) => node.start <= start && node.end >= end)
  const longer = withFault.length - text.length
  for (const [at, node] of [...chain.entries()].toReversed()) {
    const parent = chain[at - 1]
    if (parent === undefined || isFixed(node, parent)) continue
    const isExpression = expression.test(node.type)
    if (!isExpression && !isStatement(node)) continue
    const begins = chain.some(
      ({ type, start: first }) => type === 'ExpressionStatement' && first === node.start,
    )
    if (isExpression && begins) continue
    const faulty = withFault.slice(node.start, node.end + longer)
    const inFault = { ...node, end: node.end + longer }
    const isSame = changed.some(
      (other) =>
        other.start === inFault.start &&
        other.end === inFault.end &&
        (isExpression ? expression.test(other.type) : isStatement(other)),
    )
    if (!isSame && !(isStatement(node) && faulty.trim() === '')) continue
    const parts = [
      ...nodes.filter((other) => inside(node, other)),
      ...changed.filter((other) => inside(inFault, other)),
    ]
    const isPure = isExpression && !parts.some(({ type }) => acts.test(type))
    const isLoading = !chain.slice(0, at).some(({ type }) => functions.has(type))
    return { node, number, faulty, isPure, isLoading }
  }
  throw new Error(`${fault.name} stands in no expression and no statement.`)
}

const isOn = ({ number, isPure, faulty }: Host, original: string): string => {
  const both = isPure ? `, () => [(${original}), (${faulty})]` : ''
  return `globalThis.isPlanted?.(${number}${both})`
}

/** A part with its faults, of which one may be switched on. */
const switched = (node: Node, own: readonly Host[], original: string): string => {
  if (!isStatement(node))
    return `(${own.map((host) => `${isOn(host, original)} ? (${host.faulty}) : `).join('')}(${original}))`
  const branches = own.map((host) => `if (${isOn(host, original)}) {${host.faulty}} else `)
  return `{ ${branches.join('')}{${original}} }`
}

const composed = (text: string, start: number, end: number, hosts: readonly Host[]): string => {
  const [first] = hosts.toSorted(
    (one, other) => one.node.start - other.node.start || other.node.end - one.node.end,
  )
  if (first === undefined) return text.slice(start, end)
  const { node } = first
  const own = hosts.filter((host) => host.node === node)
  const within = hosts.filter((host) => host.node !== node && inside(node, host.node))
  const later = hosts.filter((host) => !inside(node, host.node))
  const original = composed(text, node.start, node.end, within)
  return text.slice(start, node.start) + switched(node, own, original) + composed(text, node.end, end, later)
}

/** A source file that holds all of its faults, and does what it did while none is switched on. */
export const withSwitches = (file: SourceFile, faults: readonly Numbered[]) => {
  const nodes = nodesOf(file)
  const hosts = faults.map((fault) => hostOf(file, nodes, fault))
  const forgotten = `import { everything as ${FORGOTTEN} } from '${join(project, 'src/query/ast.ts')}';`
  const needs = faults.some(({ fault }) => fault.text.includes(FORGOTTEN))
  const text = (needs ? forgotten : '') + composed(file.text, 0, file.text.length, hosts)
  // Throws where it does not parse.
  nodesOf({ path: file.path, text })
  return { text, loading: hosts.filter(({ isLoading }) => isLoading).map(({ number }) => number) }
}
