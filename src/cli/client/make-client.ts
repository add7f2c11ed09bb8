import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import yoctoSpinner from 'yocto-spinner'
import { describeError, Failure, type Terminal } from '../command.ts'
import { installClient, takeOver } from './install-client.ts'
import type { Generation, Recipe, Tool, ToolSearch } from './languages.ts'
import { openApiGenerator } from './openapi-generator.ts'
import { openApiTypescript } from './openapi-typescript.ts'
import { filesBelow, type OutputFolder, stagingOf } from './output-folder.ts'

/** A client that is asked for. */
interface ClientOrder {
  /** Its name on the command line. */
  readonly language: string
  readonly recipe: Recipe
  readonly properties: Readonly<Record<string, string>>
  readonly output: OutputFolder
  readonly isForced: boolean
  /** Whether everything that the generator says is shown. */
  readonly isVerbose: boolean
  /** Gives the path of the document. It may write it into the folder that it gets. */
  document(workspace: string): Promise<string>
}

/** A client that was generated. */
export interface ClientMade {
  /** Absolute. */
  readonly folder: string
  readonly language: string
  readonly generator: Recipe['tool']
  /** Of the generator. */
  readonly version: string
  /** How many. */
  readonly files: number
}

/**
 * Generates a client beside where it goes, and puts it there when it is whole. What fails or is interrupted leaves
 * nothing behind.
 *
 * @throws Failure for what is missing on this machine, and with the generator's own message
 */
export const makeClient = (order: ClientOrder, terminal: Terminal): Promise<ClientMade> =>
  interruptible(async (signal) => {
    const progress = progressOn(terminal)
    const workspace = newWorkspace()
    try {
      const { language, recipe, properties, output } = order
      progress.step(`Looking for ${recipe.tool} …`)
      const folder = realpathSync(terminal.folder)
      const tool = await findTool(recipe, { folder, workspace, properties, signal })
      progress.step('Reading the OpenAPI document …')
      const document = await unlessAborted(order.document(workspace), signal)
      progress.step(`Generating ${language} with ${tool.title} …`)
      let written = 0
      const onLine = (line: string): void => {
        if (order.isVerbose) progress.note(terminal.colours.dim(line))
        if (!line.includes(' - writing file ')) return
        written += 1
        progress.detail(`file ${written}`)
      }
      const { version, files } = await generated(tool, { document, workspace, onLine }, order)
      return { folder: output.path, language, generator: recipe.tool, version, files }
    } finally {
      progress.end()
      rmSync(workspace, { recursive: true, force: true, maxRetries: 3 })
    }
  })

const newWorkspace = (): string => {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), 'modelrest-client-')))
  } catch (error) {
    throw new Failure(
      `There is no place for what the generator needs on its way: ${describeError(error)}. TMPDIR names the folder for it.`,
    )
  }
}

const generated = async (
  tool: Tool,
  generation: Omit<Generation, 'folder'>,
  { language, recipe, output, isForced }: ClientOrder,
): Promise<Pick<ClientMade, 'version' | 'files'>> => {
  const staging = stagingOf(output)
  try {
    if (recipe.tool === 'openapi-generator') takeOver(output, staging.folder)
    const version = await tool.generate({ ...generation, folder: staging.folder })
    if (filesBelow(staging.folder).length === 0) throw new Failure(`${tool.title} generated nothing.`)
    const about = { language, generator: recipe.tool, version }
    return { version, files: installClient(staging.folder, output, about, isForced) }
  } finally {
    staging.remove()
  }
}

const unlessAborted = async <Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const refuse = (): void => reject(signal.reason)
  signal.addEventListener('abort', refuse, { once: true })
  try {
    return await Promise.race([value, promise])
  } finally {
    signal.removeEventListener('abort', refuse)
  }
}

/** Finds what a language is generated with. @throws Failure where something is missing on this machine */
const findTool = (recipe: Recipe, search: ToolSearch): Promise<Tool> =>
  recipe.tool === 'openapi-typescript' ? openApiTypescript(search) : openApiGenerator(recipe, search)

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Does something that is undone when it is interrupted (Ctrl-C): the act gets a signal, and has the time that it needs
 * to tidy up. Then this process ends by what interrupted it, as whoever started it expects.
 */
const interruptible = async <Result>(act: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
  const interruption = new AbortController()
  let caught: NodeJS.Signals | undefined
  const interrupt = (signal: NodeJS.Signals): void => {
    caught ??= signal
    interruption.abort(new Failure('Interrupted. Nothing was written.'))
  }
  for (const signal of signals) process.on(signal, interrupt)
  try {
    return await act(interruption.signal)
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
    if (caught !== undefined) process.kill(process.pid, caught)
  }
}

/** What is shown while something works. */
interface Progress {
  /** A new step. */
  step(text: string): void
  /** More about the step, for those who watch. */
  detail(text: string): void
  /** A line that stays. */
  note(line: string): void
  end(): void
}

/** On a terminal something turns; elsewhere each step is a line. */
const progressOn = (terminal: Terminal): Progress => (isWatched() ? turning(terminal) : plain(terminal))

const isWatched = (): boolean =>
  process.stderr.isTTY && process.env['TERM'] !== 'dumb' && process.env['CI'] === undefined

const plain = ({ note }: Terminal): Progress => ({
  step: note,
  detail: () => undefined,
  note,
  end: () => undefined,
})

const turning = ({ note, colours }: Terminal): Progress => {
  const spinner = yoctoSpinner({ stream: process.stderr, handleSignals: false })
  let current = ''
  const show = (text: string): void => {
    spinner.text = text
    spinner.start()
  }
  return {
    step: (text) => {
      current = text
      show(text)
    },
    detail: (text) => show(`${current} ${colours.dim(text)}`),
    note,
    end: () => void spinner.stop(),
  }
}
