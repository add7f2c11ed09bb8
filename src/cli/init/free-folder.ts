import { accessSync, constants, readdirSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { reasonOf } from '../client/reason-of.ts'
import { Failure } from '../failure.ts'

/** A folder that a project can be written to. */
export interface FreeFolder {
  readonly path: string
  /** It is there already, and empty. */
  readonly exists: boolean
}

/** What a new repository has, and no file of ours is called. */
const harmless = new Set(['.git', '.DS_Store'])

/**
 * Looks, and changes nothing.
 *
 * @throws Failure for a folder that holds something, a file in the way, or a place that cannot be written to
 */
export const freeFolder = (path: string): FreeFolder => {
  const found = look(path)
  if (found === undefined) {
    assertParent(path, dirname(path))
    return { path, exists: false }
  }
  if (!found.isDirectory()) throw new Failure(`${path} is there already, and is no folder.`)
  assertWritable(path)
  const [first, ...more] = readdirSync(path).filter((name) => !harmless.has(name))
  if (first === undefined) return { path, exists: true }
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  throw new Failure(
    `${path} is not empty: it holds ${first}${others}. Choose another name, or empty it. Nothing was written.`,
  )
}

const assertParent = (path: string, parent: string): void => {
  const found = look(parent)
  if (found === undefined) {
    assertParent(path, dirname(parent))
    return
  }
  if (!found.isDirectory())
    throw new Failure(`${path} cannot be made: ${parent} is no folder. Nothing was written.`)
  assertWritable(parent)
}

const look = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // What lies below a file: that file is found on the way up.
    if (Reflect.get(Object(error), 'code') === 'ENOTDIR') return undefined
    throw new Failure(`${path} cannot be made: ${reasonOf(error)}`)
  }
}

const assertWritable = (folder: string): void => {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    throw new Failure(`Nobody may write to ${folder} as this user. Nothing was written.`)
  }
}
