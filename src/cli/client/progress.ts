import yoctoSpinner from 'yocto-spinner'
import type { Terminal } from '../command.ts'

/** What is shown while something works. */
export interface Progress {
  /** A new step. */
  step(text: string): void
  /** More about the step, for those who watch. */
  detail(text: string): void
  /** A line that stays. */
  note(line: string): void
  end(): void
}

/** On a terminal something turns; elsewhere each step is a line. */
export const progressOn = (terminal: Terminal): Progress =>
  isWatched() ? turning(terminal) : plain(terminal)

const isWatched = (): boolean =>
  process.stderr.isTTY && process.env['TERM'] !== 'dumb' && process.env['CI'] === undefined

const plain = ({ note }: Terminal): Progress => ({
  step: note,
  detail: () => undefined,
  note,
  end: () => undefined,
})

const turning = ({ note, colours }: Terminal): Progress => {
  const spinner = yoctoSpinner({ stream: process.stderr, handleSignals: false })
  let current = ''
  const show = (text: string): void => {
    spinner.text = text
    spinner.start()
  }
  return {
    step: (text) => {
      current = text
      show(text)
    },
    detail: (text) => show(`${current} ${colours.dim(text)}`),
    note,
    end: () => void spinner.stop(),
  }
}
