import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { bundle } from '../../scripts/bundle.ts'
import { emptyFolder, type Files, type Folder, folderWithPackage, program, writeAll } from './folders.ts'
import { succeed } from './shell.ts'

/** What a search for controllers gave, in a process of its own. */
export interface Found {
  readonly summary?: string
  readonly places?: readonly string[]
  /** What each `beforeCreate` gives. */
  readonly created?: readonly unknown[]
  readonly error?: string
  readonly cause?: string
}

export interface Search {
  /** The file that is started. @default 'server.ts' */
  readonly entry?: string
  /** The setting `BASE_DIR`, as source text. */
  readonly baseDir?: string
  /** @default Node 26 without flags */
  readonly node?: string
  /** The working folder, below that of the application. @default the folder of the application */
  readonly cwd?: string
  /** The entry and modelrest are put into one file. */
  readonly bundled?: boolean
}

const searched = ['controller/discovery', 'controller/class', 'controller/controller-for']

/** A copy of the package in which the modules that search for controllers can be imported. */
export const openedPackage = async (unpacked: string): Promise<Folder> => {
  const folder = emptyFolder()
  cpSync(unpacked, folder.path, { recursive: true })
  await bundle(join(folder.path, 'dist'), searched)
  return folder
}

/** The program that searches. It is the entry of the application, so it stands where that one would. */
const searching = (unpacked: string, baseDir: string): string => `
import { findControllers } from ${JSON.stringify(join(unpacked, 'dist/controller/discovery.js'))}
import { controllersOf } from ${JSON.stringify(join(unpacked, 'dist/controller/class.js'))}
import { linkedModel } from ${JSON.stringify(join(unpacked, 'dist/controller/controller-for.js'))}

try {
  const { controllers, summary } = await findControllers({
    apps: ['shop', 'blog'],
    baseDir: ${baseDir},
    calling: [import.meta.filename],
  })
  const served = controllers.map(({ controller }) => ({ name: linkedModel(controller), readOnly: false }))
  const read = controllersOf(controllers, { served, described: served }, { isAsync: true })
  const created = [...read.values()].map(({ hooks }) => hooks.beforeCreate?.(null, {}, null, null))
  console.log(JSON.stringify({ summary, places: controllers.map(({ place }) => place), created }))
} catch (error) {
  if (error.name !== 'StartError') throw error
  console.log(JSON.stringify({ error: error.message, cause: error.cause?.message }))
}
`

/** An application that can be searched for controllers. */
export const application = (
  unpacked: string,
  files: Files,
): Folder & { readonly find: (search?: Search) => Promise<Found> } => {
  const folder = folderWithPackage(unpacked, files)
  const find = async (search: Search = {}): Promise<Found> => {
    const {
      entry = 'server.ts',
      baseDir = 'undefined',
      node = program('node'),
      cwd = '.',
      bundled = false,
    } = search
    const modelrest = join(folder.path, 'node_modules/modelrest')
    writeAll(folder.path, { [entry]: searching(modelrest, baseDir) })
    const file = join(folder.path, entry)
    if (bundled) {
      const built = await rolldown({ input: file, external: /^[^./]/, platform: 'node' })
      await built.write({ file })
    }
    const output = await succeed(`${node} ${file}`, resolve(folder.path, cwd))
    return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Found
  }
  return { ...folder, find }
}
