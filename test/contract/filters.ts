import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runs } from '../runs.ts'
import { type Asked, type Filter, type Sign, signs } from './filters/asked.ts'
import { bySort, holds, isOfText, takes } from './filters/meaning.ts'
import { type Filtered, filtered, type Things, textsFor } from './filters/stage.ts'
import { type Form, type Quoting, writeQuery } from './filters/write.ts'

const forms: readonly Form[] = ['encoded', 'typed', 'segments', 'repeated']

/** Seconds on a machine of its own. */
const THOUSANDS_OF_REQUESTS = 300_000

/** The filters of a list over HTTP find what a plain evaluation finds, on a database. */
export const filterContract = (name: string, open: () => Promise<Things>): void => {
  describe(`filters on ${name}`, { timeout: THOUSANDS_OF_REQUESTS }, () => {
    let things: Things
    let stage: Filtered
    beforeAll(async () => {
      things = await open()
      stage = await filtered(things)
    })
    afterAll(() => things.close())

    const expected = (filters: readonly Filter[]) =>
      stage.rows
        .filter((row) => filters.every((filter) => holds(filter, row, stage.meaning)))
        .map((row) => String(row['code']))

    const check = async (filters: readonly Filter[], form: Form, quoting: Quoting) => {
      const query = writeQuery[form](filters, quoting)
      const reply = await stage.ask(query)
      const about = `${query}\n${JSON.stringify(filters)}\n${JSON.stringify(reply.problem).slice(0, 500)}`
      expect({ status: reply.status, codes: [...reply.codes].sort() }, about).toEqual({
        status: 200,
        codes: expected(filters).sort(),
      })
      expect(reply.count, about).toBe(reply.codes.length)
    }

    it('every field, each operator, each value', async () => {
      let place = 0
      for (const { name, kind } of stage.model.fields) {
        const values = [null, ...textsFor(stage.model, name, stage.rows)]
        for (const sign of signs) {
          for (const value of values) {
            const isNullTest = value === null && ['=', '==', '!='].includes(sign)
            if (value === null ? !isNullTest : !takes(kind, sign)) continue
            if (value === '' && isOfText(sign)) continue
            // The empty text has no plain `=`: it is in quotes then.
            place += 1
            const form = forms[place % forms.length] ?? 'encoded'
            await check([{ field: name, sign, values: [value] }], form, place % 3 === 0 ? 'always' : 'needed')
          }
        }
      }
      expect(place).toBeGreaterThan(1000)
    })

    it('there is a field of every kind that the database has', () => {
      expect([...new Set(Object.values(stage.meaning.kinds))].sort()).toEqual([...things.kinds].sort())
    })

    it('sorts by value in both directions, null the largest, the key last', async () => {
      for (const { name, kind } of stage.model.fields) {
        for (const direction of ['asc', 'desc'] as const) {
          const reply = await stage.ask(`sort=${name}&order=${direction}`)
          if (!takes(kind, '==')) {
            expect([reply.status, reply.problem.code], name).toEqual([400, 'invalid_operator'])
            continue
          }
          const rowOf = new Map(stage.rows.map((row) => [row['code'], row]))
          const sorted = reply.codes.map((code) => rowOf.get(code)?.[name] ?? null)
          const nulls = stage.rows.filter((row) => row[name] === null).length
          const rest = direction === 'asc' ? sorted.slice(0, sorted.length - nulls) : sorted.slice(nulls)
          expect(sorted.filter((value) => value === null).length, name).toBe(nulls)
          expect(rest, `${name} ${direction}`).not.toContain(null)
          if (!takes(kind, '<')) continue
          const expected = [...stage.rows].sort(bySort(name, direction, stage.meaning))
          expect(reply.codes, `${name} ${direction}`).toEqual(expected.map(({ code }) => code))
        }
      }
    })

    it('an operator that a kind does not have is refused by name', async () => {
      for (const { name, kind, comparesElements = false } of stage.model.fields) {
        const isElement = (sign: Sign) => sign === '=' && comparesElements
        for (const sign of signs.filter((sign) => !takes(kind, sign) && !isElement(sign))) {
          const reply = await stage.ask(`q=${encodeURIComponent(`${name}${sign}"x"`)}`)
          expect([reply.status, reply.problem.code], `${name}${sign}`).toEqual([400, 'invalid_operator'])
        }
        const reply = await stage.ask(`q=${encodeURIComponent(`${name}>null`)}`)
        expect([reply.status, reply.problem.errors?.[0]?.parameter], name).toEqual([400, 'q'])
      }
    })

    it('a key inside JSON is taken literally, or refused', async () => {
      const paths = stage.model.fields.filter(({ jsonPaths }) => jsonPaths === true).map(({ name }) => name)
      expect(paths).not.toEqual([])
      const long = 'k'.repeat(10_000)
      const literal = [
        '$',
        "'",
        "' or 1=1 --",
        '[*]',
        '**',
        '.',
        '@',
        '?(1==1)',
        '%',
        '`',
        'null',
        '🚀',
        long,
      ]
      for (const name of paths)
        for (const key of [...literal, '"', '\\', '\\"', '\0', '\n', '']) {
          const isLiteral = literal.includes(key)
          for (const asked of [`${name}."${key}"=x`, `${name}.0."${key}".${2 ** 31 - 1}>1`]) {
            const { status, codes, problem } = await stage.ask(`q=${encodeURIComponent(asked)}`)
            expect([status, codes, problem.code === undefined], asked.slice(0, 99)).toEqual([
              isLiteral ? 200 : 400,
              [],
              isLiteral,
            ])
          }
        }
    })

    it('any of as many values as a query string holds', async () => {
      for (const { name, kind } of stage.model.fields) {
        if (!takes(kind, '==')) continue
        const values = textsFor(stage.model, name, stage.rows).filter((text) => text.length < 60)
        const few = values.filter((_, place) => place % 2 === 0)
        const many = Array.from({ length: 7000 }, (_, place) => few[place % few.length] ?? '')
        for (const sign of ['==', '!='] as const) {
          const fits = (length: number) =>
            encodeURI(writeQuery.typed([{ field: name, sign, values: many.slice(0, length) }], 'needed'))
              .length
          let length = 30
          while (fits(2 * length) < 8000) length *= 2
          await check([{ field: name, sign, values: many.slice(0, length) }], 'typed', 'needed')
        }
      }
    })

    it('any filter, in any form', async () => {
      const { model, rows } = stage
      const asked = fc.oneof(
        ...model.fields.map(({ name, kind }): fc.Arbitrary<Asked> => {
          const texts = textsFor(model, name, rows).filter((text) => text.length < 100)
          const value = texts.length === 0 ? fc.constant(null) : fc.constantFrom(...texts)
          const taken = signs.filter((sign) => takes(kind, sign))
          const nullable = texts.length === 0 ? fc.constant(null) : fc.option(value, { freq: 4 })
          const list = fc.record({
            field: fc.constant(name),
            sign: fc.constantFrom('==' as const, '!=' as const),
            values: fc.array(nullable, { minLength: 1, maxLength: 4 }),
          })
          if (taken.length === 0) return list
          const single = fc
            .record({
              field: fc.constant(name),
              sign: fc.constantFrom(...taken),
              values: value.map((text) => [text]),
            })
            .filter(({ sign, values }) => !isOfText(sign) || values[0] !== '')
          return fc.oneof({ weight: 3, arbitrary: single }, { weight: 1, arbitrary: list })
        }),
      )
      const filter = fc.letrec<{ filter: Filter; filters: readonly Filter[] }>((tie) => ({
        filters: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
        filter: fc.oneof(
          { maxDepth: 3 },
          { weight: 4, arbitrary: asked },
          { weight: 1, arbitrary: tie('filters').map((all) => ({ all })) },
          { weight: 2, arbitrary: tie('filters').map((any) => ({ any })) },
          { weight: 1, arbitrary: tie('filter').map((not) => ({ not })) },
        ),
      })).filter
      await fc.assert(
        fc.asyncProperty(
          fc.array(filter, { minLength: 1, maxLength: 3 }),
          fc.constantFrom(...forms),
          fc.constantFrom<Quoting>('needed', 'always'),
          check,
        ),
        runs(150),
      )
    })
  })
}
