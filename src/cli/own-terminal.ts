import { styleText } from 'node:util'
import type { Colours, Terminal } from './command.ts'
import { Failure } from './failure.ts'
import type { OwnStdout } from './own-stdout.ts'

type Style = keyof Colours

/** Colours on a terminal alone; `NO_COLOR` and `FORCE_COLOR` are followed. */
const painted =
  (style: Style) =>
  (text: string): string =>
    styleText(style, text, { stream: process.stderr })

const workingFolder = (): string => {
  try {
    return process.cwd()
  } catch {
    throw new Failure('The working folder is not there any more. Change to one that is.')
  }
}

/** The terminal of this process. */
export const ownTerminal = (stdout: OwnStdout): Terminal => ({
  get folder() {
    return workingFolder()
  },
  colours: { dim: painted('dim'), red: painted('red'), yellow: painted('yellow') },
  print: (line) => stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
})
