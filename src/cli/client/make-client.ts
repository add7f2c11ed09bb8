import { rmSync } from 'node:fs'
import { join } from 'node:path'
import yoctoSpinner from 'yocto-spinner'
import { Failure, type Terminal } from '../command.ts'
import type { Recipe } from './languages.ts'
import { openApiGenerator } from './openapi-generator.ts'
import { openApiTypescript } from './openapi-typescript.ts'
import {
  copyIgnoreRules,
  filesBelow,
  type GeneratedClient,
  installClient,
  type OutputFolder,
  temporaryFolder,
} from './output-folder.ts'

interface ClientOrder {
  readonly language: string
  readonly recipe: Recipe
  readonly properties: Readonly<Record<string, string>>
  readonly output: OutputFolder
  readonly isForced: boolean
  readonly isVerbose: boolean
  /** Gives the path of the document. It may write it into the folder that it gets. */
  document(temporary: string): Promise<string>
}

interface ClientMade extends Omit<GeneratedClient, 'files'> {
  readonly folder: string
  /** How many. */
  readonly files: number
}

/**
 * Generates a client in a folder for itself, and moves it to its place when it is whole. If it fails or is interrupted,
 * nothing is left of it.
 */
export const makeClient = (order: ClientOrder, terminal: Terminal): Promise<ClientMade> =>
  interruptible(async (signal) => {
    const { language, recipe, properties, output } = order
    const progress = progressOn(terminal)
    const temporary = temporaryFolder(output)
    try {
      progress.step(`Looking for ${recipe.tool} …`)
      const search = { folder: terminal.folder, temporary, properties, signal }
      const tool = await (recipe.tool === 'openapi-typescript'
        ? openApiTypescript(search)
        : openApiGenerator(recipe, search))
      progress.step('Reading the OpenAPI document …')
      const document = await Promise.race([order.document(temporary), rejectionOf(signal)])
      progress.step(`Generating ${language} with ${tool.title} …`)
      let written = 0
      const onLine = (line: string): void => {
        if (order.isVerbose) terminal.note(terminal.colours.dim(line))
        if (!line.includes(' - writing file ')) return
        written += 1
        progress.detail(`file ${written}`)
      }
      const folder = join(temporary, 'client')
      if (recipe.tool === 'openapi-generator') copyIgnoreRules(output, folder)
      const version = await tool.generate({ document, folder, onLine })
      if (filesBelow(folder).length === 0) throw new Failure(`${tool.title} generated nothing.`)
      const about = { language, generator: recipe.tool, version }
      const files = installClient(temporary, output, about, order.isForced)
      return { folder: output.path, ...about, files }
    } finally {
      progress.end()
      rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
    }
  })

const rejectionOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Does something that may be interrupted (Ctrl-C): the act gets a signal, and has the time that it needs to tidy up. Then
 * this process ends by the signal that interrupted it, as its parent expects.
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

interface Progress {
  step(text: string): void
  /** More about the step, for those who watch. */
  detail(text: string): void
  end(): void
}

/** On a terminal something turns; elsewhere each step is a line. */
const progressOn = ({ note, colours }: Terminal): Progress => {
  const isWatched = process.stderr.isTTY && process.env['TERM'] !== 'dumb' && process.env['CI'] === undefined
  if (!isWatched) return { step: note, detail: () => undefined, end: () => undefined }
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
    end: () => void spinner.stop(),
  }
}
