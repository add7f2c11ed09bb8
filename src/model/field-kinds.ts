/**
 * The closed set of field kinds. What each of them does stands in the table `kinds`, and nowhere else.
 *
 * | kind | JSON | forms |
 * |---|---|---|
 * | `text` | string | string |
 * | `enum` | one of `values` | string |
 * | `uuid` | string | string |
 * | `boolean` | boolean | boolean |
 * | `integer` | number, exact | number |
 * | `bigint` | string, a 64-bit integer | bigint, string |
 * | `float` | number | number |
 * | `decimal` | string that keeps its scale | string, number, bigint |
 * | `date` | `2026-01-31` | string, date (midnight UTC) |
 * | `time` | `23:59:59.123` | string |
 * | `datetime` | an instant: `2026-01-31T23:59:59.123Z` | date, string |
 * | `localdatetime` | without a zone: `2026-01-31T23:59:59.123` | date (read as UTC), string |
 * | `bytes` | base64 | bytes |
 * | `json` | as it is | json |
 * | `array` | an array of its element | json |
 * | `file` | the path of a file; its column keeps the storage's key | string |
 * | `image` | the same for an image | string |
 * | `token` | string that is only compared for equality (an address, an interval) | string |
 * | `opaque` | as it is | json |
 */
export type FieldKind =
  | 'text'
  | 'enum'
  | 'uuid'
  | 'boolean'
  | 'integer'
  | 'bigint'
  | 'float'
  | 'decimal'
  | 'date'
  | 'time'
  | 'datetime'
  | 'localdatetime'
  | 'bytes'
  | 'json'
  | 'array'
  | 'file'
  | 'image'
  | 'token'
  | 'opaque'
