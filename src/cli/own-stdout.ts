import { fstatSync, writeFileSync } from 'node:fs'
import { reasonOf } from './client/reason-of.ts'

/** The stdout of this process. */
export interface OwnStdout {
  write(text: string): void
  /** Waits until all of it is out. @returns why some of it is not, as a sentence */
  complaint(): Promise<string | undefined>
}

/** Takes stdout over: whoever writes to it past this does not learn of failures. */
export const ownStdout = (): OwnStdout => {
  const { stdout } = process
  let failure: unknown
  const fail = (error: unknown): void => {
    failure ??= error
  }
  stdout.on('error', fail)
  // Into a file on a disk that is nearly full, the stream writes a part and calls that done.
  const put: (text: string) => void = fstatSync(stdout.fd).isFile()
    ? (text) => writeFileSync(stdout.fd, text)
    : (text) => stdout.write(text)
  return {
    write: (text) => {
      try {
        put(text)
      } catch (error) {
        fail(error)
      }
    },
    complaint: async () => {
      await new Promise<void>((done) => stdout.write('', () => done()))
      return failure === undefined || isStoppedReading(failure)
        ? undefined
        : `stdout cannot be written: ${reasonOf(failure)}.`
    },
  }
}

/** `modelrest routes | head` has what it wants. */
const isStoppedReading = (failure: unknown): boolean => Reflect.get(Object(failure), 'code') === 'EPIPE'
