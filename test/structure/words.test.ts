import { expect, test } from 'vitest'
import { foreignIn, readTexts, words } from './words.ts'

test('texts that people read have none of the words that read like a translation', () => {
  const texts = readTexts()
  expect(texts.length).toBeGreaterThan(2000)
  expect(texts.flatMap(foreignIn)).toEqual([])
})

test.each(words)('"$bad" is found, and "$good" is not', ({ bad, good, instead }) => {
  expect(foreignIn({ place: 'a.ts:1', text: bad })).toEqual([expect.stringContaining(`-> ${instead}`)])
  expect(foreignIn({ place: 'a.ts:1', text: good })).toEqual([])
})
