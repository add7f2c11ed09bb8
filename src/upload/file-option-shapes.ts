import { StartError, suggest } from '../error/start-error.ts'
import { isPlainObject } from '../model/plain-object.ts'

const acts: readonly string[] = ['create', 'update']

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

/** @throws StartError for an option of files of another shape than it takes. */
export const assertFileOptions = (options: object): void => {
  assertFileFields(Reflect.get(options, 'fileFields'))
  assertUseMultipart(Reflect.get(options, 'useMultipart'))
  for (const name of ['autoDetectFiles', 'autoMultipart']) {
    const value: unknown = Reflect.get(options, name)
    if (value !== undefined && typeof value !== 'boolean') {
      throw new StartError(`The option ${name} must be true or false.`)
    }
  }
}

const assertFileFields = (given: unknown): void => {
  for (const [model, names] of entriesOf('fileFields', "{ Product: ['photo'] }", given)) {
    if (names !== undefined && !isNames(names))
      throw new StartError(`fileFields.${model} must be an array of field names.`)
  }
}

const assertUseMultipart = (given: unknown): void => {
  for (const [model, chosen] of entriesOf('useMultipart', '{ Product: { create: true } }', given)) {
    if (chosen === undefined) continue
    if (!isPlainObject(chosen)) throw new StartError(`useMultipart.${model} must be { create, update }.`)
    for (const [act, value] of Object.entries(chosen)) {
      if (!acts.includes(act))
        throw new StartError(`useMultipart.${model} has no key ${act}.${suggest(act, acts)}`)
      if (value !== undefined && typeof value !== 'boolean')
        throw new StartError(`useMultipart.${model}.${act} must be true or false.`)
    }
  }
}

const entriesOf = (option: string, example: string, given: unknown): readonly [string, unknown][] => {
  if (given === undefined) return []
  if (!isPlainObject(given)) throw new StartError(`The option ${option} must be an object, as ${example}.`)
  return Object.entries(given)
}
