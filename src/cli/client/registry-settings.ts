import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../failure.ts'
import { projectFolders } from '../project-folders.ts'
import { reasonOf } from './reason-of.ts'

/**
 * What the `.npmrc` files of a project say, which name its registry: of a folder, and of those above as far as the root
 * of its workspace. The last of two lines with one key counts, so that the nearest file comes last.
 *
 * @returns undefined where there is none
 * @throws Failure where one cannot be read
 */
export const registrySettings = (folder: string): string | undefined => {
  const texts = projectFolders(folder)
    .map((each) => join(each, '.npmrc'))
    .filter((file) => existsSync(file))
    .map(textOf)
  return texts.length === 0 ? undefined : texts.toReversed().join('\n')
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`The settings of the registry cannot be read: ${reasonOf(error)}.`)
  }
}
