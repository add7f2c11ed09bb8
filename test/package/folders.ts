import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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

/** The programs that this repository has installed. */
export const program = (name: string): string => resolve('node_modules/.bin', name)
