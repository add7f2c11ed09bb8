import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../src/cli/command.ts'
import { assertPackageName, toPackageName } from '../../src/cli/init.ts'

describe('the name of a project', () => {
  test.each(['shop', 'my-shop', 'my_shop.2', '2', 'a'.repeat(214), 'commerce', 'nullable'])(
    '%s is fine',
    (name) => {
      expect(() => assertPackageName(name)).not.toThrow()
    },
  )

  test.each([
    ['MyShop', 'npm takes lower-case letters, digits, - . and _, a letter or digit first. Write my-shop.'],
    ['my shop', 'npm takes lower-case letters, digits, - . and _, a letter or digit first. Write my-shop.'],
    ['Café Zoë', 'a letter or digit first. Write cafe-zoe.'],
    ['.hidden', 'a letter or digit first. Write hidden.'],
    ['_private', 'a letter or digit first. Write private.'],
    ['-x', 'a letter or digit first. Write x.'],
    ['a~b', 'a letter or digit first. Write a-b.'],
    ['a'.repeat(215), `a letter or digit first. Write ${'a'.repeat(214)}.`],
    ['', 'A project cannot be called "": npm takes lower-case letters'],
    ['日本', 'A project cannot be called "日本": npm takes lower-case letters'],
    ['node_modules', 'npm keeps that name for itself. Write node_modules-api.'],
    ['favicon.ico', 'npm keeps that name for itself. Write favicon.ico-api.'],
    ['con', 'Windows has no folder of that name. Write con-api.'],
    ['nul.shop', 'Windows has no folder of that name.'],
    ['shop.', 'Windows has no folder of that name. Write shop.'],
    ['fs', 'a module of Node has that name. Write fs-api.'],
    ['fastify', 'the project depends on the package of that name. Write fastify-api.'],
  ])('%s is refused', (name, message) => {
    expect(() => assertPackageName(name)).toThrow(UsageError)
    expect(() => assertPackageName(name)).toThrow(message)
  })

  test('can be made of nearly every text, and is fine then', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('fs', 'con', 'a..')), (text) => {
        const name = toPackageName(text)
        if (name === undefined) return
        expect(() => assertPackageName(name)).not.toThrow()
        expect(toPackageName(name)).toBe(name)
      }),
      { numRuns: 500 },
    )
  })

  test('stays what it is where it is fine', () => {
    for (const name of ['shop', 'my-shop', 'a.b_c', '2']) expect(toPackageName(name)).toBe(name)
  })
})
