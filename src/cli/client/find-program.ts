import { delimiter, join, resolve } from 'node:path'
import which from 'which'
import { projectFolders } from '../project-folders.ts'

/**
 * The absolute path of the first program that is there: among what the project has installed, or on the PATH.
 *
 * @param folder where the search for `node_modules/.bin` begins
 */
export const findProgram = async (names: readonly string[], folder: string): Promise<string | undefined> => {
  // An empty name in a PATH means the working folder.
  const bins = projectFolders(folder).map((each) => join(each, 'node_modules', '.bin'))
  const path = [...bins, searchPath()].filter((part) => part !== '').join(delimiter)
  for (const name of names) {
    const found = await programIn(name, path)
    if (found !== undefined) return found
  }
  return undefined
}

/** The absolute path of a program. @param path folders, written like a PATH */
export const programIn = async (name: string, path: string): Promise<string | undefined> => {
  const found = path === '' ? null : await which(name, { path, nothrow: true })
  return found === null ? undefined : resolve(found)
}

/** The PATH of this process. */
export const searchPath = (): string => process.env['PATH'] ?? ''
