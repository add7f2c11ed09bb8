import type { FoundController } from '../controller/class.ts'
import { linkedModel } from '../controller/controller-for.ts'
import { type ModelOption, partOptions } from '../controller/model-parts.ts'
import { StartError } from '../error/errors.ts'
import { isPlainObject, ownValue, type Values } from '../model/objects.ts'
import type { ModelRestOptions } from './options.ts'

/** A place in the options, such as `modelConfig.Product.hidden` -> the place in the controller that sets it instead. */
export type ControllerPlaces = ReadonlyMap<string, string>

interface Merged {
  readonly options: ModelRestOptions<unknown>
  readonly places: ControllerPlaces
}

/**
 * The options, with the configuration of models that controllers have. Models that do not exist are left to the check of controllers.
 *
 * @throws StartError if an option and a controller set the same key
 */
export const withControllers = (
  given: ModelRestOptions<unknown>,
  found: readonly FoundController[],
): Merged => {
  const places = new Map<string, string>()
  const merged = new Map<ModelOption, Values>()
  const models = new Set(given.models.models.map(({ name }) => name))
  for (const { model, key, option, value, place } of found.flatMap(keysOf)) {
    const before: unknown = Reflect.get(given, option) ?? {}
    const own = isPlainObject(before) ? ownValue(before, model) : before
    const isKey = option === 'modelConfig'
    // An option of the wrong type has an error of its own.
    const isMistaken = !isPlainObject(before) || (isKey && !isPlainObject(own ?? {}))
    if (isMistaken || !models.has(model)) continue
    const at = isKey ? `${option}.${model}.${key}` : `${option}.${model}`
    if ((isKey ? ownValue(Object(own), key) : own) !== undefined)
      throw new StartError(`${at} is also set by ${place}: ${key}. Remove one of them.`)
    places.set(at, `${place}: ${key}`)
    if (isKey && own === undefined) places.set(`${option}.${model}`, place)
    const all = merged.get(option) ?? before
    const more = isKey ? { ...Object(ownValue(all, model)), [key]: value } : value
    merged.set(option, { ...all, [model]: more })
  }
  return { options: places.size === 0 ? given : { ...given, ...Object.fromEntries(merged) }, places }
}

const keysOf = ({ controller, place }: FoundController) =>
  [...partOptions].flatMap(([key, option]) => {
    const value: unknown = Reflect.get(controller, key)
    return value === undefined ? [] : [{ model: linkedModel(controller) ?? '', key, option, value, place }]
  })

/** The error, with the places in controllers instead of places in options that do not exist. */
export const inControllers = (error: unknown, given: ControllerPlaces): unknown => {
  if (!(error instanceof StartError)) return error
  // The longest first, because `modelConfig.Product` begins `modelConfig.Product.hidden`.
  const places = [...given].sort(([one], [other]) => other.length - one.length)
  const message = places.reduce(
    (text, [at, place]) =>
      text.replaceAll(new RegExp(`(?<!\\w)${at.replaceAll('.', '\\.')}(?!\\w)`, 'g'), () => place),
    error.message,
  )
  return message === error.message ? error : new StartError(message, { cause: error })
}
