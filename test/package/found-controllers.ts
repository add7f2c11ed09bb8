import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { inject } from 'vitest'
import { type Files, type Folder, folderWithPackage, program, writeAll } from './folders.ts'
import { nativeImport } from './in-process.ts'
import { succeed } from './shell.ts'

/** What a search for controllers gave. */
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
  /** The setting `BASE_DIR`, or that it is `import.meta.dirname` of the entry. */
  readonly baseDir?: string | { readonly ofEntry: boolean }
  /** The working folder, below that of the application. @default the folder of the application */
  readonly cwd?: string
}

/** A search in a process of its own. */
export interface SearchInProcess extends Search {
  /** @default Node 26 without flags */
  readonly node?: string
  /** The entry and modelrest are put into one file. */
  readonly bundled?: boolean
}

/** An application that can be searched for controllers. */
export interface ControllerApplication extends Folder {
  readonly find: (search?: Search) => Promise<Found>
  readonly findInProcess: (search: SearchInProcess) => Promise<Found>
}

const searching = resolve('test/package/searched-controllers.ts')

export const application = (files: Files): ControllerApplication => {
  const folder = folderWithPackage(inject('unpacked'), files)
  const questionOf = ({ entry = 'server.ts', baseDir }: Search) => {
    const file = join(folder.path, entry)
    return { calling: [file], baseDir: typeof baseDir === 'object' ? resolve(file, '..') : baseDir }
  }
  return {
    ...folder,
    find: async (search = {}) => {
      const { searched } = (await nativeImport(searching)) as typeof import('./searched-controllers.ts')
      const before = process.cwd()
      process.chdir(resolve(folder.path, search.cwd ?? '.'))
      try {
        return await searched(questionOf(search))
      } finally {
        process.chdir(before)
      }
    },
    findInProcess: async ({ node = program('node'), bundled = false, ...search }) => {
      const question = questionOf(search)
      const [file] = question.calling
      if (file === undefined) throw new Error('There is no entry.')
      writeAll(folder.path, {
        [search.entry ?? 'server.ts']: `import { searched } from ${JSON.stringify(searching)}
searched(${JSON.stringify(question)}).then((found) => console.log(JSON.stringify(found)))`,
      })
      if (bundled) {
        const built = await rolldown({ input: file, external: /^[^./]/, platform: 'node' })
        await built.write({ file })
      }
      const output = await succeed(`${node} ${file}`, resolve(folder.path, search.cwd ?? '.'))
      return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Found
    },
  }
}
