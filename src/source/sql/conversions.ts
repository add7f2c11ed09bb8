import type { FieldFacts } from '../../model/facts.ts'
import { kinds } from '../../model/kinds/index.ts'
import type { FieldKind } from '../../model/model.ts'
import { plainFacts, safeInteger, type TypeFacts } from './types.ts'

/** A value of each kind as drivers return it. */
const samples: Readonly<Partial<Record<FieldKind, unknown>>> = {
  ...{ text: 'aB 1', uuid: '7f1d3cbb-40d1-4c9f-8f0a-0e1f3a2b4c5d', token: 'aB 1', date: '2026-01-31' },
  ...{ time: '09:30:00', integer: 7, float: 1.5, decimal: '1.5', bigint: '7', boolean: true },
}

/** Any JSON that the function stores and shows again, without conditions. */
export const converted: TypeFacts = plainFacts('opaque', { anyJson: true })

/**
 * What a function of the application, such as a transformer or a getter, makes of a type. Numbers instead of strings are usual for
 * decimals and bigints; what it turns into something else is any JSON that it shows again.
 *
 * @param convert a stored value -> what the application sees, and what would be stored for that
 */
export const convertedFacts = (
  type: TypeFacts,
  convert: (stored: unknown) => readonly [shown: unknown, stored: unknown],
): TypeFacts => {
  if (type.kind === 'bytes') return convertedBytes(type, convert)
  const sample = samples[type.kind]
  if (sample === undefined) return converted
  if (isTime(type.kind === 'text' ? TIME : sample, convert)) return time
  try {
    const [shown, stored] = convert(sample)
    if (typeof shown === 'number' && type.kind === 'decimal') return { ...type, form: 'number' }
    if (typeof shown === 'number' && type.kind === 'bigint') return safeInteger
    if (typeof shown === 'bigint' && type.kind === 'bigint') return { ...type, form: 'bigint' }
    if (typeof shown !== typeof sample) return converted
    if (shown === sample && String(stored) === String(sample)) return type
    return type.kind === 'text' ? { ...type, conditions: 'equality' } : converted
  } catch {
    return converted
  }
}

const TIME = '2026-01-31T09:30:00.000Z'

/** A time that is stored as a number or text is not compared, because these may have another order. */
const time: TypeFacts = plainFacts('datetime', { fractionDigits: 3, conditions: 'null' })

const isTime = (sample: unknown, convert: Parameters<typeof convertedFacts>[1]): boolean => {
  try {
    const [shown, stored] = convert(sample)
    return shown instanceof Date && String(stored) === String(sample)
  } catch {
    return false
  }
}

/** Binary values are usually shown as text to be read, such as UUIDs, which are equal if these strings are. */
const convertedBytes: typeof convertedFacts = ({ maxLength = Infinity }, convert) => {
  const sample = Buffer.alloc(maxLength > MOST_BYTES ? USUAL_BYTES : maxLength, samples.uuid as string)
  try {
    const [shown, stored] = convert(sample)
    // A getter has no inverse.
    const isKept = stored !== sample && stored instanceof Uint8Array && sample.equals(stored)
    if (typeof shown !== 'string' || !isKept) return converted
    const field = { nullable: false, name: '', ...plainFacts('uuid') }
    return plainFacts(kinds.uuid.read(shown, field).ok ? 'uuid' : 'text', { conditions: 'equality' })
  } catch {
    return converted
  }
}

/** A UUID has as many. */
const USUAL_BYTES = 16
const MOST_BYTES = 64

/** A constant default in the form of the field. `undefined`: it is an expression, or a value of the ORM's own. */
export const constantOf = (value: unknown, facts: TypeFacts & Pick<FieldFacts, 'name'>): unknown => {
  if (value === undefined || value === null || typeof value === 'function') return undefined
  const isPlain = typeof value !== 'object' || value instanceof Date || jsonKinds.includes(facts.kind)
  if (!isPlain || facts.kind === 'opaque') return undefined
  const field = { nullable: false, ...plainFacts(facts.kind, facts), name: facts.name }
  const reading = kinds[facts.kind].read(jsonOf(value, facts.kind), field)
  return reading.ok ? kinds[facts.kind].write(reading.value, field) : undefined
}

const jsonKinds: readonly FieldKind[] = ['json', 'array']
const textKinds: readonly FieldKind[] = ['decimal', 'bigint', 'enum', 'text']
const numberKinds: readonly FieldKind[] = ['integer', 'float']

const jsonOf = (value: unknown, kind: FieldKind): unknown => {
  if (textKinds.includes(kind)) return String(value)
  if (typeof value === 'string' && numberKinds.includes(kind)) return Number(value)
  if (typeof value === 'string' && kind === 'datetime') return value.replace(/^(\S+) ([\d:.]+)$/, '$1T$2Z')
  return value
}
