import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertPackageName, modelWordsOf, toPackageName } from '../../../src/cli/init/names.ts'
import { UsageError } from '../../../src/cli/terminal/index.ts'
import { modelNameOf, pathOf } from '../../../src/model/naming.ts'
import { naming } from '../../naming.ts'

describe('the name of a project', () => {
  test.each(['shop', 'my-shop', 'my_shop.2', '2', 'a'.repeat(214), 'commerce', 'nullable'])(
    '%s is fine',
    (name) => {
      expect(() => assertPackageName(name)).not.toThrow()
    },
  )

  test.each([
    ['MyShop', 'my-shop'],
    ['my shop', 'my-shop'],
    ['Café Zoë', 'cafe-zoe'],
    ['.hidden', 'hidden'],
    ['_private', 'private'],
    ['-x', 'x'],
    ['a~b', 'a-b'],
    ['a'.repeat(215), 'a'.repeat(214)],
    ['', '_'],
    ['日本', '_'],
    ['node_modules', 'node_modules-api'],
    ['favicon.ico', 'favicon.ico-api'],
    ['con', 'con-api'],
    ['nul.shop', 'Windows'],
    ['shop.', 'shop'],
    ['fs', 'fs-api'],
    ['fastify', 'fastify-api'],
    ['pg', 'pg-api'],
    ['pino-pretty', 'pino-pretty-api'],
  ])('%s is refused, and a name that fits is told', (name, told) => {
    expect(() => assertPackageName(name)).toThrow(UsageError)
    expect(() => assertPackageName(name)).toThrow(naming(`"${name}"`, told))
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

describe('the name of a model', () => {
  const item = {
    DemoItem: 'Item',
    demoItems: 'items',
    demo_items: 'items',
    'demo-items': 'items',
    'demo-item': 'item',
    'demo item': 'item',
  }
  const blogPost = {
    DemoItem: 'BlogPost',
    demoItems: 'blogPosts',
    demo_items: 'blog_posts',
    'demo-items': 'blog-posts',
    'demo-item': 'blog-post',
    'demo item': 'blog post',
  }

  test.each(['item', 'items', 'Item', 'ITEM'])('%s has one word', (name) => {
    expect(modelWordsOf(name)).toEqual(item)
  })

  test.each(['blog-post', 'blog_posts', 'blogPost', 'BlogPosts', 'Blog-Post'])('%s has two', (name) => {
    expect(modelWordsOf(name)).toEqual(blogPost)
  })

  test.each([
    ...['class', 'order', 'group', 'select', 'category', 'news', 'person', 'box', 'status', 'address'],
    ...[
      'index',
      'text',
      'table',
      'import',
      'model',
      'company-car',
      'x',
      'v2',
      'http2-route',
      'constructor',
      'argument-list',
      'sqlite',
    ],
    ...['migration'],
  ])('%s is fine, and its table has that model', (name) => {
    const words = modelWordsOf(name)
    expect(modelNameOf(words['demoItems'] ?? '')).toBe(words['DemoItem'])
    expect(pathOf(words['DemoItem'] ?? '')).toBe(words['demo-items'])
  })

  test.each([
    ['', '""'],
    ['café', 'a', 'z'],
    ['日本', '"日本"'],
    ['blog post', '"blog post"'],
    ['-post', '"-post"'],
    ['2nd', '"2nd"'],
    ['a--b', '"a--b"'],
    ['__proto__', '"__proto__"'],
    ['a'.repeat(41), 40],
    ['user', 'User'],
    ['api-key', 'ApiKey'],
    ['Users', 'User'],
    ['doc', '/docs'],
    ['con', 'Windows'],
    ['argument', 'arguments'],
    ['Sqlite-Stat', 'sqlite_'],
    ['knex-migration', 'knex_migrations'],
    ['schemaMigration', 'schema_migrations'],
  ])('%s is refused', (name, ...told) => {
    expect(() => modelWordsOf(name)).toThrow(UsageError)
    expect(() => modelWordsOf(name)).toThrow(naming('--model', '--model article', ...told))
  })

  test('is refused, or spelt in words that fit together', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,30}$/), (text) => {
        try {
          const words = modelWordsOf(text)
          expect(modelNameOf(words['demoItems'] ?? '')).toBe(words['DemoItem'])
          expect(words['demoItems']).toMatch(/^[a-z][A-Za-z\d]*$/)
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError)
        }
      }),
      { numRuns: 500 },
    )
  })
})
