import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Command } from 'commander'
import { projectAnswer } from './project/ask-project.ts'
import { type PlaceOptions, readJsonFile, withPlace } from './project/place.ts'
import { CliError, describeError, type MakeCommand, UsageError } from './terminal/index.ts'

type Options = PlaceOptions & { readonly output?: string; readonly check: boolean }

export const openapi: MakeCommand = (terminal) =>
  withPlace(new Command('openapi').description('Write the OpenAPI document, without a server.'))
    .option('-o, --output <file>', 'the file to write (default: stdout)')
    .option('--check', 'write nothing, and fail if the file differs from the current API', false)
    .action(async (options: Options) => {
      const { output, check } = options
      if (check && output === undefined)
        throw new UsageError('--check requires --output, the file to compare with.')
      const text = JSON.stringify(await projectAnswer('openapi', undefined, options, terminal), undefined, 2)
      if (output === undefined) return terminal.print(text)
      const path = resolve(terminal.folder, output)
      if (check) return assertSame(path, `${text}\n`, output)
      try {
        replaceFile(path, `${text}\n`)
      } catch (error) {
        throw new CliError(`Cannot write ${output}: ${describeError(error)}`)
      }
      terminal.note(`Wrote ${output}.`)
    })

const assertSame = (path: string, text: string, name: string): void => {
  const isThere = existsSync(path)
  if (isThere && isDeepStrictEqual(read(path), JSON.parse(text))) return
  const what = isThere ? 'differs from the current API' : 'does not exist'
  throw new CliError(`${name} ${what}. Run modelrest openapi --output ${name}`)
}

/** `undefined`: not a JSON file. */
const read = (path: string): unknown => {
  try {
    return readJsonFile(path)
  } catch {
    return undefined
  }
}

/**
 * Writes a file completely or not at all: if the disk is full, the previous file stays. Links stay links, and a file
 * keeps its mode. Devices such as `/dev/stdout` are written directly.
 *
 * write-file-atomic 8 and atomically 2 do not notice a short write on a disk that is nearly full, and leave a truncated
 * file.
 */
const replaceFile = (path: string, text: string): void => {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there?.isFile() === false) {
    writeFileSync(path, text)
    return
  }
  const target = there === undefined ? path : realpathSync(path)
  const beside = `${target}.${randomUUID()}`
  try {
    writeFileSync(beside, text, { flag: 'wx', flush: true })
    if (there !== undefined) chmodSync(beside, there.mode)
    renameSync(beside, target)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
