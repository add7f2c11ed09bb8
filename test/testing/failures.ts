import type { ModelSource } from '../../src/entry/source.ts'
import { type OpenedSource, type Runner, sourceContract } from '../../src/testing/index.ts'

type Act = () => void | Promise<void>

/** Runs the tests that `declare` declares, and returns the titles of those that fail, each once. */
export const failuresIn = async (
  declare: (runner: Runner) => void,
  isWanted: (title: string) => boolean = () => true,
): Promise<readonly string[]> => {
  const tests: (readonly [string, Act])[] = []
  const [first, last]: readonly [Act[], Act[]] = [[], []]
  declare({
    describe: (_title, body) => body(),
    it: (title, body) => tests.push([title, body]),
    before: (body) => first.push(body),
    after: (body) => last.push(body),
  })
  const failed: string[] = []
  try {
    for (const act of first) await act()
    for (const [title, body] of tests.filter(([title]) => isWanted(title))) {
      if (failed.includes(title)) continue
      try {
        await body()
      } catch {
        failed.push(title)
      }
    }
  } finally {
    for (const act of last) await act()
  }
  return failed
}

/** Runs the suite on a source, and returns the titles of the tests that fail. */
export const failuresOf = async (
  open: () => ModelSource | OpenedSource,
  isWanted?: (title: string) => boolean,
): Promise<readonly string[]> => {
  const opened = (): OpenedSource => {
    const source = open()
    return 'source' in source ? source : { source, close: () => undefined }
  }
  const tested = { name: 'wrong', open: opened, notTested: () => undefined }
  return failuresIn((runner) => sourceContract(runner, tested), isWanted)
}
