import type { NamedSchema } from '../../schema/json-schema.ts'
import type { AuthSettings } from '../settings/index.ts'
import { LONGEST_NAME } from './key-model.ts'

/** A key in lists, as documents show it. */
export const keyExample: Readonly<Record<'id', string>> & object = {
  ...{ id: '12', name: 'nightly import', access: 'write' },
  ...{ created_at: '2026-01-02T03:04:05.000Z', expires_at: '2027-01-02T03:04:05.000Z', last_used_at: null },
}

const moment = (description: string) => ({ type: 'string', format: 'date-time', description })
const orNull = (description: string) => ({ ...moment(description), type: ['string', 'null'] })

const properties = {
  id: { type: 'string' },
  name: { type: 'string' },
  access: {
    ...{ type: 'string', enum: ['read', 'write'] },
    description: '`read`: requests that change something are refused.',
  },
  created_at: moment('The time of its creation.'),
  expires_at: orNull('When it expires. Null: it does not.'),
  last_used_at: orNull('The time of the last use, to the minute. Null: it was not used yet.'),
}

/** With a name of its own, as generated clients need it. */
const ownKey: NamedSchema = {
  name: 'OwnApiKey',
  schema: { type: 'object', required: Object.keys(properties), properties, additionalProperties: true },
}

export const createdKeySchema: NamedSchema = {
  name: 'CreatedApiKey',
  schema: {
    type: 'object',
    required: [...Object.keys(properties), 'key'],
    properties: {
      ...properties,
      key: {
        type: 'string',
        description:
          'For the header `Authorization: Bearer`. It is shown only here: store it like a password.',
      },
    },
    additionalProperties: true,
  },
}

export const keysSchema = (items: string): NamedSchema => ({
  name: 'OwnApiKeys',
  schema: {
    type: 'object',
    required: [items],
    properties: { [items]: { type: 'array', items: { $ref: `#/components/schemas/${ownKey.name}` } } },
    additionalProperties: true,
  },
  uses: [ownKey],
})

export const keyRequestOf = ({ API_KEY_EXP }: Pick<AuthSettings, 'API_KEY_EXP'>): NamedSchema => ({
  name: 'ApiKeyRequest',
  schema: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: LONGEST_NAME, description: 'The purpose of the key.' },
      access: {
        ...{ type: 'string', enum: ['read', 'write'], default: 'read' },
        description: 'With `read`, requests that change something are refused.',
      },
      expires_at:
        API_KEY_EXP === 0
          ? orNull('When the key expires. Default: never.')
          : moment(`When the key expires, at most ${API_KEY_EXP} seconds from now, which is the default.`),
      password: {
        ...{ type: 'string', minLength: 1, writeOnly: true },
        description: 'The password of the caller. Required of users who have one.',
      },
    },
    additionalProperties: false,
  },
})
