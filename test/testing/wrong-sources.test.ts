import { afterEach, expect, test } from 'vitest'
import { failuresOf } from './failures.ts'
import { rightSource, wrongSources } from './wrong-sources.ts'

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

test.each(Object.entries(wrongSources))('the suite finds %s', async (name, [open, ...titles]) => {
  if (name.includes('zone')) inZone('America/St_Johns')
  const failed = await failuresOf(open, (title) => titles.includes(title))
  expect(failed.toSorted()).toEqual(titles.toSorted())
})

test('in UTC the suite does not find times in the zone of the process', async () => {
  const [open, ...titles] = wrongSources['times in the zone of the process'] ?? [rightSource]
  inZone('UTC')
  expect(await failuresOf(open, (title) => titles.includes(title))).toEqual([])
})
