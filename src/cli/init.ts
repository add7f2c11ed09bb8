import { basename, relative, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { type DatabaseName, databases } from './init/databases.ts'
import { assertPackageName, modelWordsOf, toPackageName } from './init/names.ts'
import { ownDependency, ownPackage } from './init/own-package.ts'
import { assertTitle, projectFiles, titleOf, writeProject } from './init/project-files.ts'
import { shellQuoted } from './quoted.ts'
import { type MakeCommand, UsageError } from './terminal/index.ts'

interface InitOptions {
  readonly title?: string
  readonly database: DatabaseName
  readonly model: string
}

export const init: MakeCommand = (terminal) =>
  new Command('init')
    .alias('startproject')
    .description('Create a project: a REST API that is ready to run.')
    .argument(
      '<project_name>',
      'the name of the project, or the path of its folder; use . for the working directory, which must be empty',
    )
    .option('--title <string>', 'the title of the API (default: derived from the name)')
    .addOption(
      new Option('--database <name>', 'the database of the project')
        .choices(Object.keys(databases))
        .default('sqlite'),
    )
    .option('--model <noun>', 'the first model, such as article or blog-post', 'item')
    .action((given: string, { title, database, model }: InitOptions) => {
      if (given === '') throw new UsageError('A project needs a name.')
      const path = resolve(terminal.folder, given)
      const name = nameOf(path, path === resolve(terminal.folder))
      const { tested, ...own } = ownPackage()
      const shown = title === undefined ? titleOf(name) : assertTitle(title)
      const modelrest = ownDependency(own)
      const words = modelWordsOf(model)
      writeProject(path, projectFiles({ name, title: shown, modelrest, tested, database, words }))
      const folder = relative(terminal.folder, path)
      for (const line of nextSteps({ folder, name, modelrest, database })) terminal.print(line)
    })

/** The working directory keeps its name, so the package gets the closest valid one. */
const nameOf = (path: string, isWorkingFolder: boolean): string => {
  const name = basename(path)
  if (isWorkingFolder) return toPackageName(name) ?? 'api'
  assertPackageName(name)
  return name
}

interface NewProject {
  /** The path of the project relative to the working directory; empty if they are the same. */
  readonly folder: string
  readonly name: string
  readonly modelrest: string
  readonly database: DatabaseName
}

export const nextSteps = (
  { folder, name, modelrest, database }: NewProject,
  system: NodeJS.Platform = process.platform,
): readonly string[] => {
  const start = databases[database].start?.(name)
  return [
    `The project is in ${folder === '' ? 'this folder' : folder}. Next steps:`,
    '',
    ...(folder === '' ? [] : [`  cd ${shellQuoted(folder, system)}`]),
    '  npm install',
    ...(start === undefined ? [] : [`  ${start}`]),
    '  npm run dev',
    '',
    ...(start === undefined
      ? []
      : ['Without Docker, write the URL of your database to .env: see README.md.']),
    'Then open http://localhost:3000/api/docs. To run the tests: npm test',
    'The tables are in src/models.ts; login and other options are in src/settings.ts. README.md describes every file.',
    ...(modelrest.startsWith('file:')
      ? [
          `The project uses the copy of modelrest in ${modelrest.slice('file:'.length)}. Do not move or delete that copy.`,
        ]
      : []),
  ]
}
