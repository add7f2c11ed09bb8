import { expect, it } from 'vitest'
import { withoutLiterals } from '../../../src/source/sql/strings.ts'

it('replaces each value of a statement, and no name or parameter', () => {
  const backslash = '\\'
  for (const [dialect, text, shown] of [
    [
      'pg',
      `select "a 'b' 1", t0.x1 where a = $1 and b = E'it${backslash}'s' limit 9`,
      `select "a 'b' 1", t0.x1 where a = $1 and b = ? limit ?`,
    ],
    ['pg', `in ('a${backslash}', 'b''c', -2.5e-7, 0x1F, X'0f')`, 'in (?, ?, -?, ?, ?)'],
    [
      'sqlite',
      `values (NULL, 'a${backslash}', cast(X'00ff' as text), "x""1", ?)`,
      `values (NULL, ?, cast(? as text), "x""1", ?)`,
    ],
    [
      'mysql',
      `select \`a'1\` from t where a = 'it${backslash}'s' and b = "c${backslash}"d"`,
      `select \`a'1\` from t where a = ? and b = ?`,
    ],
    ['mysql', `insert into t values (_utf8mb4 X'ab', 'cut off`, 'insert into t values (?, ?'],
  ] as const)
    expect(withoutLiterals(dialect, text)).toBe(shown)
})
