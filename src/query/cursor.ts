import { createHmac, timingSafeEqual } from 'node:crypto'
import { kinds } from '../model/kinds/index.ts'
import type { Field, Model } from '../model/model.ts'
import { ownValue, type Values } from '../model/objects.ts'
import { type Condition, type Order, sortName } from './ast.ts'
import type { KeysetPosition } from './keyset.ts'
import { type ModelOf, sortField } from './order.ts'
import { refuse } from './parameters.ts'

/** The properties of a list that a cursor is bound to. */
export interface CursorScope {
  readonly model: Model
  readonly modelOf: ModelOf
  readonly filter: Condition
  readonly order: readonly Order[]
  /** Signs cursors. Anyone who has it can create them. */
  readonly secret: string
}

/** The signature precedes the sort values. */
const SIGNATURE_BYTES = 16

/**
 * The cursor of the page after a record: its sort values, signed together with model, filter and order.
 *
 * @param beside the known records before and after it; they may include the record itself
 */
export const writeCursor = (scope: CursorScope, row: Values, beside: readonly Values[] = []): string => {
  const values = sortValues(scope, row)
  const ties = Math.max(0, ...beside.map((other) => tiesOf(values, sortValues(scope, other))))
  const text = Buffer.from(JSON.stringify([ties, ...values]))
  return Buffer.concat([signatureOf(scope, text), text]).toString('base64url')
}

const sortValues = ({ model, modelOf, order }: CursorScope, row: Values): readonly unknown[] =>
  order.map((key) => {
    const value = ownValue(row, sortName(key))
    if (value === null || value === undefined) return null
    const field = sortField(key, model, modelOf)
    return kinds[field.kind].write(value, field)
  })

/** How many of the first values are equal; -1: all of them. */
const tiesOf = (values: readonly unknown[], others: readonly unknown[]): number =>
  values.findIndex((value, place) => JSON.stringify(value) !== JSON.stringify(others[place]))

/** @throws HttpError 400 if the token was changed or belongs to another list */
export const readCursor = (scope: CursorScope, token: string): KeysetPosition => {
  const bytes = Buffer.from(token, 'base64url')
  const text = bytes.subarray(SIGNATURE_BYTES)
  const isWhole = bytes.length > SIGNATURE_BYTES && bytes.toString('base64url') === token
  if (!isWhole || !timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), signatureOf(scope, text)))
    throw foreign()
  const [ties, ...values]: readonly unknown[] = JSON.parse(text.toString())
  if (typeof ties !== 'number' || values.length !== scope.order.length) throw foreign()
  const { model, modelOf, order } = scope
  return { ties, values: order.map((key, index) => readValue(sortField(key, model, modelOf), values[index])) }
}

/**
 * Skips `readText` for values that JSON holds unchanged, because a stored text may be longer than the limit for clients.
 */
const readValue = (field: Field, json: unknown): unknown => {
  const row = kinds[field.kind]
  if (json === null || row.writesAsIs?.(field) === true) return json
  const reading = row.readText(String(json), field)
  if (reading.ok) return reading.value
  throw foreign()
}

/**
 * Without the guards of hops: they belong to the caller, and the filter that is signed does not have those of other models
 * either.
 */
const signedOrder = (order: readonly Order[]): readonly Order[] =>
  order.map((key) =>
    key.via === undefined ? key : { ...key, via: key.via.map(({ relation }) => ({ relation })) },
  )

const signatureOf = ({ model, filter, order, secret }: CursorScope, text: Buffer): Buffer =>
  createHmac('sha256', secret)
    .update(`cursor\n${model.name}\n${JSON.stringify([signedOrder(order), filter], plain)}\n`)
    .update(text)
    .digest()
    .subarray(0, SIGNATURE_BYTES)

const plain = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value)

const foreign = (): Error =>
  refuse(
    'invalid_value',
    'cursor',
    'This cursor was not issued for this q, search, sort and order. Request the first page again without cursor.',
  )
