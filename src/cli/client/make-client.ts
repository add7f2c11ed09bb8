import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Terminal } from '../command.ts'
import { Failure } from '../failure.ts'
import { filesBelow } from './files-below.ts'
import { findTool } from './find-tool.ts'
import { installClient, takeOver } from './install-client.ts'
import { interruptible } from './interruptible.ts'
import type { Recipe } from './languages.ts'
import { type OutputFolder, stagingOf } from './output-folder.ts'
import { progressOn } from './progress.ts'
import { reasonOf } from './reason-of.ts'
import type { Generation, Tool } from './tool.ts'

/** A client that is asked for. */
export interface ClientOrder {
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
      `There is no place for what the generator needs on its way: ${reasonOf(error)}. TMPDIR names the folder for it.`,
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
