import type { ChildProcess } from 'node:child_process'
import type { Terminal } from '../command.ts'

/** What a process prints: kept, as it matters only where something goes wrong. */
export interface Printed {
  /** Passes on what was printed, and everything that comes from then on. */
  show(): void
}

/** Keeps both outputs of a process, in the order in which they come. */
export const printedBy = ({ stdout, stderr }: ChildProcess, note: Terminal['note']): Printed => {
  let kept = ''
  let isShown = false
  const flush = (): void => {
    if (kept !== '') note(kept.replace(/\n$/, ''))
    kept = ''
  }
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (more: string) => {
      kept += more
      if (isShown && kept.endsWith('\n')) flush()
    })
  const show = (): void => {
    isShown = true
    flush()
  }
  return { show }
}
