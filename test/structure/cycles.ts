import { posix } from 'node:path'
import { importsOf, resolveImport } from './imports.ts'
import type { SourceFile } from './source-files.ts'

type Graph = ReadonlyMap<string, readonly string[]>

/** Who imports whom, type imports included. */
export const graphOf = (files: readonly SourceFile[]): Graph =>
  new Map(
    files.map((file) => [
      file.path,
      importsOf(file).flatMap(({ specifier }) => resolveImport(file.path, specifier) ?? []),
    ]),
  )

/** Whose files import files of which other folders. A folder has only the files directly in it. */
export const foldersOf = (graph: Graph): Graph =>
  new Map(
    [...Map.groupBy(graph, ([file]) => posix.dirname(file))].map(([folder, files]) => {
      const imported = files.flatMap(([, paths]) => paths.map((path) => posix.dirname(path)))
      return [folder, [...new Set(imported)].filter((other) => other !== folder)]
    }),
  )

/** Cycles of imports, each as `a.ts -> b.ts -> a.ts`: one for each import that closes one. */
export const cyclesOf = (graph: Graph): readonly string[] => {
  const done = new Set<string>()
  const trail: string[] = []
  const cycles: string[] = []
  const visit = (file: string): void => {
    const start = trail.indexOf(file)
    if (start !== -1) cycles.push([...trail.slice(start), file].join(' -> '))
    if (start !== -1 || done.has(file)) return
    trail.push(file)
    for (const imported of graph.get(file) ?? []) visit(imported)
    trail.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
  return cycles
}
