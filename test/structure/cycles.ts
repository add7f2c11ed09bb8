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

/** Pairs of folders that import each other, as `a <-> b`. */
export const mutualFolders = (folders: Graph): readonly string[] =>
  [...folders]
    .flatMap(([folder, imported]) =>
      imported
        .filter((other) => folder < other && folders.get(other)?.includes(folder))
        .map((other) => pairOf(folder, other)),
    )
    .sort()

/** The same without the imports between some pairs of folders. */
export const withoutPairs = (folders: Graph, pairs: readonly string[]): Graph =>
  new Map(
    [...folders].map(([folder, imported]) => [
      folder,
      imported.filter((other) => !pairs.includes(pairOf(folder, other))),
    ]),
  )

const pairOf = (...folders: readonly [string, string]): string => folders.toSorted().join(' <-> ')

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
