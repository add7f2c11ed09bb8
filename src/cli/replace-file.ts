import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Writes a file whole or not at all: where the disk is full, what was there stays. Links stay links, and a file keeps its
 * mode and its owner. What is no file, as `/dev/stdout`, is written as it is.
 *
 * @throws the system's error
 */
export const replaceFile = (path: string, text: string): void => {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there === undefined ? isLink(path) : !there.isFile()) {
    writeFileSync(path, text)
    return
  }
  try {
    // A rename asks the folder alone.
    if (there !== undefined) accessSync(path, constants.W_OK)
    exchange(there === undefined ? path : realpathSync(path), text, there)
  } catch (error) {
    if (isNoSpace(error)) throw error
    // A folder that takes no new files, a file that is a mount of its own, or the file of someone else.
    writeFileSync(path, text)
  }
}

/** Puts a new file in the place of one. */
const exchange = (path: string, text: string, alike: Stats | undefined): void => {
  const beside = join(dirname(path), `.modelrest-${crypto.randomUUID()}`)
  try {
    writeFileSync(beside, text, { flag: 'wx', flush: true })
    if (alike !== undefined) makeAlike(beside, alike)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

/** It has no file behind it. */
const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

const makeAlike = (path: string, { uid, gid, mode }: Stats): void => {
  chownSync(path, uid, gid)
  // A change of the owner takes a part of the mode away.
  chmodSync(path, mode)
}

const noSpace: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'])

const isNoSpace = (error: unknown): boolean => noSpace.has(Reflect.get(Object(error), 'code'))
