import { describe, expect, it } from 'vitest'
import type { ModelConfigs } from '../../../src/model/setup/configure.ts'
import { chooseModels, type Exclude } from '../../../src/model/setup/served.ts'
import { fieldNamed, modelOf } from '../../sample-model.ts'

const key = fieldNamed('id', 'integer', 'number', { hasDefault: true })
const models = [modelOf('User', [key]), modelOf('Product', [key]), modelOf('Session', [key], { app: 'auth' })]

const open: ModelConfigs = { User: { internal: false } }
const closed: ModelConfigs = { User: { internal: true } }

describe('the user model', () => {
  it.each<[string, Exclude, ModelConfigs, boolean]>([
    ['by itself', {}, {}, false],
    ['with modelConfig.User.internal false', {}, open, true],
    ['with modelConfig.User.internal true', {}, closed, false],
    ['with its app named with null', { shop: null }, {}, true],
    ['with its app named with null, and internal true', { shop: null }, closed, false],
    ['with its app named with null, and internal false', { shop: null }, open, true],
    ['with another app named with null', { auth: null }, {}, false],
    ['with its app named with undefined', { shop: undefined }, {}, false],
    ['with a set that does not hold it', { shop: new Set(['Product']) }, {}, false],
    ['with an array that does not hold it', { shop: ['Product'] }, {}, false],
    ['with an empty set', { shop: new Set<string>() }, {}, false],
    ['with a set that does not hold it, and internal false', { shop: new Set(['Product']) }, open, true],
    ['with a set that holds it', { shop: new Set(['User']) }, {}, false],
    ['with a set that holds it, and internal false', { shop: ['User'] }, open, false],
    ['with its app left out', { shop: true }, {}, false],
    ['with its app left out, and internal false', { shop: true }, open, false],
  ])('%s', (_how, exclude, modelConfig, isServed) => {
    const { served } = chooseModels(models, { exclude, modelConfig }, ['User'])
    expect(served.some(({ name }) => name === 'User')).toBe(isServed)
  })

  it('is named among what is internal, beside the app auth', () => {
    const { served, internal } = chooseModels(models, {}, ['User'])
    expect(served.map(({ name }) => name)).toEqual(['Product'])
    expect(internal.map(({ name }) => name)).toEqual(['User', 'Session'])
  })

  it('is whichever has its name, and none where there is none', () => {
    const names = (user?: string) => chooseModels(models, {}, [user]).served.map(({ name }) => name)
    expect(names('Product')).toEqual(['User'])
    expect(names()).toEqual(['User', 'Product'])
  })
})
