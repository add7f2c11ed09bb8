import { it } from 'vitest'
import { onEachOrm } from './scope/shapes/opened.ts'
import { writesOf } from './scope/shapes/writes.ts'

onEachOrm('what another tenant holds is not written', { scopes: 'controllers' }, (models, open) => {
  it.each(models)('by requests about %s', async (name) => {
    const { givenOf, both } = open()
    await both.expectSame(writesOf(givenOf(name), givenOf))
  })
})
