import { Command } from 'commander'
import type { MakeCommand } from './command.ts'
import { inColumns } from './in-columns.ts'
import { answerOf } from './project/answer-of.ts'
import { type PlaceOptions, withPlace } from './project/place.ts'
import { type Route, routesIn } from './routes-in.ts'

interface Options extends PlaceOptions {
  readonly json: boolean
}

/** `modelrest routes`: what is served, with its models and its authentication. */
export const routes: MakeCommand = (terminal) =>
  withPlace(new Command('routes').description('List the routes, with their models and authentication.'))
    .option(
      '--json',
      'print one line of JSON: an array of { "method", "path", "operation", "model", "auth" }',
      false,
    )
    .action(async (options: Options) => {
      const found = routesIn(await answerOf('openapi', undefined, options, terminal))
      if (options.json) terminal.print(JSON.stringify(found))
      else
        for (const line of inColumns(['METHOD', 'PATH', 'OPERATION', 'MODEL', 'AUTH'], found.map(cells)))
          terminal.print(line)
    })

const cells = ({ method, path, operation, model, auth }: Route): readonly string[] => [
  ...[method, path, operation, model ?? '-'],
  auth.length === 0 ? 'public' : auth.join(' or '),
]
