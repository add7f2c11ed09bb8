import type { Operation } from '../operation/operation.ts'
import { wait } from '../operation/steps.ts'
import type { NamedSchema } from '../schema/json-schema.ts'
import type { AuthParts } from './operation.ts'

const mediaType = 'application/jwk-set+json'

/** `GET /.well-known/jwks.json`. It ignores `Accept`: libraries ask for `application/json`. */
export const getJwks = ({ tokens }: Pick<AuthParts, 'tokens'>): Operation => {
  const body = JSON.stringify({ keys: tokens.published })
  const headers = { 'content-type': mediaType, 'cache-control': 'public, max-age=300' }
  return Object.freeze<Operation>({
    id: 'getJwks',
    method: 'GET',
    path: '/.well-known/jwks.json',
    tag: 'Auth',
    summary: 'Get the public keys of tokens',
    description:
      'Returns the current public key and the previous ones as a JSON Web Key Set (RFC 7517). With them, other services verify access tokens.',
    parameters: [],
    success: {
      status: 200,
      description: 'The public keys, the current one first.',
      mediaType,
      schema: keySet,
      example: { keys: tokens.published },
    },
    problems: ['internal_error', 'unavailable'],
    run: () => wait({ status: 200, headers, body }),
  })
}

const key: NamedSchema = {
  name: 'JsonWebKey',
  schema: {
    type: 'object',
    required: ['kty', 'kid', 'alg', 'use'],
    properties: {
      kty: { type: 'string', description: 'The type of the key: `RSA`, `EC` or `OKP`.' },
      kid: { type: 'string', description: 'The id of the key, which is in the header of each token.' },
      alg: { type: 'string', description: 'The signature algorithm.' },
      use: { type: 'string', const: 'sig' },
    },
    additionalProperties: true,
  },
}

const keySet: NamedSchema = {
  name: 'JsonWebKeySet',
  schema: {
    type: 'object',
    required: ['keys'],
    properties: { keys: { type: 'array', items: { $ref: `#/components/schemas/${key.name}` } } },
    additionalProperties: true,
  },
  uses: [key],
}
