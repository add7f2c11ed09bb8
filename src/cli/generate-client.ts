import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command, Option } from 'commander'
import { suggest } from '../error/errors.ts'
import { isRecord } from '../error/record.ts'
import { type Language, languages, needs } from './client/languages.ts'
import { openApiGenerator } from './client/openapi-generator.ts'
import { openApiTypescript } from './client/openapi-typescript.ts'
import {
  copyIgnoreRules,
  installClient,
  type OutputFolder,
  outputFolder,
  temporaryFolder,
} from './client/output-folder.ts'
import { projectAnswer } from './project/ask-project.ts'
import { type PlaceOptions, projectPlace, readJsonFile, withPlace } from './project/place.ts'
import {
  CliError,
  filesBelow,
  inColumns,
  type MakeCommand,
  type Terminal,
  UsageError,
} from './terminal/index.ts'
import { interruptible, progressOn, rejectionOf } from './terminal/progress.ts'

interface Options extends PlaceOptions {
  readonly output: string
  readonly schema?: string
  readonly property?: Readonly<Record<string, string>>
  readonly force: boolean
  readonly verbose: boolean
  readonly json: boolean
}

export const generateClient: MakeCommand = (terminal) =>
  withPlace(
    new Command('generate-client')
      .description('Generate a client for the API from its OpenAPI document, without a server.')
      .usage('<language> [options]')
      .argument('[language]', 'one of the languages below'),
  )
    .option('-o, --output <dir>', 'the folder for the client', './client')
    .addOption(
      new Option('--schema <file>', 'an OpenAPI document (JSON) to read instead of the project').conflicts([
        ...['apiModule', 'apiVar', 'settings'],
      ]),
    )
    .option('--property <name=value>', 'a property of the generator; may be repeated', property)
    .option(
      '--force',
      'write into a folder that contains other files, and replace files with the same names',
      false,
    )
    .option('--verbose', 'show the output of the generator', false)
    .option(
      '--json',
      'print one line of JSON: { "folder", "language", "generator", "version", "files" }',
      false,
    )
    .addHelpText('after', () => `\n${listOfLanguages()}`)
    .action(async (name: string | undefined, options: Options) => {
      const language = languageOf(name)
      const document = documentOf(options, terminal)
      const output = outputFolder(options.output, terminal.folder, options.force)
      const made = await interruptible((signal) =>
        makeClient(language, document, output, options, terminal, signal),
      )
      const { generator, version, files } = made
      const count = files === 1 ? '1 file' : `${files} files`
      const summary = `Generated a ${name} client with ${count} in ${options.output}, using ${generator} ${version}.`
      terminal.print(options.json ? JSON.stringify(made) : summary)
    })

/**
 * Generates a client in a temporary folder and moves it to its place when it is complete. If it fails or is interrupted, it
 * leaves no files.
 */
const makeClient = async (
  { name, tool: generator, properties: needed }: NamedLanguage,
  documentIn: (temporary: string) => Promise<string>,
  output: OutputFolder,
  { property: properties = {}, force, verbose }: Options,
  terminal: Terminal,
  signal: AbortSignal,
) => {
  const progress = progressOn(terminal)
  const temporary = temporaryFolder(output)
  try {
    progress.step(`Looking for ${generator} …`)
    const search = { folder: terminal.folder, temporary, properties, signal }
    const tool = await (generator === 'openapi-typescript'
      ? openApiTypescript(needed, search)
      : openApiGenerator(name, needed, search))
    progress.step('Reading the OpenAPI document …')
    const document = await Promise.race([documentIn(temporary), rejectionOf(signal)])
    progress.step(`Generating ${name} with ${tool.title} …`)
    let written = 0
    const onLine = (line: string): void => {
      if (verbose) terminal.note(terminal.paint('dim', line))
      if (!line.includes(' - writing file ')) return
      written += 1
      progress.detail(`file ${written}`)
    }
    const folder = join(temporary, 'client')
    if (generator === 'openapi-generator') copyIgnoreRules(output, folder)
    const version = await tool.generate({ document, folder, onLine })
    if (filesBelow(folder).length === 0) throw new CliError(`${tool.title} did not generate any files.`)
    const about = { language: name, generator, version }
    return { folder: output.path, ...about, files: installClient(temporary, output, about, force) }
  } finally {
    progress.end()
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
  }
}

type NamedLanguage = Language & { readonly name: string }

const languageOf = (name: string | undefined): NamedLanguage => {
  if (name === undefined)
    throw new UsageError(`A language is required. Allowed: ${Object.keys(languages).join(', ')}.`)
  const language = Object.hasOwn(languages, name) ? languages[name] : undefined
  if (language !== undefined) return { name, ...language }
  throw new UsageError(`Unknown language ${name}.${suggest(name, Object.keys(languages))}`)
}

/** Checks the options immediately, and returns a function that provides the path of the document. */
const documentOf = (options: Options, terminal: Terminal): ((temporary: string) => Promise<string>) => {
  if (options.schema !== undefined) {
    const path = schemaFile(options.schema, terminal.folder)
    return async () => path
  }
  projectPlace(options, terminal.folder)
  return async (temporary) => {
    const path = join(temporary, 'openapi.json')
    writeFileSync(path, JSON.stringify(await projectAnswer('openapi', undefined, options, terminal)))
    return path
  }
}

const property = (
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => {
  const [, name, value] = /^([\w-]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new UsageError(
      `--property must be a name and a value, such as --property packageName=shop, not ${text}.`,
    )
  return { ...before, [name]: value }
}

const listOfLanguages = (): string => {
  const rows = Object.entries(languages).map(([name, { makes, tool }]) => [`  ${name}`, makes, needs[tool]])
  return inColumns(['Languages', '', 'Requires'], rows).join('\n')
}

const schemaFile = (name: string, folder: string): string => {
  const path = resolve(folder, name)
  if (/^https?:/i.test(name))
    throw new UsageError(
      `--schema must be a file, not a URL. Download it: curl --fail --output openapi.json ${name}`,
    )
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`--schema: the file ${name} does not exist in ${folder}.`)
  const complaint = complaintOf(parsed(path, name))
  if (complaint !== undefined) throw new CliError(`--schema: ${name} ${complaint}`)
  return path
}

const parsed = (path: string, name: string): unknown => {
  try {
    return readJsonFile(path)
  } catch (error) {
    if (/\.ya?ml$/i.test(name))
      throw new CliError(
        `--schema: ${name} must be JSON, not YAML. Convert it: npx js-yaml ${name} > openapi.json`,
      )
    throw new CliError(
      `--schema: ${name} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

const complaintOf = (document: unknown): string | undefined => {
  const { openapi, swagger, paths } = isRecord(document) ? document : {}
  if (swagger !== undefined) return `is Swagger ${swagger}. Use OpenAPI 3.0 or 3.1.`
  if (typeof openapi !== 'string') return 'is not an OpenAPI document: it has no "openapi": "3.1.0".'
  if (!/^3\.[01](\.|$)/.test(openapi)) return `is OpenAPI ${openapi}. Use OpenAPI 3.0 or 3.1.`
  if (isRecord(paths) && Object.keys(paths).length > 0) return undefined
  return 'has no paths, so the client would be empty.'
}
