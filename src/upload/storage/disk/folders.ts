import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Waits until a folder's entries are on the disk: a new file is lost with a power cut as long as its name is not there. */
export const syncFolder = async (folder: string): Promise<void> => {
  // Windows opens no folder, and keeps its file system's journal in order by itself.
  if (process.platform === 'win32') return
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}

/** Makes folders so that a power cut does not take them back. */
export interface Folders {
  /** @param folder below `root`, or `root` itself */
  ensure(folder: string): Promise<void>
}

/** Remembers which folders below `root` are there for good, so that each is waited for once. */
export const durableFolders = (root: string): Folders => {
  const durable = new Set<string>()
  const ensure = async (folder: string): Promise<void> => {
    const made = await mkdir(folder, { recursive: true })
    // One that is there may have been made a moment ago, by somebody who is still waiting for the disk.
    if (made === undefined && durable.has(folder)) return
    const names = [folder]
    for (let at = folder; at !== root && at !== dirname(at); at = dirname(at)) names.push(dirname(at))
    for (const name of names) await syncFolder(name)
    for (const name of names) durable.add(name)
  }
  return { ensure }
}
