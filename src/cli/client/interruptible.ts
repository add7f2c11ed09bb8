import { Failure } from '../failure.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Does something that is undone when it is interrupted (Ctrl-C): the act gets a signal, and has the time that it needs
 * to tidy up. Then this process ends by what interrupted it, as whoever started it expects.
 */
export const interruptible = async <Result>(
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const interruption = new AbortController()
  let caught: NodeJS.Signals | undefined
  const interrupt = (signal: NodeJS.Signals): void => {
    caught ??= signal
    interruption.abort(new Failure('Interrupted. Nothing was written.'))
  }
  for (const signal of signals) process.on(signal, interrupt)
  try {
    return await act(interruption.signal)
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
    if (caught !== undefined) process.kill(process.pid, caught)
  }
}
