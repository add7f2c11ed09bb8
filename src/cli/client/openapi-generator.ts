import { copyFileSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suggest } from '../../error/errors.ts'
import { Failure, UsageError } from '../command.ts'
import { readJson } from '../project/place.ts'
import { withFormOperations } from './form-operations.ts'
import type { Recipe, Tool, ToolSearch } from './languages.ts'
import {
  errorOutput,
  findProgram,
  installHint,
  type ProgramEnd,
  programIn,
  runProgram,
  searchPath,
} from './run-program.ts'

/** The first that reads OpenAPI 3.1. */
const OLDEST_GENERATOR = 7

interface Program {
  readonly path: string
  readonly args: readonly string[]
  /** For messages. */
  readonly name: string
}

/**
 * The OpenAPI generator: the jar that `OPENAPI_GENERATOR_JAR` names, else the program on the PATH.
 *
 * @throws Failure where it, or Java, is missing or too old; UsageError for properties that the generator does not have
 */
export const openApiGenerator = async (
  { generator, properties = {} }: Extract<Recipe, { tool: 'openapi-generator' }>,
  search: ToolSearch,
): Promise<Tool> => {
  const program = await findGenerator(search)
  const version = await versionOf(program, search)
  await assertKnown(program, generator, search)
  return {
    title: `openapi-generator ${version}`,
    generate: async ({ document, folder, workspace, onLine }) => {
      // All that is free text stands in this file: programs that wrap the jar put their arguments before a shell.
      const config = {
        generatorName: generator,
        inputSpec: readable(document, workspace),
        outputDir: folder,
        additionalProperties: { ...properties, ...search.properties },
      }
      writeFileSync(join(workspace, 'config.json'), JSON.stringify(config))
      const end = await run(program, ['generate', '-c', 'config.json'], search, onLine)
      if (!end.isDone) throw new Failure(`openapi-generator failed (${end.how}):\n${errorOutput(end)}`)
      return version
    },
  }
}

/**
 * The document as the generator reads it best: a file whose name stands alone. The jar finds none at a path with a space,
 * and where it gets a URL it writes what is referred to into each place, so that one type becomes many without names. A
 * document that refers to others stays where it is nevertheless.
 */
const readable = (path: string, workspace: string): string => {
  const document = readJson(path)
  const text = JSON.stringify(withFormOperations(document) ?? document)
  if (/"\$ref":"(?!#)/.test(text)) return pathToFileURL(path).href
  const name = 'for-generators.json'
  writeFileSync(join(workspace, name), text)
  return name
}

const run = (
  { path, args }: Program,
  more: readonly string[],
  { workspace, signal }: ToolSearch,
  onLine?: (line: string) => void,
): Promise<ProgramEnd> => runProgram({ path, args: [...args, ...more], folder: workspace, signal, onLine })

const findGenerator = async ({ folder, workspace, signal }: ToolSearch): Promise<Program> => {
  const jar = process.env['OPENAPI_GENERATOR_JAR'] ?? ''
  if (jar !== '') {
    const file = resolve(folder, jar)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile())
      throw new Failure(`OPENAPI_GENERATOR_JAR: there is no file ${jar}.`)
    return { path: await javaPath(workspace, signal), args: ['-jar', file], name: jar }
  }
  const path = await findProgram(['openapi-generator-cli', 'openapi-generator'], folder)
  if (path === undefined)
    throw new Failure(
      [
        `The program openapi-generator is missing. ${installHint('openapi-generator')} A jar that is there already is used with OPENAPI_GENERATOR_JAR=/path/openapi-generator-cli.jar.`,
        await complaintOfJava(workspace, signal),
      ]
        .filter((line) => line !== undefined)
        .join('\n'),
    )
  // The one of npm keeps the version that the project wants in this file, and makes one where there is none.
  const pinned = join(folder, 'openapitools.json')
  if (existsSync(pinned)) copyFileSync(pinned, join(workspace, 'openapitools.json'))
  return { path, args: [], name: path }
}

/** Some programs bring a Java of their own. So Java is looked for where they do not run. */
const versionOf = async (program: Program, search: ToolSearch): Promise<string> => {
  const end = await run(program, ['version'], search)
  const version = end.lines.findLast((line) => /^\d+\.\d+\.\d+\S*$/.test(line.trim()))?.trim()
  if (!end.isDone || version === undefined) {
    const complaint = await complaintOfJava(search.workspace, search.signal)
    throw new Failure(complaint ?? `${program.name} does not run (${end.how}):\n${errorOutput(end)}`)
  }
  if (Number.parseInt(version, 10) >= OLDEST_GENERATOR) return version
  throw new Failure(
    `${program.name} is openapi-generator ${version}, which does not read OpenAPI 3.1: ${OLDEST_GENERATOR}.0 or later is needed. ${installHint('openapi-generator')}`,
  )
}

const complaintOfJava = async (folder: string, signal: AbortSignal): Promise<string | undefined> => {
  try {
    await javaPath(folder, signal)
    return undefined
  } catch (error) {
    if (error instanceof Failure && !signal.aborted) return error.message
    throw error
  }
}

/** The generator itself takes any property, and leaves out what it does not know. */
const assertKnown = async (program: Program, generator: string, search: ToolSearch): Promise<void> => {
  const given = Object.keys(search.properties)
  if (given.length === 0) return
  const { lines } = await run(program, ['config-help', '-g', generator], search)
  const known = new Set(lines.flatMap((line) => /^\t(\w+)$/.exec(line)?.[1] ?? []))
  for (const name of given)
    if (!known.has(name))
      throw new UsageError(`--property: ${generator} has no ${name}.${suggest(name, known)}`)
}

/** What the OpenAPI generator is compiled for. */
const OLDEST_JAVA = 11

/**
 * The path of Java: of `JAVA_HOME`, else the one on the PATH.
 *
 * @throws Failure where there is none, or one that is too old
 */
const javaPath = async (folder: string, signal: AbortSignal): Promise<string> => {
  const path = await foundJava()
  const version = path === undefined ? undefined : await majorOf(path, folder, signal)
  if (path === undefined || version === undefined)
    throw new Failure(`Java is missing. ${installHint('java')}`)
  if (version >= OLDEST_JAVA) return path
  throw new Failure(
    `Java ${version} at ${path} is too old: the OpenAPI generator needs ${OLDEST_JAVA} or later. ${installHint('java')} JAVA_HOME says which one is used.`,
  )
}

const foundJava = async (): Promise<string | undefined> => {
  const home = process.env['JAVA_HOME']
  const own = home === undefined || home === '' ? undefined : await programIn('java', join(home, 'bin'))
  return own ?? programIn('java', searchPath())
}

/** `openjdk version "17.0.15"` is 17, `java version "1.8.0_392"` is 8. */
const majorOf = async (path: string, folder: string, signal: AbortSignal): Promise<number | undefined> => {
  // macOS has a java that only says where to get one.
  const { lines } = await runProgram({ path, args: ['-version'], folder, signal })
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(lines.join('\n')) ?? []
  const major = Number(first === '1' ? second : first)
  return Number.isNaN(major) ? undefined : major
}
