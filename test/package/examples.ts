import { isExcerpt } from '../readme/excerpts.ts'
import { fencedBlocks } from '../readme/fenced-blocks.ts'
import { lineAt, parse, readSources, type SourceFile } from '../structure/source-files.ts'

/** A `ts` block of the documentation, as a file to compile. */
export interface Example {
  /** The file that it becomes. Blocks of one page that name their file see each other under these names. */
  readonly file: string
  readonly text: string
  /** Where it stands, as `src/model.ts:12`. */
  readonly origin: string
}

/** Pages whose files are one project. */
export const signInPages = [
  ...['docs/sign-in.md', 'docs/single-sign-on.md', 'docs/authenticator-apps.md'],
  ...['docs/passkeys.md', 'docs/invitations.md'],
] as const

const folderOf = (path: string): string => {
  const [first] = signInPages
  return (signInPages.some((page) => page === path) ? first : path).replaceAll(/[^\w]+/g, '-')
}

/** The `ts` blocks of a Markdown page. Excerpts of the example compile where they were taken from. */
export const examplesOfPage = (path: string, page: string): readonly Example[] =>
  fencedBlocks(page)
    .filter(({ language, file }) => language === 'ts' && !isExcerpt(file))
    .map(({ text, file, line }) => ({
      file: `${folderOf(path)}/${file ?? `line-${line}.ts`}`,
      text: `${text}\nexport {}\n`,
      origin: `${path}:${line}`,
    }))

/** The Prisma schemas of a page: blocks that name their file, as `// prisma/schema.prisma`. */
export const schemasOfPage = (path: string, page: string): readonly Pick<Example, 'file' | 'text'>[] =>
  fencedBlocks(page)
    .filter(({ language, text }) => language === 'prisma' && text.startsWith('// prisma/schema.prisma\n'))
    .map(({ text }) => ({ file: `${folderOf(path)}/prisma/schema.prisma`, text }))

/** The `ts` blocks in the TSDoc of a file. */
export const examplesOfSource = (source: SourceFile): readonly Example[] =>
  parse(source).comments.flatMap(({ type, value, start }) => {
    if (type !== 'Block' || !value.startsWith('*')) return []
    const page = value.replaceAll(/^[ \t]*\* ?/gm, '')
    const first = lineAt(source.text, start)
    return fencedBlocks(page)
      .filter(({ language }) => language === 'ts')
      .map(({ text, line }) => ({
        file: `${folderOf(`src/${source.path}`)}/line-${first + line - 1}.ts`,
        text: `${text}\nexport {}\n`,
        origin: `src/${source.path}:${first + line - 1}`,
      }))
  })

/** Every `ts` block of src. */
export const examplesOfSources = (): readonly Example[] => readSources('src').flatMap(examplesOfSource)
