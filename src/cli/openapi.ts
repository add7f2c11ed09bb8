import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Command } from 'commander'
import { reasonOf } from './client/reason-of.ts'
import type { MakeCommand } from './command.ts'
import { Failure } from './failure.ts'
import { answerOf } from './project/answer-of.ts'
import { type PlaceOptions, withPlace } from './project/place.ts'
import { replaceFile } from './replace-file.ts'
import { UsageError } from './usage-error.ts'

interface Options extends PlaceOptions {
  readonly output?: string
  readonly check: boolean
}

/** `modelrest openapi`: the OpenAPI document, without a server. */
export const openapi: MakeCommand = (terminal) =>
  withPlace(new Command('openapi').description('Write the OpenAPI document, without a server.'))
    .option('-o, --output <file>', 'where to write it (default: stdout)')
    .option(
      '--check',
      'write nothing, and fail where the file says something else than what would be written',
      false,
    )
    .action(async (options: Options) => {
      const { output, check } = options
      if (check && output === undefined)
        throw new UsageError('--check needs --output: the file to compare with.')
      const text = JSON.stringify(await answerOf('openapi', undefined, options, terminal), undefined, 2)
      if (output === undefined) return terminal.print(text)
      const path = resolve(terminal.folder, output)
      if (check) return assertSame(path, `${text}\n`, output)
      write(path, `${text}\n`, output)
      terminal.note(`${output} is written.`)
    })

const assertSame = (path: string, text: string, name: string): void => {
  const there = read(path)
  if (there !== undefined && isDeepStrictEqual(json(there), json(text))) return
  const what = there === undefined ? 'is not there' : 'differs from what the API is now'
  throw new Failure(`${name} ${what}. Write it: modelrest openapi --output ${name}`)
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** What a text says. Spaces, ends of lines and the order of members say nothing. `undefined`: it is no JSON. */
const json = (text: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

const write = (path: string, text: string, name: string): void => {
  try {
    replaceFile(path, text)
  } catch (error) {
    throw new Failure(`${name} cannot be written: ${reasonOf(error)}`)
  }
}
