import { lineAt, type Node, nodesOf, type SourceFile } from './source-files.ts'

/**
 * A name that a client or a table chose may be `constructor` or `toString`, which every object inherits. So `record[name]`
 * is refused, and `name in record`: `ownValue`, a `Map` or `Object.hasOwn` finds what is there and nothing else. What is
 * allowed is a place in a list, a constant, and a key of which a table of ours has every one.
 */
const knownKeys: ReadonlySet<string> = new Set([
  // Places.
  ...['at', 'from', 'index', 'length', 'milliseconds', 'padding', 'place', 'size'],
  // Unions of ours, by the names of their variables and members.
  ...[
    'act',
    'agent',
    'code',
    'columnType',
    'count',
    'dialect',
    'direction',
    'event',
    'form',
    'kind',
    'level',
  ],
  ...['op', 'paging', 'state', 'status', 'tool', 'type', 'upload', 'verb', 'way', 'which'],
])

/** Places that the rule refuses and that are right, with the reason. */
export type Exceptions = Readonly<Record<string, readonly string[]>>

interface Key extends Node {
  readonly name?: string
  readonly object?: Key
  readonly property?: Key
  readonly computed?: boolean
  readonly left?: Key
  readonly right?: Key
  readonly operator?: string
  readonly value?: unknown
}

const isKnown = ({ type, name = '', object, property, computed, right, operator }: Key): boolean => {
  if (type === 'Literal') return true
  // Constants hold symbols and literals.
  if (type === 'Identifier') return knownKeys.has(name) || /^[A-Z][A-Z_]+$/.test(name)
  if (type === 'MemberExpression')
    return computed !== true && property !== undefined && (object?.name === 'Symbol' || isKnown(property))
  // `Symbol.asyncIterator`, and `at + 1`, but not text that is put together.
  return type === 'BinaryExpression' && (operator !== '+' || typeof right?.value === 'number')
}

/** `record[name]` and `name in record`, as `path: text`. */
const isLookup = (node: Key): boolean => {
  if (node.type === 'MemberExpression')
    return node.computed === true && node.property !== undefined && !isKnown(node.property)
  return node.type === 'BinaryExpression' && node.operator === 'in' && node.left !== undefined
    ? !isKnown(node.left)
    : false
}

/** Lookups by a name that may be anybody's, as `path:line text`, but for the exceptions. */
export const looseLookups = (file: SourceFile, exceptions: Exceptions): readonly string[] => {
  const allowed = new Set(Object.values(exceptions).flat())
  return nodesOf(file).flatMap((node) => {
    if (!isLookup(node)) return []
    const text = file.text.slice(node.start, node.end).replaceAll(/\s+/g, ' ')
    return allowed.has(`${file.path} ${text}`)
      ? []
      : [`${file.path}:${lineAt(file.text, node.start)} ${text}`]
  })
}
