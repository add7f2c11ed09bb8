import { Command } from 'commander'
import { projectAnswer } from './project/ask-project.ts'
import { type PlaceOptions, withPlace } from './project/place.ts'
import { type MakeCommand, type Terminal, UsageError } from './terminal/index.ts'

interface Options extends PlaceOptions {
  readonly olderThan: number
  readonly dryRun: boolean
  readonly json: boolean
}

export const files: MakeCommand = (terminal) =>
  new Command('files').description('Manage uploaded files.').addCommand(clean(terminal))

const clean = (terminal: Terminal): Command =>
  withPlace(new Command('clean').description('Delete uploaded files that no record refers to.'))
    .option(
      '--older-than <seconds>',
      'keep newer files, because their requests may still be running',
      secondsOf,
      3600,
    )
    .option('--dry-run', 'list the files without deleting them', false)
    .option('--json', 'print one line of JSON: an array of { "key", "size" }', false)
    .action(async (options: Options) => {
      const { olderThan, dryRun, json } = options
      const orphans = await projectAnswer('cleanFiles', { olderThan, remove: !dryRun }, options, terminal)
      if (json) return terminal.print(JSON.stringify(orphans.map(({ key, size }) => ({ key, size }))))
      for (const { key, size } of orphans) terminal.print(size === undefined ? key : `${key} (${size} bytes)`)
      const bytes = orphans.reduce((sum, { size = 0 }) => sum + size, 0)
      const counted = orphans.length === 1 ? '1 file' : `${orphans.length} files`
      terminal.print(
        orphans.length === 0
          ? 'There are no files to delete.'
          : `${dryRun ? 'Would delete' : 'Deleted'} ${counted} without a record (${bytes} bytes).`,
      )
    })

const secondsOf = (text: string): number => {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  throw new UsageError(
    '--older-than must be an integer of at least 0, in seconds, such as --older-than 3600.',
  )
}
