import yoctoSpinner from 'yocto-spinner'
import { CliError, type Terminal } from './index.ts'

export const rejectionOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs an action that the user may interrupt (Ctrl-C). The action receives an abort signal and has time to clean up. Then
 * this process ends by the signal that interrupted it, as its parent expects.
 */
export const interruptible = async <Result>(
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const interruption = new AbortController()
  let caught: NodeJS.Signals | undefined
  const interrupt = (signal: NodeJS.Signals): void => {
    caught ??= signal
    interruption.abort(new CliError('Interrupted. Nothing was written.'))
  }
  for (const signal of signals) process.on(signal, interrupt)
  try {
    return await act(interruption.signal)
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
    if (caught !== undefined) process.kill(process.pid, caught)
  }
}

interface ProgressOutput {
  step(text: string): void
  detail(text: string): void
  end(): void
}

/** Shows a spinner on a terminal, and a line for each step elsewhere. */
export const progressOn = ({ note, paint }: Terminal): ProgressOutput => {
  const isWatched = process.stderr.isTTY && process.env['TERM'] !== 'dumb' && process.env['CI'] === undefined
  if (!isWatched) return { step: note, detail: () => undefined, end: () => undefined }
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
    detail: (text) => show(`${current} ${paint('dim', text)}`),
    end: () => void spinner.stop(),
  }
}
