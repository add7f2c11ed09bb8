import { expect, it } from 'vitest'
import { withArticle } from '../../src/model/naming.ts'

it.each([
  ...['a Product', 'an Attachment', 'an Order', 'an Item', 'an Organisation', 'an Event', 'an Umbrella'],
  ...['a User', 'a Unit', 'a University', 'an Uninstall', 'a Usage', 'a Utility', 'a Url', 'an Update'],
  ...['a European', 'a OneTimeCode', 'an Hour', 'an HonourableMention', 'a House', 'an Heir', 'a Category'],
])('%s', (expected) => {
  expect(withArticle(expected.replace(/^an? /, ''))).toBe(expected)
})
