import { afterEach, expect, test } from 'vitest'
import type { TableFacts } from '../../src/entry/source.ts'
import { libraryTables, memorySource, type OpenedSource } from '../../src/testing/index.ts'
import { failuresOf } from './failures.ts'
import { durableSource, rightSource, wrongSources } from './wrong-sources.ts'

const zone = process.env['TZ']

const inZone = (name: string | undefined): void => {
  if (name === undefined) delete process.env['TZ']
  else process.env['TZ'] = name
}

afterEach(() => inZone(zone))

test('a source that is right passes, in each zone', async () => {
  expect(await failuresOf(rightSource)).toEqual([])
  inZone('America/St_Johns')
  expect(await failuresOf(rightSource)).toEqual([])
})

test('a source that has its records when it is opened again passes', async () => {
  expect(await failuresOf(durableSource)).toEqual([])
})

const noSource: NonNullable<(typeof wrongSources)[string]> = [rightSource]

const needed = new Set(['id', 'name', 'bio', 'title', 'isbn', 'price', 'pages', 'printedAt', 'authorId'])

const reduced = (models: readonly string[]): readonly TableFacts[] =>
  libraryTables
    .filter(({ name }) => models.includes(name))
    .map(({ uniques: _uniques, foreignKeys: _keys, ...table }) => ({
      ...table,
      fields: table.fields.filter(({ name }) => needed.has(name)),
    }))

test.each([[['Author']], [['Author', 'Book']]])(
  'a source with only the needed fields of %s passes',
  async (models) => {
    const facts = reduced(models)
    const open = (): OpenedSource => ({
      source: memorySource(facts, { without: ['transactions', 'databaseDefaults'] }),
      close: () => undefined,
      unenforced: ['unique', 'missing-reference', 'still-referenced', 'check'],
    })
    expect(await failuresOf(open)).toEqual([])
  },
)

test.each(Object.entries(wrongSources))('the suite finds %s', async (name, [open, ...titles]) => {
  if (name.includes('zone')) inZone('America/St_Johns')
  const failed = await failuresOf(open, (title) => titles.includes(title))
  expect(failed.toSorted()).toEqual(titles.toSorted())
})

test('in UTC the suite does not find times in the zone of the process', async () => {
  const [open, ...titles] = wrongSources['times in the zone of the process'] ?? noSource
  inZone('UTC')
  expect(await failuresOf(open, (title) => titles.includes(title))).toEqual([])
})
