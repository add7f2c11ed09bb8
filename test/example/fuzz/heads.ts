import fc from 'fast-check'

/** Headers by name. Generated as a list, because that shrinks to none. */
export type Headers = Readonly<Record<string, string>>

const printable = fc.string({ unit: 'grapheme-ascii', maxLength: 30 })

/** Headers that a client sends who wants to be served. */
export const validHeaders: fc.Arbitrary<Headers> = fc.record(
  {
    accept: fc.constantFrom(
      'application/json',
      '*/*',
      'application/*;q=0.8, text/html',
      'application/json; charset=utf-8',
    ),
    'user-agent': printable,
    'x-request-id': printable,
    cookie: printable,
    authorization: printable,
  },
  { requiredKeys: [] },
)

const readableTypes = fc.constantFrom(
  ...['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded', 'APPLICATION/JSON'],
  ...['application/json; charset=latin1', 'application/json;charset=UTF-8', 'application/json-patch+json'],
)

const types = fc.oneof(
  readableTypes,
  fc.constantFrom('application/', '', 'application/json;;;', '/'),
  printable,
)

const tags = fc.constantFrom('*', '"1"', 'W/"1"', '"a", W/"b"', '""', '"', ',')

/**
 * Headers that are often refused.
 *
 * @param takesBody Where it is false, the media type can be read: Fastify refuses others by itself (docs/hosts.md).
 */
export const noiseHeaders = (takesBody: boolean): fc.Arbitrary<Headers> =>
  fc.record(
    {
      accept: fc.oneof(
        fc.constantFrom(
          'text/html',
          'application/json;q=0',
          'application/xml, */*;q=0',
          ';;',
          ',',
          'json',
          '',
        ),
        printable,
      ),
      'content-type': takesBody ? types : readableTypes,
      'content-encoding': fc.constantFrom('gzip', 'identity', 'br', ''),
      'content-length': fc.constantFrom('0', '1', '99999999', '-1', 'x'),
      'accept-encoding': printable,
      'accept-language': printable,
      expect: fc.constantFrom('100-continue', 'x'),
      range: fc.constantFrom('bytes=0-1', 'x'),
      'if-match': fc.oneof(tags, printable),
      'if-none-match': fc.oneof(tags, printable),
      'x-customer-id': fc.oneof(fc.constantFrom('', 'null', '*', '%', 'x'.repeat(37)), printable),
      'x-http-method-override': fc.constantFrom('DELETE', 'PUT'),
    },
    { requiredKeys: [] },
  )
