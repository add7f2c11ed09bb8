/** Code in a comment, to be switched on. */
export interface CommentedPart {
  /** The option or setting. */
  readonly name: string
  /** The text of the file with this part switched on, and what it needs imported. */
  on(text: string): string
}

/** The imports that are commented out, and that a piece of code needs. */
const neededBy = (code: string, text: string): readonly string[] =>
  [...text.matchAll(/^\/\/ (import \{ (\w+) \} from .*)$/gm)].flatMap(([, line = '', name = '']) =>
    new RegExp(`\\b${name}\\b`).test(code) ? [line] : [],
  )

/** The parts of a file that are commented out: `// name: …,`, or several lines from `// name: {` to `// },`. */
export const commentedParts = (text: string): readonly CommentedPart[] =>
  [...text.matchAll(/^ *\/\/ (\w+): (?:\{\n(?: *\/\/ {3}.*\n)* *\/\/ \},|.*,)$/gm)].map(
    ([part, name = '']) => {
      const code = part.replaceAll(/^( *)\/\/ /gm, '$1')
      return {
        name,
        on: (file) => [...neededBy(code, file), file.replace(part, () => code)].join('\n'),
      }
    },
  )
