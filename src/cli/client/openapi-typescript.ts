import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suggest } from '../../error/start-error.ts'
import { Failure } from '../failure.ts'
import { UsageError } from '../usage-error.ts'
import { ownMessage } from './own-message.ts'
import { packageRunner } from './package-runner.ts'
import { registrySettings } from './registry-settings.ts'
import { runProgram } from './run-program.ts'
import type { Tool, ToolSearch } from './tool.ts'

const VERSION = '7.13.0'

/**
 * Exact versions, so that a release of tomorrow does not run on the machines of users. openapi-typescript works only with
 * TypeScript 5, whatever the project has.
 */
const packages = [`openapi-typescript@${VERSION}`, 'typescript@5.9.3']

/** The file of the types. */
export const typesFile = 'schema.d.ts'

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
  if (!isApart) settleIn(workspace, folder)
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
        throw new Failure(`openapi-typescript failed (${end.how}):\n${ownMessage(end)}`)
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
const settleIn = (workspace: string, folder: string): void => {
  writeFileSync(join(workspace, 'package.json'), '{"private":true}')
  const settings = registrySettings(folder)
  if (settings !== undefined) writeFileSync(join(workspace, '.npmrc'), settings, { mode: 0o600 })
}
