import { expect, it } from 'vitest'
import { MANY_RELATIONS } from '../source/facts.ts'
import { isOneOfMany } from './scope/shapes/given.ts'
import { onEachOrm } from './scope/shapes/opened.ts'
import { pagesOf, readsOf } from './scope/shapes/reads.ts'

onEachOrm('what another tenant holds is not read', { scopes: 'option' }, (models, open) => {
  it('of models with many relations', () => {
    const { relations } = open().givenOf('Account').model
    expect(relations.filter(({ name, closed }) => isOneOfMany(name) && !closed)).toHaveLength(MANY_RELATIONS)
  })

  it.each([...models, 'Strip0'])('of %s', async (name) => {
    const { worlds, givenOf, both } = open()
    await both.expectSame(readsOf(givenOf(name), givenOf, worlds.shared.models.capabilities))
  })
})

const pages = { scopes: 'controllers', paging: 'cursor' } as const

onEachOrm('what another tenant holds is on no page', pages, (models, open) => {
  it.each(models)('of %s', async (name) => {
    const { givenOf, both } = open()
    await both.expectSame(pagesOf(givenOf(name)))
  })
})
