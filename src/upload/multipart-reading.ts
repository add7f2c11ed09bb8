import type { MultipartLimits, MultipartTimes } from './multipart-limits.ts'
import type { Part } from './part.ts'
import type { PartHead } from './part-head.ts'

/** How a multipart body is read. */
export interface MultipartReading {
  readonly limits: MultipartLimits
  readonly times: MultipartTimes
  /** Called for each part as it arrives. Nothing more is read before it is done. What it throws ends the reading. */
  readonly onPart: (part: Part) => Promise<void> | void
  /** Which parts are files. @default those that name a file */
  readonly isFile?: (head: PartHead) => boolean
  /** Whether a name may come more than once. @default false */
  readonly repeats?: boolean
  /** Aborted when the client is gone, where the source does not fail by itself then. */
  readonly signal?: AbortSignal
}
