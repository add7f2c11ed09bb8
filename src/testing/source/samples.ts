import { PreciseDate } from '../../entry/source.ts'

/** Values of the fields of `Book` that are easily stored wrong. */
export const hardValues: Readonly<Record<string, readonly unknown[]>> = {
  title: [
    `it's "quoted"`,
    '100 % of_it',
    'back\\slash \\% \\_',
    '👩‍🚀 naïve ẞ',
    ' spaces kept  ',
    'NULL',
    '$1 ? :a',
    'x'.repeat(200),
    'a\nb\tc',
  ],
  price: ['0.00', '-0.01', '9.90', '99999999.99', '-99999999.99'],
  discount: ['0.0000', '0.0001', '9999999999999999.9999', '-1234567890123456.7891', '9007199254740993.0001'],
  rating: [0, 0.1, -1e-7, 1e300, 5e-324, 123456789.12345679, null],
  // Numbers of single precision as they are shown. Most of them are between two numbers of double precision.
  weight: [0, 0.1, 0.7, -1e-7, 3.4e38, 1.5e-38, 123456.79, 8388607.5, null],
  pages: [0, -2147483648, 2147483647],
  copies: [0n, 2n ** 63n - 1n, -(2n ** 63n), 9007199254740993n, null],
  inStock: [true, false],
  genre: ['novel', 'poetry', 'science'],
  publishedOn: ['0001-01-01', '2024-02-29', '9999-12-31', null],
  printedAt: [
    new Date('2026-01-31T23:59:59.999Z'),
    // In Amsterdam it is half past two both times.
    new Date('2026-10-25T00:30:00.000Z'),
    new Date('2026-10-25T01:30:00.000Z'),
    // In St. John's it is half past one both times.
    new Date('2026-11-01T04:00:00.000Z'),
    new Date('2026-11-01T05:00:00.000Z'),
    new Date('1970-01-01T00:00:01.001Z'),
    new Date('2038-01-19T03:14:07.999Z'),
    new Date('1969-12-31T23:59:59.001Z'),
    new Date('0099-03-01T00:00:00.000Z'),
    new Date('9999-12-31T23:59:59.999Z'),
  ],
  soldAt: [
    new PreciseDate('2026-01-31T23:59:59.123456Z'),
    new PreciseDate('1969-12-31T23:59:59.000001Z'),
    new Date('2026-01-31T23:59:59.120Z'),
    // Clocks of St. John's do not show this time.
    new Date('2026-03-08T02:30:00.000Z'),
    null,
  ],
  opensAt: ['00:00:00', '09:30:00.123456', '23:59:59', null],
  cover: [
    Buffer.from([]),
    Buffer.from([0, 39, 34, 92, 255]),
    Buffer.from(Array.from({ length: 70_000 }, (_, place) => place % 256)),
    null,
  ],
  meta: [{ a: [1, null, { b: 'x' }] }, [], {}, 'text', '1', '"quoted"', 0, false, null],
  tags: [[], ['a', 'b,c', '"q"', 'back\\slash', '{}', '', 'null', '👩‍🚀'], null],
  loanPeriod: ['14 days', '1 year', null],
  signature: [{ a: 1 }, 'text', [null], null],
}

/** Two values of each field of `Book` that can be compared, the smaller one first. */
export const pairs: Readonly<Record<string, readonly unknown[]>> = {
  title: ['A 10 %', 'b_c'],
  price: ['-10.00', '9.90'],
  discount: ['9.0000', '9007199254740993.0001'],
  rating: [-0.5, 10.25],
  weight: [0.1, 0.7],
  pages: [-9, 10],
  copies: [9n, 9007199254740993n],
  inStock: [false, true],
  genre: ['novel', 'poetry'],
  publishedOn: ['1961-06-01', '2026-01-31'],
  printedAt: [new Date('1999-12-31T23:59:59.999Z'), new Date('2026-01-31T23:59:59.000Z')],
  soldAt: [
    ...[new PreciseDate('2026-01-31T23:59:59.123455Z'), new PreciseDate('2026-01-31T23:59:59.123456Z')],
    ...[new Date('2026-01-31T23:59:59.123Z'), new Date('2026-01-31T23:59:59.124Z')],
  ],
  opensAt: ['09:30:00', '10:00:00'],
  cover: [Buffer.from([1]), Buffer.from([2])],
  loanPeriod: ['1 day', '2 days'],
}
