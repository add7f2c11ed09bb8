import { Command } from 'commander'
import type { MakeCommand } from './command.ts'
import { Failure } from './failure.ts'
import { askProject } from './project/ask-project.ts'
import { type PlaceOptions, placeOf, withPlace } from './project/place.ts'

interface Options extends PlaceOptions {
  readonly strict: boolean
  readonly json: boolean
}

/** `modelrest check`: everything that is checked when the service starts, without a server. */
export const check: MakeCommand = (terminal) =>
  withPlace(
    new Command('check').description(
      'Check everything that a start checks, the tables of the database too, without a server.',
    ),
  )
    .option('--strict', 'fail where there are warnings', false)
    .option('--json', 'print one line of JSON: { "ok", "info", "warnings" }', false)
    .action(async (options: Options) => {
      const { strict, json } = options
      const place = placeOf(options, terminal.folder)
      const { said } = await askProject({ place, name: 'check', given: undefined }, terminal)
      const linesOf = (wanted: string) => said.filter(({ kind }) => kind === wanted).map(({ line }) => line)
      const [info, warnings] = [linesOf('info'), linesOf('warning')]
      const ok = !(strict && warnings.length > 0)
      if (json) terminal.print(JSON.stringify({ ok, info, warnings }))
      else {
        for (const line of info) terminal.print(line)
        for (const line of warnings) terminal.note(terminal.colours.yellow(`warning: ${line}`))
      }
      if (!ok) throw new Failure(`There ${numbered(warnings.length)}, and --strict allows none.`)
    })

const numbered = (count: number): string => (count === 1 ? 'is 1 warning' : `are ${count} warnings`)
