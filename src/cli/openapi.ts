import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Command } from 'commander'
import { describeError, Failure, type MakeCommand, UsageError } from './command.ts'
import { answerOf } from './project/ask-project.ts'
import { type PlaceOptions, withPlace } from './project/place.ts'

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
    throw new Failure(`${name} cannot be written: ${describeError(error)}`)
  }
}

/**
 * Writes a file whole or not at all: where the disk is full, what was there stays. Links stay links, and a file keeps its
 * mode and its owner. What is no file, as `/dev/stdout`, is written as it is.
 *
 * @throws the system's error
 */
const replaceFile = (path: string, text: string): void => {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there === undefined ? isLink(path) : !there.isFile()) {
    writeFileSync(path, text)
    return
  }
  try {
    // A rename asks the folder alone.
    if (there !== undefined) accessSync(path, constants.W_OK)
    exchange(there === undefined ? path : realpathSync(path), text, there)
  } catch (error) {
    if (isNoSpace(error)) throw error
    // A folder that takes no new files, a file that is a mount of its own, or the file of someone else.
    writeFileSync(path, text)
  }
}

/** Puts a new file in the place of one. */
const exchange = (path: string, text: string, alike: Stats | undefined): void => {
  const beside = join(dirname(path), `.modelrest-${crypto.randomUUID()}`)
  try {
    writeFileSync(beside, text, { flag: 'wx', flush: true })
    if (alike !== undefined) makeAlike(beside, alike)
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

/** It has no file behind it. */
const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

const makeAlike = (path: string, { uid, gid, mode }: Stats): void => {
  chownSync(path, uid, gid)
  // A change of the owner takes a part of the mode away.
  chmodSync(path, mode)
}

const noSpace: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'])

const isNoSpace = (error: unknown): boolean => noSpace.has(Reflect.get(Object(error), 'code'))
