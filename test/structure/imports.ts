import { posix } from 'node:path'
import { lineAt, type Node, nodesOf, type SourceFile } from './source-files.ts'

/** One import, export-from, `import()`, `import('…')` type, `import = require` or `declare module`. */
export interface Import {
  readonly specifier: string
  /** Nothing of it is left at run time. */
  readonly typeOnly: boolean
  readonly line: number
}

/** The specifier of an import whose name is known at run time alone. */
export const computedImport = '(computed)'

interface Reference {
  readonly source?: { readonly value?: unknown } | null
  readonly specifiers?: readonly { readonly importKind?: string; readonly exportKind?: string }[]
  readonly importKind?: string
  readonly exportKind?: string
  readonly moduleReference?: { readonly expression?: { readonly value?: unknown } }
  readonly id?: { readonly value?: unknown }
}

const everySpecifierIsType = ({ specifiers = [] }: Reference): boolean =>
  specifiers.length > 0 &&
  specifiers.every(({ importKind, exportKind }) => importKind === 'type' || exportKind === 'type')

/** How each kind of node names a module: what it names, and whether that is a type alone. */
const readers: Readonly<Record<string, (node: Reference) => readonly [unknown, boolean]>> = {
  ImportDeclaration: (node) => [node.source?.value, node.importKind === 'type' || everySpecifierIsType(node)],
  ExportNamedDeclaration: (node) => [
    node.source?.value,
    node.exportKind === 'type' || everySpecifierIsType(node),
  ],
  ExportAllDeclaration: (node) => [node.source?.value, node.exportKind === 'type'],
  ImportExpression: (node) => [node.source?.value ?? computedImport, false],
  TSImportType: (node) => [node.source?.value, true],
  TSImportEqualsDeclaration: (node) => [node.moduleReference?.expression?.value, node.importKind === 'type'],
  TSModuleDeclaration: (node) => [node.id?.value, true],
}

/** Everything that a file imports, type imports included. */
export const importsOf = (file: SourceFile): readonly Import[] =>
  nodesOf(file).flatMap((node: Node) => {
    const [specifier, typeOnly = false] = readers[node.type]?.(node as Reference) ?? []
    return typeof specifier === 'string' ? [{ specifier, typeOnly, line: lineAt(file.text, node.start) }] : []
  })

/** The path of a file that is imported relatively; `undefined` for a package. */
export const resolveImport = (from: string, specifier: string): string | undefined =>
  specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined
