import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The files below a folder, as paths in it with `/` between their names. Links are files. */
export const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name)).map((file) => `${entry.name}/${file}`)
      : [entry.name],
  )
