import { copyFileSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suggest } from '../../error/errors.ts'
import { readJsonFile } from '../project/place.ts'
import { CliError, UsageError } from '../terminal/index.ts'
import { withFormOperations } from './form-operations.ts'
import type { Tool, ToolSearch } from './languages.ts'
import { errorOutput, findProgram, type ProgramEnd, programIn, runProgram } from './run-program.ts'

/** The first major version that supports OpenAPI 3.1. */
const OLDEST_GENERATOR = 7

/** The Java version that OpenAPI Generator is compiled for. */
const OLDEST_JAVA = 11

const installGenerator =
  'Install it: npm install --save-dev @openapitools/openapi-generator-cli, or pip install openapi-generator-cli.'

interface Program {
  readonly path: string
  readonly args: readonly string[]
  readonly name: string
}

/** OpenAPI Generator: the jar in `OPENAPI_GENERATOR_JAR`, or the program on the PATH. */
export const openApiGenerator = async (
  generator: string,
  properties: Readonly<Record<string, string>> | undefined,
  search: ToolSearch,
): Promise<Tool> => {
  const program = await findGenerator(search)
  const version = await versionOf(program, search)
  await assertKnown(program, generator, search)
  return {
    title: `openapi-generator ${version}`,
    generate: async ({ document, folder, onLine }) => {
      const { temporary } = search
      // Free text is passed in this file, because programs that wrap the jar pass their arguments to a shell.
      const config = {
        generatorName: generator,
        inputSpec: readable(document, temporary),
        outputDir: folder,
        additionalProperties: { ...properties, ...search.properties },
      }
      writeFileSync(join(temporary, 'config.json'), JSON.stringify(config))
      const end = await run(program, ['generate', '-c', 'config.json'], search, onLine)
      if (!end.isDone) throw new CliError(`openapi-generator failed (${end.how}):\n${errorOutput(end)}`)
      return version
    },
  }
}

/**
 * Copies the document to the working directory of the generator and returns its name. The jar does not find paths with
 * spaces, and with a URL it inlines references, which duplicates types without names. A URL is used only if the document
 * refers to other files.
 */
const readable = (path: string, temporary: string): string => {
  const document = readJsonFile(path)
  const text = JSON.stringify(withFormOperations(document) ?? document)
  if (/"\$ref":"(?!#)/.test(text)) return pathToFileURL(path).href
  const name = 'for-generators.json'
  writeFileSync(join(temporary, name), text)
  return name
}

const run = (
  { path, args }: Program,
  more: readonly string[],
  { temporary, signal }: ToolSearch,
  onLine?: (line: string) => void,
): Promise<ProgramEnd> => runProgram({ path, args: [...args, ...more], folder: temporary, signal, onLine })

const findGenerator = async (search: ToolSearch): Promise<Program> => {
  const { folder, temporary } = search
  const jar = process.env['OPENAPI_GENERATOR_JAR'] ?? ''
  if (jar !== '') {
    const file = resolve(folder, jar)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new CliError(`OPENAPI_GENERATOR_JAR: the file ${jar} does not exist.`)
    const { path, problem } = await findJava(search)
    if (path === undefined) throw new CliError(problem)
    return { path, args: ['-jar', file], name: jar }
  }
  const path =
    (await findProgram('openapi-generator-cli', folder)) ?? (await findProgram('openapi-generator', folder))
  if (path === undefined) {
    const missing = `Cannot find openapi-generator. ${installGenerator} If you have the jar, set OPENAPI_GENERATOR_JAR=/path/openapi-generator-cli.jar.`
    const { problem } = await findJava(search)
    throw new CliError(problem === undefined ? missing : `${missing}\n${problem}`)
  }
  // The npm package reads the version of the generator from this file, and creates it if it is missing.
  const pinned = join(folder, 'openapitools.json')
  if (existsSync(pinned)) copyFileSync(pinned, join(temporary, 'openapitools.json'))
  return { path, args: [], name: path }
}

/** Some packages include Java, so Java is checked only if the program does not run. */
const versionOf = async (program: Program, search: ToolSearch): Promise<string> => {
  const end = await run(program, ['version'], search)
  const version = end.lines.findLast((line) => /^\d+\.\d+\.\d+\S*$/.test(line.trim()))?.trim()
  if (!end.isDone || version === undefined) {
    const { problem } = await findJava(search)
    throw new CliError(problem ?? `${program.name} failed (${end.how}):\n${errorOutput(end)}`)
  }
  if (Number.parseInt(version, 10) >= OLDEST_GENERATOR) return version
  throw new CliError(
    `${program.name} is openapi-generator ${version}, which does not support OpenAPI 3.1. Use ${OLDEST_GENERATOR}.0 or later. ${installGenerator}`,
  )
}

/** The generator itself ignores unknown properties. */
const assertKnown = async (program: Program, generator: string, search: ToolSearch): Promise<void> => {
  const given = Object.keys(search.properties)
  if (given.length === 0) return
  const { lines } = await run(program, ['config-help', '-g', generator], search)
  const known = new Set(lines.flatMap((line) => /^\t(\w+)$/.exec(line)?.[1] ?? []))
  for (const name of given)
    if (!known.has(name))
      throw new UsageError(`--property: unknown property ${name} of ${generator}.${suggest(name, known)}`)
}

/** The path of Java, from `JAVA_HOME` or the PATH, or the reason why Java cannot be used. */
const findJava = async ({ temporary, signal }: ToolSearch) => {
  const { JAVA_HOME: home = '', PATH = '' } = process.env
  const path = await programIn('java', home === '' ? PATH : [join(home, 'bin'), PATH].join(delimiter))
  // On macOS, `java` may be a stub that only prints how to install Java.
  const lines =
    path === undefined
      ? []
      : (await runProgram({ path, args: ['-version'], folder: temporary, signal })).lines
  // `openjdk version "17.0.15"` is 17, `java version "1.8.0_392"` is 8.
  const [, version] = /version "(?:1\.)?(\d+)/.exec(lines.join('\n')) ?? []
  if (path === undefined || version === undefined) return { problem: `Cannot find Java. ${installJava()}` }
  if (Number(version) >= OLDEST_JAVA) return { path }
  return {
    problem: `Java ${version} at ${path} is too old: set JAVA_HOME to Java ${OLDEST_JAVA} or later. ${installJava()}`,
  }
}

const installJava = (): string => {
  const { platform } = process
  if (platform === 'darwin') return 'Install it: brew install --cask temurin.'
  if (platform === 'win32') return 'Install it: winget install EclipseAdoptium.Temurin.21.JRE.'
  return 'Install it: sudo apt-get install default-jre-headless.'
}
