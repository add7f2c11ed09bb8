import { createHmac, timingSafeEqual } from 'node:crypto'
import { kinds } from '../model/kinds.ts'
import { fieldOf, type Model } from '../model/model.ts'
import type { Condition, Order } from './ast.ts'
import { refuse } from './refuse.ts'

/** A list as far as a cursor is bound to it. */
export interface CursorScope {
  readonly model: Model
  readonly filter: Condition
  readonly order: readonly Order[]
  /** Signs cursors; whoever knows it can make them. */
  readonly secret: string
}

/** Bytes of the signature in front of the sort values. */
const SIGNATURE_BYTES = 16

/** The token for the page behind a record: its sort values, signed together with model, filter and order. */
export const writeCursor = (scope: CursorScope, row: Readonly<Record<string, unknown>>): string => {
  const values = scope.order.map(({ field: name }) => {
    const field = fieldOf(scope.model, name)
    const value = row[name]
    return value === null || value === undefined ? null : kinds[field.kind].write(value, field)
  })
  const text = Buffer.from(JSON.stringify(values))
  return Buffer.concat([signatureOf(scope, text), text]).toString('base64url')
}

/**
 * The sort values that a token holds, in the form of their fields.
 *
 * @throws HttpError 400 for a token that was changed, or that another list gave
 */
export const readCursor = (scope: CursorScope, token: string): readonly unknown[] => {
  const bytes = Buffer.from(token, 'base64url')
  const text = bytes.subarray(SIGNATURE_BYTES)
  const isWhole = bytes.length > SIGNATURE_BYTES && bytes.toString('base64url') === token
  if (!isWhole || !timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), signatureOf(scope, text)))
    throw foreign()
  const values: unknown = JSON.parse(text.toString())
  if (!Array.isArray(values) || values.length !== scope.order.length) throw foreign()
  return scope.order.map(({ field }, index) => readValue(scope.model, field, values[index]))
}

/** What a record gives back as it is needs no reading: a text may be longer than clients may write one. */
const readValue = (model: Model, name: string, json: unknown): unknown => {
  const field = fieldOf(model, name)
  const row = kinds[field.kind]
  if (json === null || row.writesAsIs(field)) return json
  const reading = row.readText(String(json), field)
  if (reading.ok) return reading.value
  throw foreign()
}

const signatureOf = ({ model, filter, order, secret }: CursorScope, text: Buffer): Buffer =>
  createHmac('sha256', secret)
    .update(`cursor\n${model.name}\n${JSON.stringify([order, filter], plain)}\n`)
    .update(text)
    .digest()
    .subarray(0, SIGNATURE_BYTES)

const plain = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)

const foreign = (): Error =>
  refuse(
    'invalid_value',
    'cursor',
    'The cursor is none that this list gave for this q, search, sort and order. Start again without it.',
  )
