import { resolveImport } from './imports.ts'
import { parse, type SourceFile } from './source-files.ts'

/** The public names of one export path. */
export interface PublicNames {
  readonly values: readonly string[]
  readonly types: readonly string[]
}

type Names = ReadonlyMap<string, { readonly value: boolean; readonly type: boolean }>

const join = (into: Map<string, { value: boolean; type: boolean }>, name: string, isType: boolean): void => {
  const known = into.get(name) ?? { value: false, type: false }
  into.set(name, { value: known.value || !isType, type: known.type || isType })
}

const namesOf = (path: string, files: ReadonlyMap<string, SourceFile>): Names => {
  const file = files.get(path)
  if (file === undefined) throw new Error(`${path} is not there, so its names are not known.`)
  const own = new Map<string, { value: boolean; type: boolean }>()
  const passedOn = new Map<string, { value: boolean; type: boolean }>()
  for (const { exportName, isType, moduleRequest } of parse(file).exports.flatMap(({ entries }) => entries)) {
    const { name } = exportName
    if (name !== null) {
      join(own, name, isType)
      continue
    }
    const from = moduleRequest && resolveImport(path, moduleRequest.value)
    if (!from) continue
    for (const [passed, { value, type }] of namesOf(from, files)) {
      if (value) join(passedOn, passed, isType)
      if (type) join(passedOn, passed, true)
    }
  }
  return new Map([...passedOn, ...own])
}

/** What a file exports, `export *` included. A name of the file itself hides one that it passes on. */
export const publicNames = (path: string, files: readonly SourceFile[]): PublicNames => {
  const names = [...namesOf(path, new Map(files.map((file) => [file.path, file])))].sort(([a], [b]) =>
    a.localeCompare(b, 'en'),
  )
  return {
    values: names.filter(([, { value }]) => value).map(([name]) => name),
    types: names.filter(([, { type }]) => type).map(([name]) => name),
  }
}
