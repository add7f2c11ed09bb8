import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { files } from '../scripts/settings.ts'
import {
  assertOptions,
  defineSettings,
  type ModelRestOptions,
  resolveSettings,
  settingsTable,
} from '../src/app/options.ts'
import { serviceAuthTable } from '../src/auth/settings/service-auth.ts'
import { StartError } from '../src/error/errors.ts'
import { assertNode, oldNode } from '../src/error/node-version.ts'
import { camelName, type SettingRows } from '../src/error/settings.ts'
import { paginationOf } from '../src/query/settings.ts'
import { defineSource } from '../src/source/define.ts'
import { naming } from './naming.ts'

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
    [{ NINJA_PAGINATION_PERPAGE: 5 }, ['NINJA_PAGINATION_PERPAGE', 'NINJA_PAGINATION_PER_PAGE']],
    [{ NINJA_PAGINATION_PER_PAGE: 0 }, ['NINJA_PAGINATION_PER_PAGE', 1]],
    [{ QUERY_MAX_BYTES: '8' }, ['QUERY_MAX_BYTES', 1, 32_000, 8192]],
    [{ QUERY_MAX_BYTES: 32_001 }, ['QUERY_MAX_BYTES', 1, 32_000, 8192]],
    [{ QUERY_MAX_CONDITIONS: 501 }, ['QUERY_MAX_CONDITIONS', 1, 500]],
    [{ QUERY_MAX_CONTAINS: 1001 }, ['QUERY_MAX_CONTAINS', 1, 1000]],
    [{ QUERY_MAX_TO_MANY: 501 }, ['QUERY_MAX_TO_MANY', 1, 500]],
    [{ QUERY_MAX_SORTS: 101 }, ['QUERY_MAX_SORTS', 1, 100]],
    [{ QUERY_MAX_DEPTH: 31 }, ['QUERY_MAX_DEPTH', 1, 30]],
    [{ INCLUDE_MAX_PER_RECORD: 1001 }, ['INCLUDE_MAX_PER_RECORD', 1, 1000]],
    [{ INCLUDE_MAX_DEPTH: 11 }, ['INCLUDE_MAX_DEPTH', 1, 10]],
    [{ INCLUDE_MAX_RELATIONS: 51 }, ['INCLUDE_MAX_RELATIONS', 1, 50]],
    [{ INCLUDE_MAX_RECORDS: 100_001 }, ['INCLUDE_MAX_RECORDS', 1, 100_000]],
    [{ NINJA_PAGINATION_CLASS: 5 }, ['NINJA_PAGINATION_CLASS', 'limit-offset']],
    [{ TRUSTED_ORIGINS: ['https://a.example'] }, ['TRUSTED_ORIGINS', 'SERVICE_AUTH: { TRUSTED_ORIGINS']],
    [{ trustedOrigins: ['https://a.example'] }, ['trustedOrigins', 'auth: { trustedOrigins']],
    [{ SERVICE_AUTH: { SECRET_KEY: 'x'.repeat(40) } }, ['SERVICE_AUTH', 'SECRET_KEY', 'beside']],
    [{ auth: { pageSize: 5 } }, ['auth', 'pageSize', 'beside']],
  ])('refuse %j', (settings, names) => {
    const define = () => defineSettings(settings as object)
    expect(define).toThrow(StartError)
    expect(define).toThrow(naming(...names))
  })

  it('may be written in camelCase, also those within another', () => {
    const settings = defineSettings({
      pageSize: 7,
      jsonBodyLimit: 2048,
      secretKey: 'x'.repeat(32),
      QUERY_MAX_DEPTH: 3,
      auth: { jwtAccessExp: 60, JWT_REFRESH_EXP: 120, jwtIssuer: 'shop' },
    })
    expect(settings).toEqual({
      NINJA_PAGINATION_PER_PAGE: 7,
      JSON_BODY_LIMIT: 2048,
      SECRET_KEY: 'x'.repeat(32),
      QUERY_MAX_DEPTH: 3,
      SERVICE_AUTH: { JWT_ACCESS_EXP: 60, JWT_REFRESH_EXP: 120, JWT_ISS: 'shop' },
    })
    expect(resolveSettings(settings)).toMatchObject({ ...settings, NINJA_PAGINATION_MAX_LIMIT: 1000 })
    expect(resolveSettings({ pageSize: undefined, NINJA_PAGINATION_PER_PAGE: 5 })).toMatchObject({
      NINJA_PAGINATION_PER_PAGE: 5,
    })
  })

  it('have each name once', () => {
    for (const rows of [settingsTable, serviceAuthTable] as readonly SettingRows[]) {
      const names = Object.entries(rows).flatMap(([name, row]) => [name, camelName(name, row)])
      expect(new Set(names).size).toBe(names.length)
    }
  })

  it.each([
    [{ pageSize: 5, NINJA_PAGINATION_PER_PAGE: 5 }, ['pageSize', 'NINJA_PAGINATION_PER_PAGE']],
    [{ auth: {}, SERVICE_AUTH: {} }, ['auth', 'SERVICE_AUTH']],
    [{ auth: { stateful: true, STATEFUL: true } }, ['auth', 'stateful', 'STATEFUL']],
    [{ pageSize: 0 }, ['pageSize', 1]],
    [{ auth: { jwtAccessExp: 'a day' } }, ['auth.jwtAccessExp', 1]],
    [{ pagesize: 5 }, ['pagesize', 'pageSize', 'pageSize', 'jsonBodyLimit']],
    [{ page_size: 5 }, ['page_size', 'pageSize', 'pageSize']],
    [{ PAGE_SIZE: 5 }, ['PAGE_SIZE', 'pageSize', 'pageSize']],
    [{ JSON_BODY_LIMITS: 5 }, ['JSON_BODY_LIMITS', 'JSON_BODY_LIMIT', 'JSON_BODY_LIMIT']],
    [{ auth: { jwtAcessExp: 5 } }, ['auth', 'jwtAcessExp', 'jwtAccessExp', 'jwtAccessExp']],
    [{ auth: { jwtIss: 'a', JWT_ISSUER: 'b' } }, ['auth', 'JWT_ISS', 'JWT_ISSUER']],
    [{ toString: 5 }, ['toString', 'pageSize']],
  ])('refuse %j', (settings, names) => {
    const define = () => defineSettings(settings as object)
    expect(define).toThrow(StartError)
    expect(define).toThrow(naming(...names))
  })

  it.each(Object.entries(files))('mean in %s what their TSDoc says', (file, rewritten) => {
    const text = readFileSync(file, 'utf8')
    expect(text, 'Run node scripts/settings.ts').toBe(rewritten(text))
  })

  it('are written in camelCase on all pages, except for variables of the environment', () => {
    const names = Object.keys({ ...settingsTable, ...serviceAuthTable }).filter((name) => name.includes('_'))
    const pages = globSync(['README.md', 'docs/*.md'], { exclude: ['docs/settings.md'] })
    const written = pages.flatMap((page) => {
      const text = readFileSync(page, 'utf8').replaceAll(/`SECRET_KEY`|\bSECRET_KEY=|\['SECRET_KEY'\]/g, '')
      return names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).map((name) => `${page}: ${name}`)
    })
    expect(written).toEqual([])
  })

  it('have one prefix of another project, which their page explains above the table', () => {
    const [intro = ''] = readFileSync('docs/settings.md', 'utf8').split('| setting |')
    expect(intro).toMatch(naming('`NINJA_`', 'Django Ninja'))
  })
})

describe('an old version of Node', () => {
  it.each([
    ['20.19.1', { cannotRun: true }],
    ['21.7.3', { cannotRun: true }],
    ['22.17.9', { cannotRun: false }],
    ['22.18.0', undefined],
    ['26.1.0', undefined],
  ])('%s: %o', (node, expected) => {
    const sentence: unknown = expect.stringMatching(naming(node, '22.18'))
    expect(oldNode({ node })).toEqual(expected && { ...expected, sentence })
    if (expected?.cannotRun === true) expect(() => assertNode({ node })).toThrow(naming(node, '22.18'))
    else expect(() => assertNode({ node })).not.toThrow()
  })

  it('is not one of another runtime', () => {
    expect(oldNode({ node: '20.0.0', bun: '1.3.0' })).toBeUndefined()
    expect(oldNode({ node: '20.0.0', deno: '2.5.0' })).toBeUndefined()
    expect(oldNode({})).toBeUndefined()
  })

  it('is what package.json says', () => {
    expect(JSON.parse(readFileSync('package.json', 'utf8')).engines).toEqual({ node: '>=22.18' })
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
    expect(paginationOf(undefined, name)).toEqual([type])
  })

  it('gives way to paginationType', () => {
    expect(paginationOf('page-number', 'limit-offset')).toEqual(['page-number'])
  })

  it('refuses what it does not know', () => {
    expect(() => paginationOf(undefined, 'Keyset')).toThrow(
      naming('NINJA_PAGINATION_CLASS', '"Keyset"', 'LimitOffsetPagination', 'PageNumberPagination'),
    )
    expect(() => paginationOf('LimitOffsetPagination', 'limit-offset')).toThrow(
      naming('paginationType', '"LimitOffsetPagination"', 'cursor', 'limit-offset', 'page-number'),
    )
    expect(() => paginationOf('page_number', 'limit-offset')).toThrow(
      naming('paginationType', '"page_number"', 'page-number'),
    )
  })
})

const unused = (): never => {
  throw new Error('No test uses it.')
}

describe('options', () => {
  const models = defineSource({
    ...{ models: [], capabilities: {}, db: undefined, ping: () => undefined },
    store: unused,
    transaction: unused,
  })

  it.each([
    [undefined, ['new ModelRest(app', 'drizzleModels()', 'prismaModels()']],
    [{}, ['models', 'drizzleModels(']],
    [{ models: [] }, ['models', 'drizzleModels(']],
    [{ models, is_async: true }, ['is_async', 'isAsync']],
    [{ models, isAsync: 'no' }, ['isAsync', 'true', 'false']],
    [{ models, openapi: { titel: 'x' } }, ['openapi', 'titel', 'title']],
    [{ models, openapi: { public: 'no' } }, ['openapi.public', 'true', 'false']],
    [{ models, openapi: 'Shop' }, ['openapi', 'title', 'version', 'servers']],
    [{ models, openapi: { title: 5 } }, ['openapi.title']],
    [{ models, openapi: { contact: { mail: 'x' } } }, ['openapi.contact', 'mail', 'email', 'name', 'url']],
    [{ models, openapi: { license: { identifier: 'MIT' } } }, ['openapi.license', 'name', 'identifier']],
    [
      { models, openapi: { license: { name: 'MIT', identifier: 'MIT', url: 'x' } } },
      ['openapi.license', 'identifier', 'url'],
    ],
  ])('%# are refused', (options, names) => {
    const start = () => assertOptions(options as unknown as ModelRestOptions)
    expect(start).toThrow(StartError)
    expect(start).toThrow(naming(...names))
  })
})
