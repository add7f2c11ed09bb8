import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellQuoted, withoutPassword } from '../../src/cli/quoted.ts'

const texts = [
  ...['', ' ', "Anna's", '"', '\\', '$HOME', '`id`', '$(id)', ';', '&&', '*', '~', '#', '!', 'a\nb', '日本'],
  ...['--model=article', '@scope/name', '../a b/c', 'C:\\desk'],
]

test('a POSIX shell reads each argument as it was', () => {
  const line = texts.map((text) => shellQuoted(text, 'linux')).join(' ')
  const script = `for each in ${line}; do printf '%s\\0' "$each"; done`
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)).toEqual(texts)
})

test.each([
  ['my-desk', 'my-desk'],
  ['--model=article', '--model=article'],
  ['C:\\my desk', '"C:\\my desk"'],
  ['say "yes"', '"say \\"yes\\""'],
  ['', '""'],
])('on Windows %j becomes %s', (text, expected) => {
  expect(shellQuoted(text, 'win32')).toBe(expected)
})

test.each([
  ['postgres://ann:hid@den/x@localhost:5432/shop', 'postgres://…@localhost:5432/shop'],
  ['mysql://ann@localhost/shop', 'mysql://…@localhost/shop'],
  ['postgres://localhost/shop', 'postgres://localhost/shop'],
  ['shop.db', 'shop.db'],
])('the password of %s is not shown', (given, shown) => {
  expect(withoutPassword(given)).toBe(shown)
})
