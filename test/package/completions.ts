import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from 'typescript/unstable/sync'

/**
 * What an editor offers in a file of a project, at each `¦` of its text, in their order.
 *
 * @param config the project's tsconfig
 */
export const completions = (config: string, folder: string, text: string): readonly (readonly string[])[] => {
  const [first = '', ...rest] = text.split('¦')
  const places = rest.map((_, index) => [first, ...rest.slice(0, index)].join('').length)
  const file = join(folder, 'completions.ts')
  writeFileSync(file, [first, ...rest].join(''))
  const api = new API({ cwd: folder })
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects()
    if (project === undefined) throw new Error(`${config} is no project.`)
    return places.map((place) => {
      const found = project.checker.getCompletionsAtPosition(file, place)
      return (found?.entries ?? []).map(({ name }) => name.replace('?', '')).toSorted()
    })
  } finally {
    api.close()
  }
}
