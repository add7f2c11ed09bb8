/** What a path, a query of an operation that takes none, or a header is filled with. */
export const fillings: readonly string[] = [
  ...[
    'a',
    '9',
    '0',
    '-',
    ',',
    '1,',
    '"',
    '\\',
    '%22',
    '%00',
    '%ff',
    '%',
    '%31',
    '%2f',
    '%2e%2e/',
    '..',
    '/../',
  ],
  ...['/', ';', '{', '<', '&', '+', '=', 'é', '%F0%9F%98%80', '0123456789abcdef-'],
]

/** Headers that a server may look at, each with what it is filled with. */
export const headers: Readonly<Record<string, readonly string[]>> = {
  authorization: ['a', 'Bearer ', 'Bearer a.b.c ', 'eyJhbGciOiJIUzI1NiJ9.', 'Basic YTpi,', 'é'],
  cookie: ['a=b; ', 'service_access_token=a.b.c; ', '=;', '"', '%', 'a', 'service_refresh_token=; '],
  accept: ['a/b,', 'a/b;c=d,', 'a/b;c="\\"",', '*/*;q=0,', '; q=0.1', '/', '"', ','],
  'accept-encoding': ['gzip,', '*;q=0,', 'gzip;q=0.', ';', ','],
  'content-type': [
    'application/json;',
    'a/b; c=d',
    'multipart/form-data; boundary=',
    '; charset=utf-8',
    '"\\',
  ],
  'content-disposition': ['form-data; ', '; name="a"', "filename*=UTF-8''%e2%82"],
  'content-encoding': ['gzip,', 'identity,', 'a'],
  'content-length': ['9', '0', '-1', '1,1,'],
  'transfer-encoding': ['chunked,', 'gzip,', 'x'],
  'if-match': ['"a",', 'W/"a",', '*', '"'],
  'if-none-match': ['"a",', 'W/"a",', '*,', '"'],
  'if-modified-since': ['Mon, ', '0', 'GMT '],
  'if-range': ['"a"', 'W/', '0'],
  range: ['bytes=0-0,', '0-1,', '9', '-'],
  expect: ['100-continue,', 'x'],
  host: ['a', '[::]:', ',', '@'],
  origin: ['http://', 'null', 'a.'],
  'sec-fetch-site': ['cross-site,', 'same-origin'],
  'x-forwarded-for': ['1.1.1.1,', '::,', 'é'],
  forwarded: ['for=a;', 'for="[::]",'],
  'x-customer-id': ['a', '*', '"'],
  traceparent: ['00-', 'a'],
  'x-http-method-override': ['DELETE', 'a'],
}

/** A text of exactly so many bytes in Latin-1. */
export const filled = (text: string, bytes: number): string =>
  text.repeat(Math.max(0, Math.ceil(bytes / text.length))).slice(0, Math.max(0, bytes))
