import { isBuiltin } from 'node:module'
import { capital, modelNameOf, pathOf, plural } from '../../model/naming.ts'
import { reservedPaths } from '../../model/setup/served.ts'
import { UsageError } from '../terminal/index.ts'
import { projectPackages } from './project-files.ts'

/** A name that npm accepts for a package and every file system for a folder. npm accepts a few more characters. */
const valid = /^[a-z0-9][a-z0-9._-]{0,213}$/

/** Device names, which Windows does not allow for folders and files, with or without an extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/

const rules: readonly (readonly [breaks: (name: string) => boolean, because: string])[] = [
  [
    (name) => !valid.test(name),
    'use lower-case letters, digits, -, . and _, and begin with a letter or a digit',
  ],
  [(name) => name === 'node_modules' || name === 'favicon.ico', 'npm reserves that name'],
  [(name) => name.endsWith('.') || devices.test(name), 'Windows does not allow a folder with that name'],
  [isBuiltin, 'a built-in module of Node has that name'],
  [(name) => projectPackages.includes(name), 'the project depends on a package with that name'],
]

/** The closest name that npm accepts; `undefined` if none of its characters is valid. */
export const toPackageName = (text: string): string | undefined => {
  const name = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .slice(0, 214)
  return [name, `${name}-api`].find((each) => problemOf(each) === undefined)
}

export const assertPackageName = (name: string): void => {
  const problem = problemOf(name)
  if (problem === undefined) return
  const near = toPackageName(name)
  const remedy = near === undefined ? '' : ` Write ${near}.`
  throw new UsageError(`A project cannot be called "${name}": ${problem}.${remedy}`)
}

const problemOf = (name: string): string | undefined => rules.find(([breaks]) => breaks(name))?.[1]

/**
 * Words of templates -> the same words for the project's model. Templates name their model with two words, so that each
 * spelling shows its use: `demoItems` is a variable, `demo_items` a table, `demo-items` a path, `demo item` a text.
 */
export type ModelWords = Readonly<Record<string, string>>

/** @throws UsageError for a name that is invalid for a model */
export const modelWordsOf = (given: string): ModelWords => {
  const problem = modelProblemOf(given)
  if (problem !== undefined)
    throw new UsageError(`--model cannot be "${given}": ${problem}. Write a noun, such as --model article.`)
  const model = modelNameOf(given)
  const words = separated(model)
  const many = separated(plural(model))
  return {
    DemoItem: model,
    demoItems: camel(many),
    demo_items: many.join('_'),
    'demo-items': pathOf(model),
    'demo-item': words.join('-'),
    'demo item': words.join(' '),
  }
}

/** `BlogPost` -> `blog`, `post` */
const separated = (name: string): readonly string[] =>
  name.split(/(?<=[a-z\d])(?=[A-Z])/).map((word) => word.toLowerCase())

const camel = ([first = '', ...others]: readonly string[]): string => first + others.map(capital).join('')

/** The longest name that still fits into the names of PostgreSQL's sequences and constraints. */
const MOST = 40

const modelProblemOf = (given: string): string | undefined => {
  if (!/^[a-z][a-z\d]*([_-][a-z\d]+)*$/i.test(given))
    return 'use letters from a to z and digits, separate words with - or _, and begin with a letter'
  if (given.length > MOST) return `use at most ${MOST} characters`
  const model = modelNameOf(given)
  if (model === 'User' || model === 'ApiKey') return `the project already has a model ${model}`
  if (reservedPaths([]).includes(pathOf(model))) return `the path /${pathOf(model)} is reserved`
  if (devices.test(separated(model).join('-'))) return 'Windows does not allow a file with that name'
  const key = camel(separated(plural(model)))
  if (key === 'arguments') return 'JavaScript reserves the variable name arguments'
  const table = separated(plural(model)).join('_')
  if (table.startsWith('sqlite_')) return 'SQLite reserves the names of tables that begin with sqlite_'
  if (table.endsWith('_migrations')) return `migration tools use table names such as ${table}`
  return modelNameOf(key) === model
    ? undefined
    : `modelrest would derive the model name ${modelNameOf(key)} from the table ${key}, not ${model}`
}
