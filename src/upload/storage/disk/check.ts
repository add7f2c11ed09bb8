import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../../error/start-error.ts'
import type { Places } from './places.ts'
import { codeOf } from './refusal.ts'

/** Makes the folder where it is missing, and writes to it once. */
export const checkFolder =
  ({ root, unfinished }: Places) =>
  async (): Promise<void> => {
    const probe = join(unfinished, randomUUID())
    try {
      await mkdir(unfinished, { recursive: true })
      await writeFile(probe, 'x', { flag: 'wx' })
    } catch (error) {
      throw new StartError(
        `The folder ${root} cannot keep files (${codeOf(error) || 'unknown'}). Let the process write there, or name another: diskStorage({ directory: '…' }).`,
        { cause: error },
      )
    } finally {
      await rm(probe, { force: true }).catch(() => undefined)
    }
  }
