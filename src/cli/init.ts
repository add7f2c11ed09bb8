import { basename, relative, resolve } from 'node:path'
import { Command } from 'commander'
import type { MakeCommand } from './command.ts'
import { freeFolder } from './init/free-folder.ts'
import { projectPackages } from './init/manifest.ts'
import { nextSteps } from './init/next-steps.ts'
import { ownDependency } from './init/own-dependency.ts'
import { ownPackage } from './init/own-package.ts'
import { assertPackageName, toPackageName } from './init/package-name.ts'
import { projectFiles } from './init/project-files.ts'
import { assertTitle, titleOf } from './init/title.ts'
import { writeProject } from './init/write-project.ts'
import { UsageError } from './usage-error.ts'

interface Options {
  readonly title?: string
}

/** `modelrest init`: a new project, which runs on SQLite. */
export const init: MakeCommand = (terminal) =>
  new Command('init')
    .alias('startproject')
    .description('Create a project: an API on SQLite, ready to run.')
    .argument(
      '<project_name>',
      'its name, or the path of its folder; . is the working folder, if it is empty',
    )
    .option('--title <string>', 'the title of its API (default: made of the name)')
    .action((given: string, { title }: Options) => {
      if (given === '') throw new UsageError('A project needs a name.')
      const path = resolve(terminal.folder, given)
      const name = nameOf(path, path === resolve(terminal.folder))
      const { tested, ...own } = ownPackage()
      const shown = title === undefined ? titleOf(name) : assertTitle(title)
      const folder = freeFolder(path)
      const modelrest = ownDependency(own)
      const files = projectFiles({ name, title: shown, modelrest, tested })
      writeProject(folder, files)
      for (const line of nextSteps(relative(terminal.folder, path), modelrest)) terminal.print(line)
    })

/** Who stands in a folder cannot rename it for us. */
const nameOf = (path: string, isWorkingFolder: boolean): string => {
  const name = basename(path)
  if (isWorkingFolder) return toPackageName(name, projectPackages) ?? 'api'
  assertPackageName(name, projectPackages)
  return name
}
