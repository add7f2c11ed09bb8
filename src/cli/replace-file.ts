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
  if (there === undefined ? isLink(path) : !there.isFile()) return writeFileSync(path, text)
  const target = there === undefined ? path : realpathSync(path)
  // A rename asks the folder alone.
  if (there !== undefined) accessSync(target, constants.W_OK)
  const beside = join(dirname(target), `.modelrest-${crypto.randomUUID()}`)
  try {
    writeFileSync(beside, text, { flag: 'wx', flush: true })
    if (there !== undefined) makeAlike(beside, there)
    renameSync(beside, target)
  } catch (error) {
    rmSync(beside, { force: true })
    if (isNoSpace(error)) throw error
    // A folder that takes no new files, a file that is a mount of its own, or the file of someone else.
    writeFileSync(target, text)
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
