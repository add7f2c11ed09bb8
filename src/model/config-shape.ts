import { StartError, suggest } from '../error/start-error.ts'
import type { ModelConfig, ModelConfigs } from './configure.ts'
import type { Model } from './model.ts'
import { isPlainObject } from './plain-object.ts'

/** What a key of `modelConfig` takes. */
interface Shape {
  readonly takes: string
  readonly fits: (value: unknown) => boolean
  /** An empty one says something. */
  readonly mayBeEmpty?: true
}

const isNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

const isYesOrNo = (value: unknown): boolean => value === undefined || typeof value === 'boolean'

const text: Shape = { takes: 'a text', fits: (value) => typeof value === 'string' }
const yesOrNo: Shape = { takes: 'true or false', fits: isYesOrNo }
const names: Shape = { takes: 'an array of field names', fits: isNames }
const choice: Shape = {
  takes: 'an array of field names, or a map of them to true or false',
  fits: (value) => isNames(value) || (isPlainObject(value) && Object.values(value).every(isYesOrNo)),
}
const countKeys = ['default', 'allowed']
const count: Shape = {
  takes: '{ default, allowed }',
  fits: (value) =>
    isPlainObject(value) &&
    Object.keys(value).every((key) => countKeys.includes(key)) &&
    (value['allowed'] === undefined || isNames(value['allowed'])),
}

const shapes: { readonly [Key in keyof Required<ModelConfig>]: Shape } = {
  path: text,
  hidden: choice,
  readOnly: choice,
  writeOnly: choice,
  optional: choice,
  search: { ...names, mayBeEmpty: true },
  count,
  public: {
    takes: "true, false or 'read'",
    fits: (value) => isYesOrNo(value) || value === 'read',
  },
  internal: yesOrNo,
  deprecated: yesOrNo,
}

/** @throws StartError for a config of no model, and for what is none */
export const assertConfigs = (described: readonly Model[], modelConfig: ModelConfigs): void => {
  if (!isPlainObject(modelConfig))
    throw new StartError("modelConfig must be an object, as { Product: { path: '…' } }.")
  const names = described.map((model) => model.name)
  for (const [name, config] of Object.entries(modelConfig)) {
    if (!names.includes(name))
      throw new StartError(`modelConfig: there is no model ${name}.${suggest(name, names)}`)
    assertConfig(name, config)
  }
}

/** @throws StartError for an unknown key of a model's config, or a value of another shape than its key takes. */
const assertConfig = (model: string, config: unknown): void => {
  if (config === undefined) return
  if (!isPlainObject(config)) {
    throw new StartError(`modelConfig.${model} must be an object, as { path: '…', hidden: ['…'] }.`)
  }
  if (isEmpty(config)) throw changesNothing(`modelConfig.${model}`)
  for (const [key, value] of Object.entries(config)) {
    const shape: Shape | undefined = Object.hasOwn(shapes, key) ? Reflect.get(shapes, key) : undefined
    if (shape === undefined) throw unknownKey(model, key)
    if (value !== undefined && !shape.fits(value)) {
      throw new StartError(`modelConfig.${model}.${key} must be ${shape.takes}.`)
    }
    if (shape.mayBeEmpty !== true && isEmpty(value)) throw changesNothing(`modelConfig.${model}.${key}`)
  }
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const changesNothing = (place: string): StartError =>
  new StartError(`${place} is empty and changes nothing. Remove it, or give undefined.`)

const unknownKey = (model: string, key: string): StartError =>
  new StartError(`modelConfig.${model} has no key ${key}.${suggest(key, Object.keys(shapes))}`)
