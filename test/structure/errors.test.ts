import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { issueCodes, problemCodes } from '../../src/error/codes.ts'
import { HttpError } from '../../src/error/errors.ts'
import { toHttpError, toProblem } from '../../src/error/problem.ts'
import { camelName, type SettingRow } from '../../src/error/settings.ts'
import { validateBody } from '../../src/schema/issues.ts'
import { schemasOf } from '../../src/schema/zod.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'
import { tableUnder } from './markdown-table.ts'

const page = readFileSync('docs/errors.md', 'utf8')

const inCode = (name: string): string => `\`${name}\``

describe('docs/errors.md', () => {
  test('shows the response that a product without a price gets', () => {
    const [, example = ''] = /```json\n([^`]*)```/.exec(page) ?? []
    const { create } = schemasOf(
      modelOf('Product', [
        fieldNamed('name', 'text', 'string'),
        fieldNamed('price', 'decimal', 'string', { precision: 10, scale: 2 }),
      ]),
    )
    let refusal: unknown
    try {
      validateBody(create, { name: 'Lamp' })
    } catch (error) {
      refusal = error
    }
    expect(JSON.parse(example)).toEqual(toProblem(toHttpError(refusal), '/api/products/', 'req-1'))
  })

  test('lists every problem code with its status and title', () => {
    expect(tableUnder(page, 'Problem codes').map((row) => row.slice(0, 3))).toEqual(
      Object.entries(problemCodes).map(([code, { status, title }]) => [inCode(code), `${status}`, title]),
    )
  })

  test('lists the code of each status that an HttpError may have', () => {
    const listed = tableUnder(page, 'Errors that you throw')
    const codes = new Map(listed.map(([status = '', code = '']) => [status, code]))
    for (let status = 400; status < 600; status++) {
      const others = `any other from ${status < 500 ? '400 to 499' : '500 to 599'}`
      const [, other = ''] = listed.find(([name]) => name?.startsWith(others)) ?? []
      expect(codes.get(`${status}`) ?? other).toBe(inCode(new HttpError(status, '').code))
    }
  })

  test('lists every issue code with its meaning', () => {
    expect(tableUnder(page, 'Codes inside `errors`').map((row) => row.slice(0, 2))).toEqual(
      Object.entries(issueCodes).map(([code, meaning]) => [inCode(code), meaning]),
    )
  })

  test('says for each what to do', () => {
    const last = [...tableUnder(page, 'Problem codes'), ...tableUnder(page, 'Codes inside `errors`')].map(
      (row) => row.at(-1) ?? '',
    )
    expect(last.filter((advice) => !/^[A-Z].+\.$/.test(advice))).toEqual([])
  })

  test('names only settings that exist', async () => {
    const { settingsTable } = await import('../../src/app/options.ts')
    const known = Object.entries<SettingRow>(settingsTable).map(([name, row]) => camelName(name, row))
    const named = [...page.matchAll(/setting `(\w+)`/g)].map(([, name]) => name)
    expect(named.length).toBeGreaterThan(0)
    expect(known).toEqual(expect.arrayContaining(named))
  })
})

test('a table is found under its heading alone', () => {
  const text = '## A\n\n| x | y |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n## B\n\n| z |\n|---|\n| 5 |\n'
  expect(tableUnder(text, 'A')).toEqual([
    ['1', '2'],
    ['3', '4'],
  ])
  expect(tableUnder(text, 'B')).toEqual([['5']])
  expect(() => tableUnder(text, 'C')).toThrow('There is no table under "C".')
})
