import { isBuiltin } from 'node:module'
import { UsageError } from '../usage-error.ts'

/** What npm takes for a new package, and every file system for a folder. npm takes a few more characters. */
const valid = /^[a-z0-9][a-z0-9._-]{0,213}$/

/** Names of devices, which Windows gives to no folder, also with an ending. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/

/** The rules, with what breaks them. */
const rules: readonly (readonly [breaks: (name: string) => boolean, because: string])[] = [
  [(name) => !valid.test(name), 'npm takes lower-case letters, digits, - . and _, a letter or digit first'],
  [(name) => name === 'node_modules' || name === 'favicon.ico', 'npm keeps that name for itself'],
  [(name) => name.endsWith('.') || devices.test(name), 'Windows has no folder of that name'],
  [isBuiltin, 'a module of Node has that name'],
]

/** The closest name that npm takes; `undefined` where nothing is left. */
export const toPackageName = (text: string, taken: readonly string[] = []): string | undefined => {
  const name = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 214)
  const found = [name, `${name}-api`].find((each) => broken(each, taken) === undefined)
  return found
}

/**
 * @param taken names of the packages that the project depends on
 * @throws UsageError for a name that the package of a project cannot have
 */
export const assertPackageName = (name: string, taken: readonly string[]): void => {
  const because = broken(name, taken)
  if (because === undefined) return
  const near = toPackageName(name, taken)
  const remedy = near === undefined ? '' : ` Write ${near}.`
  throw new UsageError(`A project cannot be called "${name}": ${because}.${remedy}`)
}

const broken = (name: string, taken: readonly string[]): string | undefined =>
  taken.includes(name)
    ? 'the project depends on the package of that name'
    : rules.find(([breaks]) => breaks(name))?.[1]
