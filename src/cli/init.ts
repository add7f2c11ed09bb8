import { isBuiltin } from 'node:module'
import { basename, relative, resolve } from 'node:path'
import { Command } from 'commander'
import { type MakeCommand, UsageError } from './command.ts'
import { ownDependency, ownPackage } from './init/own-package.ts'
import { assertTitle, projectFiles, projectPackages, titleOf, writeProject } from './init/project-files.ts'

export const init: MakeCommand = (terminal) =>
  new Command('init')
    .alias('startproject')
    .description('Create a project: an API on SQLite, ready to run.')
    .argument(
      '<project_name>',
      'its name, or the path of its folder; . is the working folder, if it is empty',
    )
    .option('--title <string>', 'the title of its API (default: made of the name)')
    .action((given: string, { title }: { readonly title?: string }) => {
      if (given === '') throw new UsageError('A project needs a name.')
      const path = resolve(terminal.folder, given)
      const name = nameOf(path, path === resolve(terminal.folder))
      const { tested, ...own } = ownPackage()
      const shown = title === undefined ? titleOf(name) : assertTitle(title)
      const modelrest = ownDependency(own)
      const files = projectFiles({ name, title: shown, modelrest, tested })
      writeProject(path, files)
      for (const line of nextSteps(relative(terminal.folder, path), modelrest)) terminal.print(line)
    })

/** The working folder keeps its name, so the package gets the closest valid one. */
const nameOf = (path: string, isWorkingFolder: boolean): string => {
  const name = basename(path)
  if (isWorkingFolder) return toPackageName(name) ?? 'api'
  assertPackageName(name)
  return name
}

/** What npm takes for a new package, and every file system for a folder. npm takes a few more characters. */
const valid = /^[a-z0-9][a-z0-9._-]{0,213}$/

/** Names of devices, which Windows gives to no folder, also with an ending. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/

const rules: readonly (readonly [breaks: (name: string) => boolean, because: string])[] = [
  [(name) => !valid.test(name), 'npm takes lower-case letters, digits, - . and _, a letter or digit first'],
  [(name) => name === 'node_modules' || name === 'favicon.ico', 'npm keeps that name for itself'],
  [(name) => name.endsWith('.') || devices.test(name), 'Windows has no folder of that name'],
  [isBuiltin, 'a module of Node has that name'],
  [(name) => projectPackages.includes(name), 'the project depends on the package of that name'],
]

/** The closest name that npm takes; `undefined` if nothing of the text can stay. */
export const toPackageName = (text: string): string | undefined => {
  const name = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 214)
  return [name, `${name}-api`].find((each) => problemOf(each) === undefined)
}

export const assertPackageName = (name: string): void => {
  const problem = problemOf(name)
  if (problem === undefined) return
  const near = toPackageName(name)
  const remedy = near === undefined ? '' : ` Write ${near}.`
  throw new UsageError(`A project cannot be called "${name}": ${problem}.${remedy}`)
}

const problemOf = (name: string): string | undefined => rules.find(([breaks]) => breaks(name))?.[1]

/** @param folder the project's path from the working folder; empty if that is the project */
export const nextSteps = (
  folder: string,
  modelrest: string,
  system: NodeJS.Platform = process.platform,
): readonly string[] => [
  `The project is in ${folder === '' ? 'this folder' : folder}. Start it:`,
  '',
  ...(folder === '' ? [] : [`  cd ${quoted(folder, system)}`]),
  '  npm install',
  '  npm run dev',
  '',
  'Then open http://localhost:3000/api/docs.',
  'Your tables are in models.ts. settings.ts says how to switch on login, files and all else. README.md says what is where.',
  ...(modelrest.startsWith('file:')
    ? [`It uses the modelrest of ${modelrest.slice('file:'.length)}: keep that where it is.`]
    : []),
]

const quoted = (path: string, system: NodeJS.Platform): string => {
  if (system === 'win32') return /^[\w.\\/:-]+$/.test(path) ? path : `"${path}"`
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
