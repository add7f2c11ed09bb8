import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

// Writes docs/reference.md from the declarations and TSDoc of every export path. Run it after a build: a test compares the file.

interface Declared {
  readonly file: string
  readonly comment: string
  readonly text: string
}

/** The exports of a module: declared in it, or `from` another one under the same or another name. */
interface Module {
  readonly declared: ReadonlyMap<string, readonly Declared[]>
  readonly passedOn: ReadonlyMap<string, { readonly from: string; readonly name: string }>
  readonly all: readonly string[]
}

const fileOf = (from: string, specifier: string): string | undefined => {
  if (!specifier.startsWith('.')) return undefined
  const file = join(dirname(from), specifier.replace(/\.(ts|js)$/, '.d.ts'))
  return existsSync(file) ? file : undefined
}

const readModule = (file: string): Module => {
  const text = readFileSync(file, 'utf8')
  const { program, comments } = parseSync(file, text)
  const declared = new Map<string, Declared[]>()
  const passedOn = new Map<string, { from: string; name: string }>()
  const all: string[] = []
  const imported = new Map<string, { from: string; name: string }>()
  const commentBefore = (start: number): string => {
    const found = comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === '')
    return found?.value.startsWith('*') ? found.value.slice(1) : ''
  }
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') {
      const from = fileOf(file, node.source.value)
      for (const { type, local, ...specifier } of node.specifiers)
        if (from !== undefined && type === 'ImportSpecifier' && 'imported' in specifier)
          imported.set(local.name, {
            from,
            name: 'name' in specifier.imported ? specifier.imported.name : '',
          })
    }
    if (node.type === 'ExportAllDeclaration') {
      const from = fileOf(file, node.source.value)
      if (from !== undefined) all.push(from)
    }
    if (node.type !== 'ExportNamedDeclaration') continue
    const { declaration, source } = node
    if (declaration === null) {
      for (const { local, exported } of node.specifiers) {
        if (!('name' in local && 'name' in exported)) continue
        const from = source === null ? undefined : fileOf(file, source.value)
        const origin = from === undefined ? imported.get(local.name) : { from, name: local.name }
        if (origin !== undefined) passedOn.set(exported.name, origin)
      }
      continue
    }
    const ids =
      'declarations' in declaration ? declaration.declarations.map(({ id }) => id) : [declaration.id]
    for (const id of ids) {
      if (id === null || !('name' in id)) continue
      const known = declared.get(id.name) ?? []
      const code = spelledOut(text.slice(node.start, node.end), imported)
      known.push({ file, comment: commentBefore(node.start), text: code })
      declared.set(id.name, known)
    }
  }
  return { declared, passedOn, all }
}

/** The declaration of a constant, with what a type of other modules with parameters stands for, such as `RestOn<HonoApp>`. */
const spelledOut = (
  code: string,
  imported: ReadonlyMap<string, { readonly from: string; readonly name: string }>,
): string => {
  const [, start = '', alias = '', given = ''] =
    /^(export declare const \w+: )(\w+)<([^<>]+)>;$/.exec(code) ?? []
  const origin = imported.get(alias)
  const [found] = origin === undefined ? [] : find(origin.from, origin.name)
  const [, names, type] = /^export type \w+<([\w, ]+)> = (.+)$/s.exec(found?.text ?? '') ?? []
  if (names === undefined || type === undefined) return code
  const values = given.split(', ')
  const words = new Map(names.split(', ').map((name, index) => [name, values[index]]))
  return start + type.replaceAll(/\w+/g, (word) => words.get(word) ?? word)
}

const modules = new Map<string, Module>()
const moduleOf = (file: string): Module => {
  const known = modules.get(file) ?? readModule(file)
  modules.set(file, known)
  return known
}

const find = (file: string, name: string): readonly Declared[] => {
  const { declared, passedOn, all } = moduleOf(file)
  const origin = passedOn.get(name)
  return (
    declared.get(name) ??
    (origin === undefined ? all.flatMap((from) => find(from, name)) : find(origin.from, origin.name))
  )
}

const namesIn = (file: string): readonly string[] => {
  const { declared, passedOn, all } = moduleOf(file)
  return [...new Set([...declared.keys(), ...passedOn.keys(), ...all.flatMap(namesIn)])]
}

/** Markdown from a TSDoc comment. */
const proseOf = (comment: string): string => {
  const plain = comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .trim()
  const [text = '', ...tags] = plain.split(/^@|(?<=\s)@(?=throws|default|param|returns|typeParam)/m)
  const parts = tags.map((tag) => {
    const [, name = '', rest = ''] = /^(\w+)\s*([\s\S]*)$/.exec(tag) ?? []
    const shown = name === 'param' || name === 'typeParam' ? rest.replace(/^(\w+)/, '`$1`') : rest
    return name === 'example' ? `\n${rest}` : `- ${labels[name] ?? name}: ${shown.trim()}`
  })
  return [text.trim(), parts.join('\n')].filter((part) => part !== '').join('\n\n')
}

const labels: Readonly<Record<string, string>> = {
  param: 'Parameter',
  typeParam: 'Type parameter',
  returns: 'Returns',
  throws: 'Throws',
  default: 'Default',
}

const sectionOf = (name: string, declarations: readonly Declared[]): string => {
  const [first] = declarations
  if (first === undefined) throw new Error(`${name} is exported, but its declaration was not found.`)
  const code = declarations.map(({ text }) => text.replace(/^export (declare )?/, '')).join('\n')
  return [`### ${name}`, proseOf(first.comment), `\`\`\`typescript\n${code}\n\`\`\``]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The reference of the package in a folder: each export path, each name with its TSDoc and declaration. */
export const referenceOf = (root: string): string => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, { readonly types: string } | string>>
  }
  const entries = Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [{ path: path.replace('.', 'modelrest'), file: join(root, target.types) }],
  )
  const common = new Set(namesIn(join(root, 'dist/index.d.ts')))
  const sections = entries.map(({ path, file }) => {
    const isCommon = file.endsWith('dist/index.d.ts')
    const own = namesIn(file).filter(
      (name) => isCommon || !common.has(name) || moduleOf(file).declared.has(name),
    )
    const passes = !isCommon && moduleOf(file).all.length > 0
    return [
      `## ${path}`,
      ...(passes ? ['Also exports everything from `modelrest`.'] : []),
      ...[...own]
        .sort((one, other) => one.localeCompare(other, 'en'))
        .map((name) => sectionOf(name, find(file, name))),
    ].join('\n\n')
  })
  return `# API reference\n\nEvery public name, by the path that you import it from. [The guides](README.md) explain how they work together.\n\n${sections.join('\n\n')}\n`
}

if (import.meta.main) writeFileSync('docs/reference.md', referenceOf('.'))
