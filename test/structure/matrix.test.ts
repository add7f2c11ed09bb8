import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { everyPair, inTurn, outOfTurn, pairsIn, sets } from '../matrix.ts'

const ormOf = (file: string): string => file.split('/')[2] ?? ''

test('the matrix has each file that runs the contract of a source with another ORM than Drizzle', () => {
  const files = globSync('test/source/*/{adapter-*,sqlite,postgres,mysql}.test.ts')
  expect(everyPair.toSorted()).toEqual(files.filter((file) => ormOf(file) !== 'drizzle').toSorted())
})

test.each([0, 1, 2, 1234])('turn %s tests each ORM and each database', (turn) => {
  const files = pairsIn(turn)
  expect(new Set(files.map(ormOf))).toEqual(new Set(everyPair.map(ormOf)))
  for (const database of [/sqlite/, /postgres|pg/, /mysql|mariadb/])
    expect(files.some((file) => database.test(file))).toBe(true)
})

test.each(sets)('as many turns as there are groups run all files of a set (%#)', (...groups) => {
  const files = groups.flat()
  expect(files.filter((file) => globSync(file).length === 1)).toEqual(files)
  const run = groups.map((_, turn) => files.filter((file) => !outOfTurn(`${7 + turn}`).includes(file)))
  expect(run.toSorted()).toEqual(groups.toSorted())
})

test('three turns test all pairs, and without a turn none is left out', () => {
  const tested = [7, 8, 9].flatMap((turn) => pairsIn(turn))
  expect(tested.toSorted()).toEqual(everyPair.toSorted())
  expect([outOfTurn(undefined), outOfTurn('')]).toEqual([[], []])
  expect(() => outOfTurn('all')).toThrow('MATRIX')
})

test('npm run test:matrix runs each file that takes turns and installs nothing', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
  const filters = scripts['test:matrix']?.split(' ').filter((word) => word.startsWith('test/')) ?? []
  const takesTurns = /\b(inTurn|onMysqlInTurn|postgresDrivers|worldStages)\b/
  const files = globSync('test/{example,faults,http,scenario,source}/**/*.test.ts').filter((file) =>
    takesTurns.test(readFileSync(file, 'utf8')),
  )
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => !filters.some((filter) => file.startsWith(filter)))).toEqual([])
})

test('subjects of one file take turns, and without a turn all are tested', () => {
  const all = ['a', 'b', 'c', 'd', 'e']
  expect(['3', '4', '5'].map((turn) => inTurn(all, 3, turn))).toEqual([['a', 'd'], ['b', 'e'], ['c']])
  expect(inTurn(all, 3, '')).toEqual(all)
})
