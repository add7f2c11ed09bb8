import { parseArgs } from 'node:util'
import { suggest } from '../error/start-error.ts'
import type { Command, Given } from './command.ts'
import { UsageError } from './usage-error.ts'

/** What a line asks for. */
export interface Asked {
  /** `undefined`: help of the program itself. */
  readonly command: Command | undefined
  readonly wantsHelp: boolean
  readonly given: Given
}

const help = { help: { type: 'boolean', short: 'h' } } as const

/** @throws UsageError for unknown commands, options, and values that are missing or too many */
export const readArguments = (line: readonly string[], commands: readonly Command[]): Asked => {
  const first = line.findIndex((word) => word.startsWith('-'))
  const words = first === -1 ? line : line.slice(0, first)
  if (words.length === 0) return { command: undefined, ...parsed(line, help) }
  const command = commands.find(({ name }) => isBegun(name, words))
  if (command === undefined) throw unknownCommand(words, commands)
  const rest = line.slice(command.name.split(' ').length)
  return { command, ...parsed(rest, { ...command.options, ...help }) }
}

const isBegun = (name: string, words: readonly string[]): boolean =>
  name.split(' ').every((word, index) => word === words[index])

const unknownCommand = (words: readonly string[], commands: readonly Command[]): UsageError => {
  const written = words.join(' ')
  const names = commands.map(({ name }) => name)
  return new UsageError(`There is no command ${written}.${suggest(written, names)}`)
}

const parsed = (
  args: readonly string[],
  options: Command['options'],
): { readonly wantsHelp: boolean; readonly given: Given } => {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'positional') throw new UsageError(`${token.value} is no option. ${listed(options)}`)
    if (token.kind === 'option' && !Object.hasOwn(options, token.name))
      throw new UsageError(`There is no option ${token.rawName}.${suggest(token.rawName, written(options))}`)
  }
  try {
    const { help: wantsHelp, ...given } = parseArgs({ args: [...args], options }).values
    return { wantsHelp: wantsHelp === true, given: given as Given }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const written = (options: Command['options']): readonly string[] =>
  Object.keys(options).map((name) => `--${name}`)

const listed = (options: Command['options']): string => `Options: ${written(options).join(', ')}.`
