import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { everyPair, installations, outOfTurn, pairsIn } from '../matrix.ts'

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

test('three turns run all tests that install packages, and each runs some', () => {
  const files = installations.flat()
  expect(files.filter((file) => globSync(file).length === 1)).toEqual(files)
  const run = ['7', '8', '9'].map((turn) => files.filter((file) => !outOfTurn(turn).includes(file)))
  expect(run.flat().toSorted()).toEqual(files.toSorted())
  expect(run.every(({ length }) => length > 0)).toBe(true)
})

test('three turns test all pairs, and without a turn none is left out', () => {
  const tested = [7, 8, 9].flatMap((turn) => pairsIn(turn))
  expect(tested.toSorted()).toEqual(everyPair.toSorted())
  expect([outOfTurn(undefined), outOfTurn('')]).toEqual([[], []])
  expect(() => outOfTurn('all')).toThrow('MATRIX')
})
