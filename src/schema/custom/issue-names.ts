import type { IssueCode } from '../../error/codes.ts'

const names: Readonly<Partial<Record<IssueCode, string>>> = {
  too_short: 'min_length min_bytes min_graphemes min_words min_size min_entries non_empty minLength',
  too_long: 'max_length max_bytes max_graphemes max_words max_size max_entries maxLength',
  out_of_range: 'min_value max_value gt_value lt_value value multiple_of finite min max divisor after before',
  wrong_type: 'integer safe_integer domain proto',
  not_in_enum: 'picklist enum literal variant unit union',
  invalid_format: [
    'regex email rfc_email url uuid ulid nanoid cuid2 ip ipv4 ipv6 mac mac48 mac64 base64 bic credit_card decimal digits',
    'emoji hash hexadecimal hex_color imei octal slug starts_with ends_with includes isbn isrc jws_compact iso_date',
    'iso_date_time iso_time iso_time_second iso_timestamp iso_week length size bytes graphemes words entries',
    'pattern exactLength',
  ].join(' '),
}

/** Our codes for what Valibot (`type`) and ArkType (`code`) call their issues. */
export const codesByName: ReadonlyMap<string, IssueCode> = new Map(
  Object.entries(names).flatMap(([code, all]) =>
    all.split(' ').map((name): readonly [string, IssueCode] => [name, code as IssueCode]),
  ),
)

/** Rules that somebody wrote: what they say stands, whatever was sent. */
export const ownRules: ReadonlySet<string> = new Set([
  ...['check', 'raw_check', 'partial_check', 'check_items', 'every_item', 'some_item', 'custom', 'predicate'],
])
