import { assertKnown, StartError } from '../error/errors.ts'
import type { Model } from '../model/model.ts'
import { kebab } from '../model/naming.ts'
import { isPlainObject, ownValue } from '../model/objects.ts'
import { endpointNames } from '../model/operations.ts'
import type { ModelName } from '../model/types.ts'
import { isStandardSchema } from '../schema/custom/standard-schema.ts'
import type { Action, DeclaredAction } from './controller.ts'

export interface Declaring {
  readonly place: string
  readonly model: Model
  readonly permissions: Readonly<Record<string, DeclaredAction['permission']>>
  /** @throws StartError if the function could never run, or could not be waited for */
  readonly assertRuns: (run: unknown, name: string) => void
}

/** The actions of a controller. @throws StartError for each that could never run */
export const declaredActions = (given: unknown, declaring: Declaring): readonly DeclaredAction[] => {
  const { place } = declaring
  if (!isPlainObject(given))
    throw new StartError(`${place}: actions must be an object, such as { close: action({ … }) }.`)
  const actions = Object.entries(given).map(([name, one]) => declared(name, one, declaring))
  for (const { name, segment } of actions) {
    const other = actions.find((known) => known.name !== name && known.segment === segment)
    if (other !== undefined)
      throw new StartError(
        `${place}: the actions ${other.name} and ${name} have the same path ${segment}. Rename one.`,
      )
  }
  return Object.freeze(actions)
}

const MAX_NAME = 60

/** An action with such a name would take the id or the permission of an operation. */
const taken = new Set<string>([...endpointNames, 'get', 'aggregate', 'deleted'])

const assertName = (name: string, place: string): void => {
  if (!/^[a-z][a-zA-Z\d]*$/.test(name) || name.length > MAX_NAME)
    throw new StartError(
      `${place}: the action ${JSON.stringify(name)} must have a name in camelCase, of ASCII letters and digits, with at most ${MAX_NAME} characters.`,
    )
  if (taken.has(name))
    throw new StartError(
      `${place}: the action ${name} has the name of an operation. Rename it. Not allowed: ${[...taken].join(', ')}.`,
    )
}

const declared = (name: string, given: unknown, declaring: Declaring): DeclaredAction => {
  const { place, model, permissions, assertRuns } = declaring
  assertName(name, place)
  const where = `${place}: actions.${name}`
  if (!isPlainObject(given)) throw new StartError(`${where} must be the result of action({ … }).`)
  for (const [key, value] of Object.entries(given)) {
    assertKnown(`${where}: unknown key`, key, Object.keys(shapes))
    const shape: MemberShape = Reflect.get(shapes, key)
    if (value !== undefined && !shape.fits(value))
      throw new StartError(`${where}.${key} must be ${shape.takes}.`)
  }
  const one = given as unknown as Action<ModelName, unknown>
  if (one.on === undefined) throw new StartError(`${where}.on must be ${shapes.on.takes}.`)
  assertRuns(one.run, `actions.${name}.run`)
  if (one.on === 'record' && model.readOnly)
    throw new StartError(
      `${where}: ${model.name} is read-only, so its records cannot be locked. Set on: 'collection', or remove the action.`,
    )
  const beside = ownValue(permissions, name)
  if (beside !== undefined && one.permission !== undefined)
    throw new StartError(`${where}.permission and permissions.${name} are both set. Remove one.`)
  return Object.freeze({ ...one, permission: beside ?? one.permission, name, segment: kebab(name) })
}

interface MemberShape {
  readonly takes: string
  readonly fits: (value: unknown) => boolean
}

const text: MemberShape = {
  takes: 'a non-empty string',
  fits: (value) => typeof value === 'string' && value.trim() !== '',
}
const schema: MemberShape = {
  takes: 'a schema of a library that implements Standard Schema, such as Zod, Valibot or ArkType',
  fits: isStandardSchema,
}

const isPermission = (value: unknown): boolean =>
  value === 'public' || value === 'authenticated' || typeof value === 'function'

const shapes: { readonly [Key in keyof Required<Action>]: MemberShape } = {
  on: { takes: "'record' or 'collection'", fits: (value) => value === 'record' || value === 'collection' },
  input: schema,
  output: schema,
  permission: {
    takes: "'public', 'authenticated' or a function (request, record) => boolean",
    fits: isPermission,
  },
  codes: {
    takes: 'an array of problem codes',
    fits: (value) => Array.isArray(value) && value.every((code) => typeof code === 'string'),
  },
  run: { takes: 'a function', fits: (value) => typeof value === 'function' },
  summary: text,
  description: text,
  deprecated: { takes: 'true or false', fits: (value) => typeof value === 'boolean' },
}
