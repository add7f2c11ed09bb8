import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSqlType } from '../../../src/source/sql/sql-type.ts'

describe('an SQL type', () => {
  it.each<[string, object]>([
    ['text', { name: 'text', args: [], unsigned: false, collated: false, arrays: [] }],
    ['  NUMERIC ( 10 , 2 ) ', { name: 'numeric', args: ['10', '2'] }],
    ['character   varying(20)', { name: 'character varying', args: ['20'] }],
    ['varchar(48) COLLATE "de-u-co-phonebk"', { name: 'varchar', args: ['48'], collated: true }],
    ['text COLLATE pg_catalog."C"', { name: 'text', collated: true }],
    ['varchar(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL', { name: 'varchar', collated: true }],
    ['INT(11) UNSIGNED', { name: 'int', args: ['11'], unsigned: true }],
    ['int zerofill', { name: 'int', unsigned: true }],
    ['timestamp(3) with time zone', { name: 'timestamp with time zone', args: ['3'] }],
    ['double precision', { name: 'double precision', args: [] }],
    ['"public"."citext"[]', { name: 'citext', arrays: [undefined] }],
    ['text[][3]', { name: 'text', arrays: [undefined, 3] }],
    ['`varchar`(3)', { name: 'varchar', args: ['3'] }],
    [`ENUM('Low','it''s (x), collate y')`, { name: 'enum', args: ['Low', `it's (x), collate y`] }],
  ])('%s', (text, type) => {
    expect(parseSqlType(text)).toMatchObject(type)
  })

  it.each(['', '"Text"', 'billing.numeric', "'text'", 'text(', 'a;b', 'text[x]'])(
    'is not known: %s',
    (text) => {
      expect(parseSqlType(text)).toBeUndefined()
    },
  )

  it('of any text is one or none, in time', () => {
    const piece = fc.constantFrom(
      'varchar',
      '(',
      ')',
      '[',
      ']',
      ' ',
      "'",
      '"',
      '`',
      'a',
      '1',
      ',',
      '.',
      ' collate ',
      '\n',
      'é',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        expect(() => parseSqlType(pieces.join(''))).not.toThrow()
      }),
    )
    expect(parseSqlType(`text${' collate x'.repeat(1000)}!`)).toBeUndefined()
    expect(parseSqlType(`enum(${"'a',".repeat(2000)}`)).toBeUndefined()
  })
})
