import { expect, test } from 'vitest'
import { StartError } from '../../src/error/errors.ts'
import { assertOpenApi } from '../../src/openapi/options.ts'
import { naming } from '../naming.ts'

test.each([
  { logo: '/logo.svg' },
  { logo: '/images/a%20b.png?v=2' },
  { logo: 'data:image/png;base64,aGk=' },
  { color: '#0a5' },
  { color: '#0B6E4F' },
  { logo: undefined, color: undefined },
])('%j is taken', (given) => {
  expect(() => assertOpenApi(given)).not.toThrow()
})

test.each([
  ['//evil.test/logo.svg', 'a path that is a host to browsers'],
  ['/\\evil.test/logo.svg', 'the same with a backslash'],
  ['https://cdn.test/logo.svg', 'another origin'],
  ['logo.svg', 'a path that depends on the page'],
  ['javascript:alert(1)', 'a script'],
  ['data:text/html,hi', 'no image'],
  ['/a b.svg', 'white space'],
  ['', 'nothing'],
])('the logo %j is refused: %s', (logo) => {
  const check = () => assertOpenApi({ logo })
  expect(check).toThrow(StartError)
  expect(check).toThrow(naming('openapi.logo', '/images/logo.svg', 'data:image/'))
})

test('a logo is refused if the page would be too large', () => {
  const logo = (length: number) => 'data:image/png,'.padEnd(length, 'a')
  expect(() => assertOpenApi({ logo: logo(100_000) })).not.toThrow()
  const check = () => assertOpenApi({ logo: logo(100_001) })
  expect(check).toThrow(StartError)
  expect(check).toThrow(naming('openapi.logo', 100_000, 100_001, '/images/logo.svg'))
})

test.each([
  'red; } body { display: none',
  'red',
  '#12345',
  '#0a5; } body { display: none',
  'rgb(1 2 3)',
  '0a5',
  '',
])('the colour %j is refused', (color) => {
  const check = () => assertOpenApi({ color })
  expect(check).toThrow(StartError)
  expect(check).toThrow(naming('openapi.color', '#0b6e4f'))
})

test('a mistake in the name is told with the name that was meant', () => {
  expect(() => assertOpenApi({ colour: '#0a5' })).toThrow(
    naming('openapi: unknown option colour', 'color', 'logo'),
  )
  expect(() => assertOpenApi({ color: 5 })).toThrow(naming('openapi.color'))
})
