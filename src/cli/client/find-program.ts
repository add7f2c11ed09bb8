import { delimiter, dirname, join } from 'node:path'
import which from 'which'

/**
 * The absolute path of the first program that is there: among what the project has installed, on the PATH, or beside
 * Node.
 *
 * @param folder where the search for `node_modules/.bin` begins
 */
export const findProgram = async (names: readonly string[], folder: string): Promise<string | undefined> => {
  const path = [...binsAbove(folder), process.env['PATH'] ?? '', dirname(process.execPath)].join(delimiter)
  for (const name of names) {
    const found = await programIn(name, path)
    if (found !== undefined) return found
  }
  return undefined
}

/** @param path folders, written like a PATH */
export const programIn = async (name: string, path: string): Promise<string | undefined> =>
  (await which(name, { path, nothrow: true })) ?? undefined

const binsAbove = (folder: string): readonly string[] => {
  const above = dirname(folder)
  return [join(folder, 'node_modules', '.bin'), ...(above === folder ? [] : binsAbove(above))]
}
