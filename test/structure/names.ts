import { parse, type SourceFile } from './source-files.ts'

/** Folders in which these names mean the same: who knows one of the files knows the others. */
export interface Role {
  readonly folders: readonly string[]
  readonly names: readonly string[]
}

interface Declared {
  readonly name: string
  readonly isExported: boolean
  readonly isType: boolean
}

const declaredIn = (file: SourceFile): readonly Declared[] =>
  parse(file).program.body.flatMap((statement): readonly Declared[] => {
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declaration = isExported ? statement.declaration : statement
    if (declaration?.type === 'VariableDeclaration')
      return declaration.declarations.flatMap(({ id }) =>
        id.type === 'Identifier' ? [{ name: id.name, isExported, isType: false }] : [],
      )
    if (declaration === null || !('id' in declaration) || declaration.id?.type !== 'Identifier') return []
    return [{ name: declaration.id.name, isExported, isType: declaration.type.startsWith('TS') }]
  })

/**
 * The names with several meanings, and how many: those that several files export, and those that one exports and another one
 * has for a type of its own.
 */
export const ambiguousNames = (
  sources: readonly SourceFile[],
  roles: readonly Role[],
): Readonly<Record<string, number>> => {
  const meanings = new Map<string, Set<string>>()
  const exported = new Set<string>()
  for (const file of sources)
    for (const { name, isExported, isType } of declaredIn(file)) {
      if (isExported) exported.add(name)
      else if (!isType) continue
      const role = roles.find(
        ({ folders, names }) =>
          names.includes(name) && folders.some((folder) => file.path.startsWith(folder)),
      )
      const known = meanings.get(name) ?? new Set()
      meanings.set(name, known.add(role?.folders.join() ?? file.path))
    }
  return Object.fromEntries(
    [...meanings]
      .filter(([name, { size }]) => size > 1 && exported.has(name))
      .map(([name, { size }]) => [name, size]),
  )
}

/** Names of a role that only one of its files has, or none. */
export const unneededRoles = (sources: readonly SourceFile[], roles: readonly Role[]): readonly string[] =>
  roles.flatMap(({ folders, names }) => {
    const inside = sources.filter(({ path }) => folders.some((folder) => path.startsWith(folder)))
    const holders = inside.map((file) => new Set(declaredIn(file).map(({ name }) => name)))
    return names.filter((name) => holders.filter((held) => held.has(name)).length < 2)
  })
