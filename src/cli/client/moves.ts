import { chmodSync, existsSync, mkdirSync, renameSync, rmdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Changes to folders that can be taken back. */
export interface Moves {
  /** Moves a file or a folder, and makes the folders above its new place. */
  move(from: string, to: string): void
  /** Removes a folder, and says whether it could: one with something in it stays. */
  removeEmpty(folder: string): boolean
  /** Takes everything back, the last first. It says whether all that was moved is where it was. */
  undo(): boolean
}

/** No changes yet. */
export const moves = (): Moves => {
  const undos: (() => void)[] = []
  const makeFolder = (folder: string): void => {
    if (existsSync(folder)) return
    makeFolder(dirname(folder))
    mkdirSync(folder)
    undos.push(() => {
      rmdirIfEmpty(folder)
    })
  }
  return {
    move: (from, to) => {
      makeFolder(dirname(to))
      renameSync(from, to)
      undos.push(() => renameSync(to, from))
    },
    removeEmpty: (folder) => {
      const { mode } = statSync(folder)
      if (!rmdirIfEmpty(folder)) return false
      undos.push(() => {
        mkdirSync(folder)
        // The mode that mkdir takes is cut by the umask.
        chmodSync(folder, mode)
      })
      return true
    },
    undo: () => undos.toReversed().filter((undo) => !succeeds(undo)).length === 0,
  }
}

const rmdirIfEmpty = (folder: string): boolean => succeeds(() => rmdirSync(folder))

const succeeds = (act: () => void): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}
