import { Command } from 'commander'
import { askProject } from './project/ask-project.ts'
import { type PlaceOptions, projectPlace, withPlace } from './project/place.ts'
import { CliError, type MakeCommand, UsageError } from './terminal/index.ts'

type Options = PlaceOptions & { readonly strict: boolean; readonly json: boolean }

export const check: MakeCommand = (terminal) =>
  withPlace(
    new Command('check').description(
      'Run all startup checks, including those of the database tables, without a server.',
    ),
  )
    .option('--strict', 'fail if there are warnings', false)
    .option('--json', 'print one line of JSON: { "ok", "info", "warnings", "error" }', false)
    .action(async (options: Options) => {
      const { strict, json } = options
      const place = projectPlace(options, terminal.folder)
      const { said, error: failure } = await askProject({ place, name: 'check', given: undefined }, terminal)
      const linesOf = (wanted: string) => said.filter(({ kind }) => kind === wanted).map(({ line }) => line)
      const [info, warnings] = [linesOf('info'), linesOf('warning')]
      const error = failure ?? (strict && warnings.length > 0 ? tooMany(warnings.length) : undefined)
      // A usage error is not a result of the check.
      if (error instanceof UsageError) throw error
      if (json)
        terminal.print(JSON.stringify({ ok: error === undefined, info, warnings, error: error?.message }))
      else {
        for (const line of info) terminal.print(line)
        for (const line of warnings) terminal.note(terminal.paint('yellow', `warning: ${line}`))
      }
      if (error !== undefined) throw error
    })

const tooMany = (count: number): CliError =>
  new CliError(`Found ${count === 1 ? '1 warning' : `${count} warnings`}, which --strict does not allow.`)
