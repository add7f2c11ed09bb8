import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsTable } from '../src/app/options.ts'
import { serviceAuthTable } from '../src/auth/settings/service-auth.ts'
import { camelName, type SettingRow, type SettingRows } from '../src/error/settings.ts'

/**
 * Writes the TSDoc of settings and options into docs/settings.md and into the comments of the settings.ts that
 * `modelrest init` creates. Run it after changing a setting: a test compares the files.
 */
interface Doc {
  readonly meaning: string
  /** What follows `@default`. */
  readonly fallback: string | undefined
}

const isOptions = (file: string): boolean => file === join('app', 'options.ts')

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('templates') && !file.startsWith('source'))
  // An option has precedence over a member of the same name, such as one of modelConfig.
  .toSorted((one, other) => Number(isOptions(one)) - Number(isOptions(other)))
  .map((file) => readFileSync(join('src', file), 'utf8'))

const tsDoc = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+(?:readonly )?(\w+)(?:\?:|: \{ type: )/g

/** TSDoc of settings and options, by their names. */
const docs: ReadonlyMap<string, Doc> = new Map(
  sources.flatMap((source) =>
    [...source.matchAll(tsDoc)].map(([, text = '', name = '']) => {
      const [meaning = '', fallback] = text.replaceAll(/\s*\n\s*\* ?|\s+/g, ' ').split('@default')
      return [name, { meaning: meaning.trim(), fallback: fallback?.trim() }] as const
    }),
  ),
)

/** @throws Error for a setting without TSDoc, or with one that contradicts its row in the table */
const docOf = (name: string, row?: SettingRow): Doc => {
  const doc = docs.get(name)
  if (doc === undefined || doc.meaning === '') throw new Error(`${name} has no TSDoc.`)
  const { default: value, most } = row ?? {}
  const written = Array.isArray(value) ? JSON.stringify(value) : value?.toString()
  if (written !== undefined && doc.fallback !== written)
    throw new Error(`${name}: write @default ${written} in its TSDoc.`)
  if (most !== undefined && most !== A_CENTURY && !doc.meaning.includes(`up to ${most}`))
    throw new Error(`${name}: write up to ${most} in its TSDoc.`)
  return doc
}

/** In seconds. A maximum this high is not worth documenting. */
const A_CENTURY = 3_153_600_000

/** The table of docs/settings.md for a table of settings. */
const markdownOf = (rows: SettingRows): string => {
  const lines = Object.entries(rows)
    .filter(([, { aliasOf }]) => aliasOf === undefined)
    .map(([name, row]) => {
      const { meaning, fallback = 'none' } = docOf(name, row)
      const aliases = Object.keys(rows).filter((other) => rows[other]?.aliasOf === name)
      const shown = row.default === undefined ? fallback : `\`${fallback}\``
      const named = [name, ...aliases]
      const camel = named.map((one) => camelName(one, rows[one] ?? row))
      const cells = [...[camel, named].map(eitherOf), row.type, shown, meaning]
      return `| ${cells.join(' | ')} |`.replaceAll(/docs\/([\w-]+)\.md/g, '[$1]($1.md)')
    })
  return ['| setting | in upper case | type | default | meaning |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  )
}

const eitherOf = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' or ')

/** docs/settings.md with its tables regenerated. */
export const withTables = (page: string): string => {
  const tables = [markdownOf(settingsTable), markdownOf(serviceAuthTable)]
  return page.replaceAll(/\| setting \|.*(?:\n\|.*)*/g, () => tables.shift() ?? '')
}

/** A block between empty lines: comments, then an option or a setting, which may be commented out. */
const block = /(?<=\n\n|\{\n)(?: {2}\/\/ (?![a-z]\w*:).*\n)*(?= {2}(?:\/\/ )?([a-z]\w*):)/g

/** The template of settings.ts with the comments above its options and settings regenerated. */
export const withComments = (template: string): string => {
  const settingsStart = template.indexOf('defineSettings({')
  return template.replaceAll(block, (_comments, key: string, place: number) => {
    const [name, row] = (place > settingsStart && settingNamed(key)) || [key]
    const { meaning, fallback } = docOf(name, row)
    const text = fallback === undefined ? meaning : `${meaning} Default: ${fallback}.`
    // The examples of TSDoc are of a shop; those of a project are of its own model.
    return linesOf(text.replaceAll(/\bProduct\b/g, 'DemoItem'))
  })
}

const settingNamed = (camel: string): [string, SettingRow] | undefined =>
  Object.entries<SettingRow>(settingsTable).find(([name, row]) => camelName(name, row) === camel)

const WIDTH = 120

const linesOf = (text: string): string => {
  const lines: string[] = []
  // Code between backticks stays on one line.
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length === 0 || longer.length > WIDTH) lines.push(`  // ${word}`)
    else lines.splice(-1, 1, longer)
  }
  return lines.map((line) => `${line}\n`).join('')
}

/** The files, and how to regenerate each. */
export const files: Readonly<Record<string, (text: string) => string>> = {
  'docs/settings.md': withTables,
  'src/cli/templates/common/src/settings.ts': withComments,
}

if (import.meta.main)
  for (const [file, rewritten] of Object.entries(files))
    writeFileSync(file, rewritten(readFileSync(file, 'utf8')))
