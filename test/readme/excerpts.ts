/** Whether a block that names this file shows a part of the example, and is no file of its own. */
export const isExcerpt = (file: string | undefined): boolean => file?.startsWith('examples/') === true

/** The lines of code, without their indentation. */
const codeIn = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n')

/** The parts of an excerpt that do not stand in the file word for word. `// …` leaves something out. */
export const strangersIn = (excerpt: string, source: string): readonly string[] => {
  const code = `\n${codeIn(source)}\n`
  return excerpt
    .split(/^ *\/\/ …$/m)
    .map(codeIn)
    .filter((part) => part !== '' && !code.includes(`\n${part}\n`))
}
