import type { JsonSchema } from '../../model/codec.ts'
import type { Model } from '../../model/model.ts'
import { type Awaitable, after } from '../../model/objects.ts'
import { isInherited, withoutPrototype } from '../issues.ts'
import type { NamedSchema } from '../json-schema.ts'
import { fittingExample } from './example.ts'
import { customRefusal } from './issues.ts'
import { toNamedSchema } from './named.ts'
import { runnerOf } from './run.ts'
import { issuePath, type StandardSchema } from './standard-schema.ts'
import { declaredKeys, jsonSchemaOf, undocumented } from './vendors.ts'

/** A schema of what an action receives or returns. */
export interface ValueSchema {
  /** @throws HttpError 422 with a pointer to each mistake */
  readonly readBody: (body: unknown) => Awaitable<unknown>
  /** @throws Error for a value of the application that does not match */
  readonly readOwn: (value: unknown) => Awaitable<unknown>
  readonly shown: NamedSchema
  /** Whether an empty body may match. */
  readonly isOptional: boolean
  /** An example with the values of the example of the model. */
  readonly example: unknown
  /** A startup warning: its library does not describe the schema, so the document shows any value. */
  readonly note?: string
}

interface SchemaPlace {
  /** Such as `controllers/ticket.ts, TicketController: actions.close.input`. */
  readonly place: string
  /** The name of the schema in the document. */
  readonly name: string
  readonly model: Model
  readonly side: 'input' | 'output'
  /** Validation may be asynchronous. */
  readonly mayWait: boolean
}

export const valueSchemaOf = async (
  schema: StandardSchema,
  { place, name, model, side, mayWait }: SchemaPlace,
): Promise<ValueSchema> => {
  const json = await jsonSchemaOf(schema, side)
  const run = runnerOf({ place, schema, mayWait })
  const hasInherited = [...declaredKeys(schema, json)].some(isInherited)
  return Object.freeze({
    readBody: (body) =>
      after(run(hasInherited && isObject(body) ? withoutPrototype(body) : body), (result) => {
        if (result.issues !== undefined) throw customRefusal(result.issues, Object(body), model, schema)
        return result.value
      }),
    readOwn: (value) =>
      after(run(value), (result) => {
        if (result.issues === undefined) return result.value
        const [first] = result.issues
        const at = first === undefined ? '' : issuePath(first).map(String).join('.')
        throw new Error(
          `${place} does not accept the value that run returned${at && ` (${at})`}: ${first?.message ?? ''}`,
        )
      }),
    shown: toNamedSchema(name, json ?? anything),
    isOptional: json?.['type'] === 'object' && [json['required'] ?? []].flat().length === 0,
    example: json && fittingExample(model, side === 'input' ? 'create' : 'detail', json),
    ...(json === undefined && { note: undocumented(place, schema, 'any JSON value') }),
  } satisfies ValueSchema)
}

const anything: JsonSchema = { description: 'Any JSON value.' }

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
