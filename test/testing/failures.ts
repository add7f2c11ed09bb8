import type { ModelSource } from '../../src/entry/source.ts'
import { type OpenedSource, type Runner, sourceContract } from '../../src/entry/testing.ts'

type Act = () => void | Promise<void>

/** Runs the suite on a source, and returns the titles of the tests that fail. */
export const failuresOf = async (
  open: () => ModelSource | OpenedSource,
  isWanted: (title: string) => boolean = () => true,
): Promise<readonly string[]> => {
  const tests: (readonly [string, Act])[] = []
  const [first, last]: readonly [Act[], Act[]] = [[], []]
  const runner: Runner = {
    describe: (_title, body) => body(),
    it: (title, body) => tests.push([title, body]),
    before: (body) => first.push(body),
    after: (body) => last.push(body),
  }
  const opened = (): OpenedSource => {
    const source = open()
    return 'source' in source ? source : { source, close: () => undefined }
  }
  sourceContract(runner, { name: 'wrong', open: opened, notTested: () => undefined })
  for (const act of first) await act()
  const failed: string[] = []
  for (const [title, body] of tests.filter(([title]) => isWanted(title))) {
    try {
      await body()
    } catch {
      failed.push(title)
    }
  }
  for (const act of last) await act()
  return failed
}
