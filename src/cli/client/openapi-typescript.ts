import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suggest } from '../../error/errors.ts'
import { foldersAbove, readJsonFile } from '../project/place.ts'
import { CliError, UsageError } from '../terminal/index.ts'
import type { Language, Tool, ToolSearch } from './languages.ts'
import { errorOutput, findProgram, runProgram } from './run-program.ts'
import { documentForTypes } from './types-document.ts'

const PROGRAM = 'openapi-typescript'
const VERSION = '7.13.0'

/**
 * Exact versions, so that future releases do not run on the machines of users untested. openapi-typescript needs
 * TypeScript 5, regardless of the version in the project.
 */
const packages = [`openapi-typescript@${VERSION}`, 'typescript@5.9.3']

const TYPES_FILE = 'schema.d.ts'

const flags: readonly string[] = [
  ...['additional-properties', 'alphabetize', 'array-length', 'conditional-enums', 'dedupe-enums'],
  ...['default-non-nullable', 'empty-objects-unknown', 'enum', 'enum-values', 'exclude-deprecated'],
  ...['export-type', 'immutable', 'make-paths-enum', 'path-params-as-types'],
  ...['properties-required-by-default', 'read-write-markers'],
  ...['root-types', 'root-types-keep-casing', 'root-types-no-schema-prefix'],
]

/** openapi-typescript, which the package runner downloads. */
export const openApiTypescript = async (
  needed: Language['properties'],
  { folder, temporary, properties, signal }: ToolSearch,
): Promise<Tool> => {
  const options = Object.entries({ ...needed, ...properties }).map(optionOf)
  const runner = await packageRunner(folder)
  return {
    title: `openapi-typescript ${VERSION}`,
    generate: async ({ document, folder: target, onLine }) => {
      const end = await runProgram({
        path: runner.path,
        args: [
          ...runner.args,
          // The program would treat a star as a pattern.
          pathToFileURL(forTypes(document, temporary)).href.replaceAll('*', '%2A'),
          // The program adds `file://` and parses the result as a URL.
          ...['--output', pathToFileURL(join(target, TYPES_FILE)).pathname],
          ...options,
        ],
        ...{ folder, signal, onLine },
      })
      if (!end.isDone || !existsSync(join(target, TYPES_FILE)))
        throw new CliError(`openapi-typescript failed (${end.how}):\n${errorOutput(end)}`)
      return /openapi-typescript (\d\S*)/.exec(end.lines.join('\n'))?.[1] ?? VERSION
    },
  }
}

/** The path of a document for types, or of the document itself. */
const forTypes = (path: string, temporary: string): string => {
  const document = documentForTypes(readJsonFile(path))
  if (document === undefined) return path
  const copy = join(temporary, 'for-types.json')
  writeFileSync(copy, JSON.stringify(document))
  return copy
}

const optionOf = ([name, value]: readonly [string, string]): string => {
  if (!flags.includes(name))
    throw new UsageError(`--property: unknown property ${name} of openapi-typescript.${suggest(name, flags)}`)
  if (value !== 'true' && value !== 'false')
    throw new UsageError(`--property ${name}=${value}: openapi-typescript accepts only true or false.`)
  return `--${name}=${value}`
}

/** How a package manager runs a program without installing it in the project. */
interface PackageRunner {
  /** The runner and its arguments, which precede those of the program. */
  readonly command: readonly [string, ...string[]]
  readonly files: readonly string[]
}

const packageOptions = packages.map((name) => `--package=${name}`)

const npm: PackageRunner = {
  command: ['npx', '--yes', '--prefer-offline', ...packageOptions, '--', PROGRAM],
  files: ['package-lock.json'],
}

/** Keyed by the start of `npm_config_user_agent`, which names the package manager that started this program. */
const runners: Readonly<Record<string, PackageRunner>> = {
  npm,
  pnpm: {
    command: ['pnpm', ...packageOptions, 'dlx', PROGRAM],
    files: ['pnpm-lock.yaml'],
  },
  // Yarn 1 has neither `dlx` nor this file.
  yarn: {
    command: ['yarn', 'dlx', '--quiet', ...packages.flatMap((name) => ['--package', name]), PROGRAM],
    files: ['.yarnrc.yml'],
  },
  // bunx accepts one package and installs its peer dependencies.
  bun: { command: ['bunx', `openapi-typescript@${VERSION}`], files: ['bun.lock', 'bun.lockb'] },
}

/** The package manager that started this program, that of the project, or npm. */
const packageRunner = async (folder: string) => {
  for (const { command } of [usualRunner(folder), npm]) {
    const [program, ...args] = command
    const path = await findProgram(program, folder)
    if (path !== undefined) return { path, args }
  }
  throw new CliError('Cannot find npx. Install npm, which includes it.')
}

const usualRunner = (folder: string): PackageRunner => {
  const [, name = '', major] = /^(\w+)\/(\d+)/.exec(process.env['npm_config_user_agent'] ?? '') ?? []
  const started = name === 'yarn' && major === '1' ? undefined : runners[name]
  if (started !== undefined) return started
  for (const each of foldersAbove(folder)) {
    const found = Object.values(runners).find(({ files }) =>
      files.some((file) => existsSync(join(each, file))),
    )
    if (found !== undefined) return found
  }
  return npm
}
