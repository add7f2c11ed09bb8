import { readFileSync } from 'node:fs'
import { rolldown } from 'rolldown'

/** The files that package.json names, by their path below `src`. */
export const published = (): readonly string[] => {
  const about: unknown = JSON.parse(readFileSync('package.json', 'utf8'))
  const named = JSON.stringify([Reflect.get(Object(about), 'exports'), Reflect.get(Object(about), 'bin')])
  return [...named.matchAll(/"(?:\.\/)?dist\/([^"]+)\.js"/g)].map(([, path = '']) => path)
}

/**
 * Puts the modules of `src` into a file for each entry and some that entries share: Node takes longer to find and open 150
 * small modules than to read them.
 *
 * @param more further modules of `src`, which a test imports
 */
export const bundle = async (directory: string, more: readonly string[] = []): Promise<void> => {
  const paths = [...published(), 'cli/project/answering', 'serve/index', 'serve/sqlite-child', ...more]
  const built = await rolldown({
    input: Object.fromEntries(paths.map((path) => [path, `src/${path}.ts`])),
    external: /^[^./]/,
    platform: 'node',
    tsconfig: false,
  })
  await built.write({
    dir: directory,
    entryFileNames: '[name].js',
    comments: false,
    // Most entries need some of these, which are small.
    codeSplitting: { groups: [{ name: 'errors', test: /\/src\/error\// }] },
    // As deep as the modules in them: some find other files of the package by their own path.
    chunkFileNames: ({ name, moduleIds }) => {
      const file = name === 'src' ? 'core' : name
      return moduleIds.some((id) => id.includes('/src/cli/')) ? `cli/shared/${file}.js` : `shared/${file}.js`
    },
  })
  await built.close()
}
