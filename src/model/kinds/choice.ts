import { accepted, type KindField, type KindRow, type Reading, refused } from '../codec.ts'
import { acceptedIf, always, same, stringReader } from './row.ts'

const oneOf = ({ values = [] }: KindField): string => `one of ${values.join(', ')}`

const readChoice = (value: string, field: KindField): Reading =>
  field.values?.includes(value) ? accepted(value) : refused('not_in_enum', oneOf(field))

export const choice: KindRow = Object.freeze<KindRow>({
  comparable: true,
  ordered: false,
  textual: false,
  noun: 'one of the values',
  schema: ({ values = [] }) => ({ type: 'string', enum: [...values] }),
  read: stringReader(readChoice, oneOf),
  readText: readChoice,
  write: same,
  writesAsIs: always,
})

const trueOrFalse = 'true or false'
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

export const boolean: KindRow = Object.freeze<KindRow>({
  comparable: true,
  ordered: false,
  textual: false,
  noun: trueOrFalse,
  schema: () => ({ type: 'boolean' }),
  read: (value) => (typeof value === 'boolean' ? accepted(value) : refused('wrong_type', trueOrFalse)),
  readText: (value) => acceptedIf(booleans.has(value), booleans.get(value), trueOrFalse),
  write: same,
  writesAsIs: always,
})

const uuidPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'
const uuidForm = new RegExp(uuidPattern)
const readUuid = (value: string): Reading => acceptedIf(uuidForm.test(value), value.toLowerCase(), 'a UUID')

export const uuid: KindRow = Object.freeze<KindRow>({
  comparable: true,
  ordered: false,
  textual: false,
  noun: 'a UUID',
  // The format alone lets `urn:uuid:` through.
  schema: () => ({ type: 'string', format: 'uuid', pattern: uuidPattern }),
  read: stringReader(readUuid, () => 'a UUID'),
  readText: readUuid,
  write: same,
  writesAsIs: always,
})
