import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { suggest } from '../error/start-error.ts'
import { type Language, languages, needs } from './client/languages.ts'
import { type ClientMade, makeClient } from './client/make-client.ts'
import { outputFolder } from './client/output-folder.ts'
import { schemaFile } from './client/schema-file.ts'
import type { MakeCommand, Terminal } from './command.ts'
import { inColumns } from './in-columns.ts'
import { answerOf } from './project/answer-of.ts'
import { type PlaceOptions, placeOf, withPlace } from './project/place.ts'
import { UsageError } from './usage-error.ts'

interface Options extends PlaceOptions {
  readonly output: string
  readonly schema?: string
  readonly property?: Readonly<Record<string, string>>
  readonly force: boolean
  readonly verbose: boolean
  readonly json: boolean
}

/** `modelrest generate-client`: a client in a language, from the OpenAPI document. */
export const generateClient: MakeCommand = (terminal) => {
  const command = withPlace(
    new Command('generate-client')
      .description('Generate a client for the API, from its OpenAPI document and without a server.')
      .usage('<language> [options]')
      .argument('[language]', 'one of the languages below'),
  )
  return command
    .option('-o, --output <dir>', 'where to write the client', './client')
    .option('--schema <file>', 'an OpenAPI document (JSON) to read, instead of the project')
    .option('--property <name=value>', 'a setting of the generator; may be repeated', property)
    .option(
      '--force',
      'write into a folder that holds other things: files of the same names are replaced',
      false,
    )
    .option('--verbose', 'show what the generator says', false)
    .option(
      '--json',
      'print one line of JSON: { "folder", "language", "generator", "version", "files" }',
      false,
    )
    .addHelpText('after', () => `\n${listOfLanguages()}`)
    .action(async (name: string | undefined, options: Options) => {
      const language = languageOf(name)
      const document = documentOf(command, options, terminal)
      const { output, property: properties = {}, force: isForced, verbose: isVerbose } = options
      const made = await makeClient(
        {
          ...{ language: name ?? '', recipe: language.recipe, properties, isForced, isVerbose, document },
          output: outputFolder(output, terminal.folder, isForced),
        },
        terminal,
      )
      terminal.print(options.json ? JSON.stringify(made) : told(made, output))
    })
}

const languageOf = (name: string | undefined): Language => {
  if (name === undefined) throw new UsageError(`Name a language: ${Object.keys(languages).join(', ')}.`)
  const language = Object.hasOwn(languages, name) ? languages[name] : undefined
  if (language !== undefined) return language
  throw new UsageError(`There is no language ${name}.${suggest(name, Object.keys(languages))}`)
}

/** Checks what is given, and gives what gets the document. */
const documentOf = (
  command: Command,
  options: Options,
  terminal: Terminal,
): ((workspace: string) => Promise<string>) => {
  const { schema } = options
  if (schema === undefined) {
    placeOf(options, terminal.folder)
    return async (workspace) => {
      const path = join(workspace, 'openapi.json')
      writeFileSync(path, JSON.stringify(await answerOf('openapi', undefined, options, terminal)))
      return path
    }
  }
  for (const option of ['apiModule', 'apiVar', 'settings'] as const)
    if (command.getOptionValueSource(option) === 'cli')
      throw new UsageError(`With --schema the project is not read: leave out ${flags[option]}.`)
  const path = schemaFile(schema, terminal.folder)
  return async () => path
}

const flags = { apiModule: '--api-module', apiVar: '--api-var', settings: '--settings' } as const

const property = (
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => {
  const [, name, value] = /^([\w-]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(
      `--property takes a name and a value, as --property packageName=shop: ${text} is none.`,
    )
  return { ...before, [name]: value }
}

const listOfLanguages = (): string => {
  const rows = Object.entries(languages).map(([name, { makes, recipe }]) => [
    `  ${name}`,
    makes,
    needs[recipe.tool],
  ])
  return inColumns(['Languages', '', 'What is needed'], rows).join('\n')
}

const told = ({ language, generator, version, files }: ClientMade, output: string): string =>
  `${output}: a ${language} client of ${files === 1 ? '1 file' : `${files} files`}, by ${generator} ${version}.`
