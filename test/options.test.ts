import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { files } from '../scripts/settings.ts'
import { assertOptions, defineSettings, type ModelRestOptions, resolveSettings } from '../src/app/options.ts'
import { paginationOf } from '../src/query/settings.ts'

describe('settings', () => {
  it('have defaults, and keep what is given', () => {
    expect(resolveSettings({ NINJA_PAGINATION_PER_PAGE: 7 })).toMatchObject({
      NINJA_PAGINATION_PER_PAGE: 7,
      NINJA_PAGINATION_MAX_LIMIT: 1000,
      NINJA_PAGINATION_CLASS: 'limit-offset',
    })
    expect(Object.isFrozen(defineSettings({}))).toBe(true)
  })

  it.each([
    [
      { NINJA_PAGINATION_PERPAGE: 5 },
      /no setting NINJA_PAGINATION_PERPAGE\. Did you mean NINJA_PAGINATION_PER_PAGE\?/,
    ],
    [{ NINJA_PAGINATION_PER_PAGE: 0 }, /NINJA_PAGINATION_PER_PAGE must be a whole number from 1/],
    [{ QUERY_MAX_BYTES: '8' }, /QUERY_MAX_BYTES must be a whole number/],
    [
      { QUERY_MAX_BYTES: 32_001 },
      /QUERY_MAX_BYTES must be a whole number from 1 to 32000\. Its default is 8192\./,
    ],
    [{ QUERY_MAX_CONDITIONS: 501 }, /from 1 to 500/],
    [{ QUERY_MAX_CONTAINS: 1001 }, /from 1 to 1000/],
    [{ QUERY_MAX_SORTS: 101 }, /from 1 to 100/],
    [{ QUERY_MAX_DEPTH: 31 }, /from 1 to 30/],
    [{ NINJA_PAGINATION_CLASS: 5 }, /NINJA_PAGINATION_CLASS must be a string/],
  ])('refuse %j', (settings, message) => {
    expect(() => defineSettings(settings as object)).toThrow(message)
  })

  it.each(Object.entries(files))('mean in %s what their TSDoc says', (file, rewritten) => {
    const text = readFileSync(file, 'utf8')
    expect(text, 'Run node scripts/settings.ts').toBe(rewritten(text))
  })
})

describe('the pagination class', () => {
  it.each([
    ['limit-offset', 'limit-offset'],
    ['page-number', 'page-number'],
    ['ninja.pagination.PageNumberPagination', 'page-number'],
    ['LimitOffsetPagination', 'limit-offset'],
    ['shop.paging.MyLimitOffsetPagination', 'limit-offset'],
  ])('%s is %s', (name, type) => {
    expect(paginationOf(undefined, name)).toBe(type)
  })

  it('gives way to paginationType', () => {
    expect(paginationOf('page-number', 'limit-offset')).toBe('page-number')
  })

  it('refuses what it does not know', () => {
    expect(() => paginationOf(undefined, 'Keyset')).toThrow(/NINJA_PAGINATION_CLASS cannot be "Keyset"/)
    expect(() => paginationOf('LimitOffsetPagination', 'limit-offset')).toThrow(
      /paginationType cannot be "LimitOffsetPagination".*Allowed: cursor, limit-offset, page-number/,
    )
    expect(() => paginationOf('page_number', 'limit-offset')).toThrow(/Did you mean page-number\?/)
  })
})

describe('options', () => {
  const models = { models: [], notes: [], store: () => undefined, capabilities: {} }

  it.each([
    [undefined, /needs options/],
    [{}, /models is no model source\. Write models: drizzleModels/],
    [{ models: [] }, /models is no model source/],
    [{ models, is_async: true }, /no option is_async\. Did you mean isAsync\?/],
    [{ models, isAsync: 'no' }, /isAsync must be true or false/],
    [{ models, openapi: { titel: 'x' } }, /no openapi option titel\. Did you mean title\?/],
    [{ models, openapi: { public: 'no' } }, /openapi\.public must be true or false/],
    [{ models, openapi: 'Shop' }, /openapi must be an object/],
    [{ models, openapi: { title: 5 } }, /openapi\.title must be a text/],
    [
      { models, openapi: { contact: { mail: 'x' } } },
      /no openapi\.contact option mail\. Did you mean email\?/,
    ],
    [{ models, openapi: { license: { identifier: 'MIT' } } }, /openapi\.license needs a name/],
    [{ models, openapi: { license: { name: 'MIT', identifier: 'MIT', url: 'x' } } }, /one of the two/],
  ])('%# are refused', (options, message) => {
    expect(() => assertOptions(options as unknown as ModelRestOptions)).toThrow(message)
  })
})
