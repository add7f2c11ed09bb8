import { styleText } from 'node:util'
import type { Colours, Terminal } from './command.ts'
import type { OwnStdout } from './own-stdout.ts'

type Style = keyof Colours

/** Colours on a terminal alone; `NO_COLOR` and `FORCE_COLOR` are followed. */
const painted =
  (style: Style) =>
  (text: string): string =>
    styleText(style, text, { stream: process.stderr })

/** The terminal of this process. */
export const ownTerminal = (stdout: OwnStdout): Terminal => ({
  folder: process.cwd(),
  colours: { dim: painted('dim'), red: painted('red'), yellow: painted('yellow') },
  print: (line) => stdout.write(`${line}\n`),
  note: (line) => void process.stderr.write(`${line}\n`),
})
