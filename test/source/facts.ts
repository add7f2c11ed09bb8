import { expect } from 'vitest'
import type { Model, ModelSource } from '../../src/entry/source.ts'
import { onFetch } from '../stage/apps.ts'
import { type Answer, senderTo } from '../stage/requests.ts'

/** How many relations a model may have in an application. */
export const MANY_RELATIONS = 40

/** What an ORM declares of a model, as a test reads it from the metadata of the ORM. */
export interface DeclaredModel {
  readonly model: string
  readonly primaryKey: readonly string[]
  readonly fields: readonly DeclaredField[]
  readonly uniques: readonly (readonly string[])[]
  readonly relations: readonly {
    readonly name: string
    readonly model: string
    readonly kind: Model['relations'][number]['kind']
  }[]
}

export interface DeclaredField {
  readonly name: string
  readonly nullable: boolean
  readonly maxLength?: number
  readonly values?: readonly string[]
}

/** Asserts that the models of a source have all that the ORM declares, or that a line of the log says what is left out. */
export const expectAllOf = (
  { models, notes = [] }: ModelSource,
  declared: readonly DeclaredModel[],
): void => {
  const leftOut = notes.flatMap((note) => {
    const [places = '', why] = note.split(/ (?:is|are) left out: /)
    return why === undefined ? [] : places.split(', ').map((place) => place.split(' ')[0])
  })
  const isNoted = (name: string): boolean => leftOut.includes(name)
  expect(declared.length).toBeGreaterThan(0)
  for (const { model: name, primaryKey, fields, uniques, relations } of declared) {
    const model = models.find((known) => known.name === name)
    if (model === undefined) {
      expect(isNoted(name), name).toBe(true)
      continue
    }
    expect(model.primaryKey, name).toEqual(primaryKey)
    const stated = fields.filter((field) => !isNoted(`${name}.${field.name}`))
    expect(model.fields.map((field) => field.name).sort(), name).toEqual(
      stated.map((field) => field.name).sort(),
    )
    for (const field of stated)
      expect(
        model.fields.find((known) => known.name === field.name),
        `${name}.${field.name}`,
      ).toMatchObject(field)
    for (const unique of uniques) expect(model.uniques, name).toContainEqual(unique)
    for (const relation of relations.filter((one) => !isNoted(`${name}.${one.name}`)))
      expect(
        model.relations.find((known) => known.name === relation.name && known.closed === undefined),
        `${name}.${relation.name}`,
      ).toMatchObject(relation)
  }
}

/** Sends requests to a service with all models of a source. */
export const requestsTo = async (
  source: ModelSource,
  options: Omit<Parameters<typeof onFetch>[0], 'models'> = {},
  { onlyModels = true }: { readonly onlyModels?: boolean } = {},
): Promise<(method: string, path: string, body?: unknown) => Promise<Answer>> => {
  const app = await onFetch({ models: source, controllers: [], ...options }, { onlyModels })
  const send = senderTo(app)
  return (method, path, body) => send(method, `/api${path}`, { body })
}
