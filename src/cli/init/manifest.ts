import { Failure } from '../failure.ts'
import type { OwnPackage } from './own-package.ts'

/** What the project runs with. */
const dependencies = ['better-sqlite3', 'drizzle-orm', 'fastify', 'zod'] as const

/** What it is developed with. `node` is the Node of its scripts, whatever is installed beside. */
const devDependencies = [
  ...['@types/better-sqlite3', '@types/node', 'drizzle-kit', 'node', 'typescript'],
] as const

/** The packages that a project depends on. None of them can be its name. */
export const projectPackages: readonly string[] = ['modelrest', ...dependencies, ...devDependencies]

/** What package.json says. */
export interface Manifest {
  readonly name: string
  readonly title: string
  /** Where modelrest comes from: a range of versions, or `file:`. */
  readonly modelrest: string
  /** Ranges of other packages. */
  readonly tested: OwnPackage['tested']
}

/** The text of package.json. */
export const manifestOf = ({ name, title, modelrest, tested }: Manifest): string => {
  const ranges = (names: readonly string[]) => names.map((each) => [each, rangeOf(each, tested)] as const)
  const manifest = {
    name,
    version: '0.1.0',
    description: title,
    private: true,
    type: 'module',
    engines: { node: '>=22.18' },
    scripts: {
      dev: 'node --watch server.ts',
      start: 'node server.ts',
      'migrate:generate': 'drizzle-kit generate',
      typecheck: 'tsc',
      routes: 'modelrest routes',
      check: 'modelrest check',
      client: 'modelrest generate-client typescript-types --output client',
    },
    dependencies: sorted([...ranges(dependencies), ['modelrest', modelrest]]),
    devDependencies: sorted(ranges(devDependencies)),
    // npm asks before it runs what packages bring to run at their installation. Only `node` fetches something so.
    allowScripts: { 'better-sqlite3': false, esbuild: false, node: true },
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

const rangeOf = (name: string, tested: Manifest['tested']): string => {
  const range = tested[name]
  if (range === undefined) throw new Failure(`The package.json of modelrest names no version of ${name}.`)
  return range
}

const sorted = (entries: readonly (readonly [string, string])[]): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
