import { join, resolve } from 'node:path'
import { isSafeKey } from '../storage-key.ts'

/** Where a disk storage keeps what. Absolute paths. */
export interface Places {
  readonly root: string
  /** Uploads under way, in the same file system as what they become. No key reaches it: names of keys begin with no dot. */
  readonly unfinished: string
  /** The file of a key. `undefined`: no file can have this key. */
  fileOf(key: string): string | undefined
}

export const placesIn = (directory: string): Places => {
  const root = resolve(directory)
  return {
    root,
    unfinished: join(root, '.unfinished'),
    fileOf: (key) => (isSafeKey(key) ? join(root, ...key.split('/')) : undefined),
  }
}
