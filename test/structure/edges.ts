import { computedImport, importsOf, resolveImport } from './imports.ts'
import { pureBuiltins, type Room } from './rooms.ts'
import type { SourceFile } from './source-files.ts'

/** What package.json says may be imported. */
export interface Packages {
  /** Dependencies and required peers: any room may import them. */
  readonly declared: readonly string[]
  /** Optional peers: adapters alone. */
  readonly optional: readonly string[]
}

type Rooms = Readonly<Record<string, Room>>

/** The room of a file: the longest row that its path starts with. */
export const roomOf = (path: string, rooms: Rooms): string | undefined =>
  Object.keys(rooms)
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0]

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const listed = (names: readonly string[]): string => (names.length > 0 ? names.join(', ') : 'nothing')

const allowedRooms = ({ imports, types = [] }: Room): string =>
  listed([...imports, ...types.map((name) => `types of ${name}`)])

/** The rule that an import of one of our files breaks. */
const brokenByFile = (room: string, target: string, typeOnly: boolean, rooms: Rooms): string | undefined => {
  const row = rooms[room]
  const targetRoom = roomOf(target, rooms)
  if (row === undefined || targetRoom === undefined) return `${target} is in no room of the table`
  if (targetRoom === room || row.imports.includes('*') || row.imports.includes(targetRoom)) return undefined
  if (typeOnly && row.types?.includes(targetRoom)) return undefined
  return `${room} may import ${allowedRooms(row)}`
}

/** The rule that an import of a package breaks. */
const brokenByPackage = (
  room: string,
  specifier: string,
  typeOnly: boolean,
  { rooms, packages }: { rooms: Rooms; packages: Packages },
): string | undefined => {
  const row = rooms[room] ?? { imports: [] }
  if (specifier.startsWith('node:')) {
    const refused = row.pure && !typeOnly && !pureBuiltins.includes(specifier)
    return refused ? `${room} does no input or output and may import ${listed(pureBuiltins)}` : undefined
  }
  if (specifier === computedImport && row.computed) return undefined
  const name = packageOf(specifier)
  if (packages.declared.includes(name)) return undefined
  if (row.peers?.includes(name)) return undefined
  if (typeOnly && row.peerTypes?.includes(name)) return undefined
  if (!packages.optional.includes(name)) return `package.json declares ${listed(packages.declared)}`
  const peers = [...(row.peers ?? []), ...(row.peerTypes ?? []).map((peer) => `types of ${peer}`)]
  return `of the optional peers, ${room} may import ${listed(peers)}`
}

/** Every import that the table forbids: the file, the edge, and what is allowed instead. */
export const forbiddenEdges = (
  files: readonly SourceFile[],
  rooms: Rooms,
  packages: Packages,
): readonly string[] =>
  files.flatMap((file) => {
    const room = roomOf(file.path, rooms)
    if (room === undefined) return [`${file.path} is in no room of the table: give it a row`]
    return importsOf(file).flatMap(({ specifier, typeOnly, line }) => {
      const target = resolveImport(file.path, specifier)
      const broken =
        target === undefined
          ? brokenByPackage(room, specifier, typeOnly, { rooms, packages })
          : brokenByFile(room, target, typeOnly, rooms)
      const how = typeOnly ? 'a type of ' : ''
      return broken ? [`${file.path}:${line} imports ${how}${target ?? specifier}, but ${broken}`] : []
    })
  })

/** Imports of files that are not there. */
export const danglingEdges = (files: readonly SourceFile[]): readonly string[] => {
  const paths = new Set(files.map(({ path }) => path))
  return files.flatMap((file) =>
    importsOf(file).flatMap(({ specifier, line }) => {
      const target = resolveImport(file.path, specifier)
      return target === undefined || paths.has(target)
        ? []
        : [`${file.path}:${line} imports ${target}, which is not there`]
    }),
  )
}
