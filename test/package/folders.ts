import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export type Files = Readonly<Record<string, string>>

/** A new folder, removed by the function beside it. */
export interface Folder {
  readonly path: string
  readonly remove: () => void
}

const folderIn = (parent: string, files: Files): Folder => {
  mkdirSync(parent, { recursive: true })
  const path = mkdtempSync(join(parent, 'modelrest-'))
  writeAll(path, files)
  return { path, remove: () => rmSync(path, { recursive: true, maxRetries: 5 }) }
}

/** Writes files, with the folders that they stand in. */
export const writeAll = (folder: string, files: Files): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** A folder from which nothing of this repository can be seen. */
export const emptyFolder = (files: Files = {}): Folder => folderIn(tmpdir(), files)

/** A folder that sees the packed modelrest, and above it what this repository has installed. */
export const folderWithPackage = (unpacked: string, files: Files = {}): Folder =>
  folderIn(resolve(unpacked, '../..'), {
    'package.json': '{ "private": true, "type": "module" }',
    ...files,
  })

/** A file of the modelrest that a folder sees. */
export const packed = (folder: string, file: string): string =>
  join(dirname(createRequire(join(folder, 'index.js')).resolve('modelrest/package.json')), file)

/** The command of that modelrest. */
export const packedCommand = (folder: string): string => packed(folder, 'dist/cli/main.js')

/** The programs that this repository has installed. */
export const program = (name: string): string => resolve('node_modules/.bin', name)
