import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type Manifest, manifestOf } from './manifest.ts'
import { toLiteral, toMarkdown } from './title.ts'

/** Path below the project's folder, with forward slashes -> text. */
export type ProjectFiles = ReadonlyMap<string, string>

const templates = join(import.meta.dirname, '../templates')

/** Every file of a new project. */
export const projectFiles = (manifest: Manifest): ProjectFiles => {
  const files = new Map([['package.json', manifestOf(manifest)]])
  for (const path of templatePaths()) files.set(targetOf(path), fill(path, manifest))
  // A secret of its own, so that login works with one change. It stays on this machine: .gitignore names the file.
  const example = files.get('.env.example') ?? ''
  const secret = randomBytes(48).toString('base64url')
  files.set(
    '.env',
    example.replace(/^SECRET_KEY=$/m, () => `SECRET_KEY=${secret}`),
  )
  return files
}

const templatePaths = (): readonly string[] =>
  readdirSync(templates, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(templates, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()

/** npm packs no .gitignore, so templates have an underscore for the dot. */
const targetOf = (path: string): string => path.replace(/^_/, '.')

/** What stands for what in templates. In code the title is a literal, quotes and all. */
const placeholders: Readonly<Record<string, (manifest: Manifest) => string>> = {
  "'__TITLE__'": ({ title }) => toLiteral(title),
  __TITLE__: ({ title }) => toMarkdown(title),
  __NAME__: ({ name }) => name,
}

/** At once: a title may hold the name of a placeholder. */
const fill = (path: string, manifest: Manifest): string =>
  readFileSync(join(templates, path), 'utf8').replaceAll(
    new RegExp(Object.keys(placeholders).join('|'), 'g'),
    (found) => placeholders[found]?.(manifest) ?? found,
  )
