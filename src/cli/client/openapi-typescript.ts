import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suggest } from '../../error/errors.ts'
import { describeError, Failure, UsageError } from '../command.ts'
import { projectFolders, upward } from '../project/place.ts'
import type { Tool, ToolSearch } from './languages.ts'
import { errorOutput, findProgram, installHint, runProgram } from './run-program.ts'

const VERSION = '7.13.0'

/**
 * Exact versions, so that a release of tomorrow does not run on the machines of users. openapi-typescript works only with
 * TypeScript 5, whatever the project has.
 */
const packages = [`openapi-typescript@${VERSION}`, 'typescript@5.9.3']

/** The file of the types. */
const typesFile = 'schema.d.ts'

const flags: readonly string[] = [
  ...['additional-properties', 'alphabetize', 'array-length', 'conditional-enums', 'dedupe-enums'],
  ...[
    'default-non-nullable',
    'empty-objects-unknown',
    'enum',
    'enum-values',
    'exclude-deprecated',
    'export-type',
  ],
  ...['immutable', 'make-paths-enum', 'path-params-as-types', 'properties-required-by-default'],
  ...['read-write-markers', 'root-types', 'root-types-keep-casing', 'root-types-no-schema-prefix'],
]

/**
 * openapi-typescript, which the package runner gets from the registry.
 *
 * @throws Failure where there is no package runner; UsageError for properties that are none of its flags
 */
export const openApiTypescript = async ({
  folder,
  workspace,
  properties,
  signal,
}: ToolSearch): Promise<Tool> => {
  const options = Object.entries(properties).map(optionOf)
  const { path, args, isApart } = await packageRunner(folder)
  if (!isApart) isolate(workspace, folder)
  return {
    title: `openapi-typescript ${VERSION}`,
    generate: async ({ document, folder: target, onLine }) => {
      const end = await runProgram({
        path,
        args: [
          ...args(packages, 'openapi-typescript'),
          // It takes a star for a pattern.
          pathToFileURL(document).href.replaceAll('*', '%2A'),
          // It puts `file://` before this, and reads that as a URL.
          ...['--output', pathToFileURL(join(target, typesFile)).pathname],
          ...options,
        ],
        folder: isApart ? folder : workspace,
        signal,
        onLine,
      })
      if (!end.isDone || !existsSync(join(target, typesFile)))
        throw new Failure(`openapi-typescript failed (${end.how}):\n${errorOutput(end)}`)
      return /openapi-typescript (\d\S*)/.exec(end.lines.join('\n'))?.[1] ?? VERSION
    },
  }
}

const optionOf = ([name, value]: readonly [string, string]): string => {
  if (!flags.includes(name))
    throw new UsageError(`--property: openapi-typescript has no ${name}.${suggest(name, flags)}`)
  if (value !== 'true' && value !== 'false')
    throw new UsageError(`--property ${name}=${value}: openapi-typescript takes true or false.`)
  return `--${name}=${value}`
}

/** Makes a folder one in which nothing is installed. The registry is the project's. */
const isolate = (workspace: string, folder: string): void => {
  writeFileSync(join(workspace, 'package.json'), '{"private":true}')
  const settings = registrySettings(folder)
  if (settings !== undefined) writeFileSync(join(workspace, '.npmrc'), settings, { mode: 0o600 })
}

/** A program that runs a program of npm's registry without installing it in the project. */
interface Kind {
  readonly program: string
  /** It takes nothing that a project has installed, and so can run in the project, by the settings of that. */
  readonly isApart: boolean
  /** Before the arguments of the program. */
  args(packages: readonly string[], program: string): readonly string[]
}

/** A package runner that is there. */
interface PackageRunner {
  readonly path: string
  readonly isApart: boolean
  readonly args: Kind['args']
}

const npx: Kind = {
  program: 'npx',
  isApart: false,
  args: (packages, program) => [
    ...['--yes', '--prefer-offline'],
    ...packages.flatMap((name) => ['--package', name]),
    ...['--', program],
  ],
}

const pnpm: Kind = {
  program: 'pnpm',
  isApart: true,
  args: (packages, program) => [...packages.map((name) => `--package=${name}`), 'dlx', program],
}

const yarn: Kind = {
  program: 'yarn',
  isApart: true,
  args: (packages, program) => [
    'dlx',
    '--quiet',
    ...packages.flatMap((name) => ['--package', name]),
    program,
  ],
}

/** It takes one package, and installs what that asks for. */
const bunx: Kind = { program: 'bunx', isApart: false, args: ([first = '']) => [first] }

/** By the first word of `npm_config_user_agent`, which tells who started this program. Yarn 1 has no `dlx`. */
const byAgent: Readonly<Record<string, Kind>> = { npm: npx, pnpm, bun: bunx }

/** By the file that a project has. Those of yarn 2 and later have this one. */
const byFile: Readonly<Record<string, Kind>> = {
  'package-lock.json': npx,
  'pnpm-lock.yaml': pnpm,
  '.yarnrc.yml': yarn,
  'bun.lock': bunx,
  'bun.lockb': bunx,
}

/**
 * The package runner that the project uses, else npx.
 *
 * @throws Failure where there is none
 */
const packageRunner = async (folder: string): Promise<PackageRunner> => {
  for (const { program, ...kind } of [usual(folder), npx]) {
    const path = await findProgram([program], folder)
    if (path !== undefined) return { path, ...kind }
  }
  throw new Failure(`The program npx, which comes with npm, is missing. ${installHint('npx')}`)
}

const usual = (folder: string): Kind => {
  const [agent = '', version = ''] =
    (process.env['npm_config_user_agent'] ?? '').split(' ', 1)[0]?.split('/') ?? []
  return (agent === 'yarn' && !version.startsWith('1.') ? yarn : byAgent[agent]) ?? kindOf(folder)
}

const kindOf = (folder: string): Kind => {
  for (const each of upward(folder))
    for (const [name, kind] of Object.entries(byFile)) if (existsSync(join(each, name))) return kind
  return npx
}

/**
 * What the `.npmrc` files of a project say, which name its registry: of a folder, and of those above as far as the root
 * of its workspace. The last of two lines with one key counts, so that the nearest file comes last.
 *
 * @returns undefined where there is none
 * @throws Failure where one cannot be read
 */
const registrySettings = (folder: string): string | undefined => {
  const texts = projectFolders(folder)
    .map((each) => join(each, '.npmrc'))
    .filter((file) => existsSync(file))
    .map(textOf)
  return texts.length === 0 ? undefined : texts.toReversed().join('\n')
}

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Failure(`The settings of the registry cannot be read: ${describeError(error)}.`)
  }
}
