import { lineAt, nodesOf, parse, type SourceFile } from './source-files.ts'

/** The most lines of code in a file, comments and empty lines not counted. */
export const mostLines = 250

/** Lines that hold code. */
export const codeLines = (file: SourceFile): number => {
  const { comments } = parse(file)
  const code = comments.reduce(
    (text, { start, end }) =>
      text.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ') + text.slice(end),
    file.text,
  )
  return code.split('\n').filter((line) => line.trim() !== '').length
}

const bannedNames = /(^|[/-])(utils?|helpers?|manager|process|handle|handler|misc|common)(\.|-|\/)/

const bannedNodes: Readonly<Record<string, string>> = {
  TSAnyKeyword: 'any',
  TSNonNullExpression: 'a non-null assertion',
  TSEnumDeclaration: 'an enum',
  ExportDefaultDeclaration: 'a default export',
  TSExportAssignment: 'export =',
}

const bannedComments = /@ts-(ignore|expect-error|nocheck)|biome-ignore (?!format)/

/** Every break of the rules for a file of src, as `path:line what`. */
export const brokenRules = (file: SourceFile): readonly string[] => {
  const { path, text } = file
  const lines = codeLines(file)
  return [
    ...(lines > mostLines ? [`${path} has ${lines} lines of code, the most are ${mostLines}`] : []),
    ...(bannedNames.test(path) ? [`${path} is named for no concept`] : []),
    ...nodesOf(file).flatMap(({ type, start }) => {
      const what = bannedNodes[type]
      return what === undefined ? [] : [`${path}:${lineAt(text, start)} has ${what}`]
    }),
    ...parse(file)
      .comments.filter(({ value }) => bannedComments.test(value))
      .map(({ start }) => `${path}:${lineAt(text, start)} silences a check`),
  ]
}

const skipping = /\b(?:test|it|describe|suite)(?:\.\w+)*\.(?:skip|only|todo|skipIf|runIf)\b/

/** Tests that are left out, so that a run would pass without them. One with `fails` runs, and fails once its fault is gone. */
export const skippedTests = ({ path, text }: SourceFile): readonly string[] =>
  text
    .split('\n')
    .flatMap((line, index) => (skipping.test(line) ? [`${path}:${index + 1} leaves a test out`] : []))
