import type { ProgramEnd } from './run-program.ts'

const noise = [
  /^\[\w+\] (INFO|DEBUG) /,
  /^#.*#$/,
  /^\s+at .*[)\d]$/,
  /^\s*\.\.\. \d+ (more|common frames omitted)$/,
  /^\s*$/,
]

/** The most lines that are shown. */
const MOST_LINES = 60

/** What a program said of its failure: without its progress and the places in its code. */
export const ownMessage = ({ lines }: ProgramEnd): string => {
  const telling = lines.filter((line) => !noise.some((pattern) => pattern.test(line)))
  const shown = (telling.length > 0 ? telling : lines).slice(-MOST_LINES)
  return shown.length > 0 ? shown.join('\n') : 'It said nothing.'
}
