import { StartError, suggest } from '../../error/start-error.ts'

/** What `cleanFiles` takes. */
export interface CleanFilesOptions {
  /** Seconds since a file was written. Younger ones may belong to a request that is under way. At least 0. @default 3600 */
  readonly olderThan?: number
  /** Delete what was found. `false` only tells. @default true */
  readonly remove?: boolean
}

/** An hour: no request takes that long. */
const HOUR = 3600

const names = ['olderThan', 'remove'] satisfies readonly (keyof CleanFilesOptions)[]

/** @throws StartError for an unknown option or a value that it cannot have */
export const readCleanOptions = (options: CleanFilesOptions): Required<CleanFilesOptions> => {
  const unknown = Object.keys(options).find((name) => !(names as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new StartError(`cleanFiles: there is no option ${unknown}.${suggest(unknown, names)}`)
  const { olderThan = HOUR, remove = true } = options
  if (!(Number.isFinite(olderThan) && olderThan >= 0))
    throw new StartError(
      'cleanFiles: olderThan must be a number of seconds, 0 or more. Write olderThan: 3600.',
    )
  if (typeof remove !== 'boolean') throw new StartError('cleanFiles: remove must be true or false.')
  return { olderThan, remove }
}
