import { describe, expect, test } from 'vitest'
import { linkedModel } from '../../src/controller/controller-for.ts'
import { hookNames } from '../../src/controller/hooks.ts'
import { BaseModelController, controllerFor, StartError } from '../../src/index.ts'
import { naming } from '../naming.ts'

const mistake = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    return error instanceof Error ? error.message : ''
  }
  throw new Error('It was not refused.')
}

const loose = controllerFor as unknown as (...given: readonly unknown[]) => unknown

describe('every form of controllerFor gives a controller of its model', () => {
  test('hooks in an object', () => {
    const ProductController = controllerFor('Product', {
      beforeCreate: (_request, payload) => ({ ...payload, slug: 'lamp' }),
    })
    expect(linkedModel(ProductController)).toBe('Product')
    expect(ProductController.name).toBe('ProductController')
    expect(ProductController.prototype).toBeInstanceOf(BaseModelController)
  })

  test('hooks of a module, as import * gives them', () => {
    const module = Object.assign(Object.create(null), { scope: () => ({}) })
    expect(linkedModel(controllerFor('Product', module))).toBe('Product')
  })

  test('a class, which stays what it is', () => {
    class ProductController extends BaseModelController {
      static readonly currency = 'EUR'
    }
    const linked: typeof ProductController = controllerFor('Product', ProductController)
    expect(linked).toBe(ProductController)
    expect(linkedModel(linked)).toBe('Product')
  })

  test('a class, by calling what controllerFor gives without one', () => {
    class OrderController extends BaseModelController {}
    expect(controllerFor('Order')(OrderController)).toBe(OrderController)
    expect(linkedModel(OrderController)).toBe('Order')
  })

  test('a class, as compilers call a decorator', () => {
    class OrderController extends BaseModelController {}
    const decorate = controllerFor('Order') as (target: unknown, context: object) => unknown
    expect(decorate(OrderController, { kind: 'class', name: 'OrderController' })).toBe(OrderController)
    expect(linkedModel(OrderController)).toBe('Order')
  })
})

describe('a link', () => {
  test('is not inherited', () => {
    class ProductController extends BaseModelController {}
    controllerFor('Product', ProductController)
    class Other extends ProductController {}
    expect(linkedModel(Other)).toBeUndefined()
    controllerFor('Order', Other)
    expect([linkedModel(ProductController), linkedModel(Other)]).toEqual(['Product', 'Order'])
  })

  test('may be said twice, but not to two models', () => {
    class ProductController extends BaseModelController {}
    controllerFor('Product', ProductController)
    controllerFor('Product', ProductController)
    expect(mistake(() => controllerFor('Order', ProductController))).toMatch(
      naming("controllerFor('Order')", 'ProductController', 'Product', 'class extends ProductController {}'),
    )
  })
})

describe('controllerFor refuses', () => {
  test('a hook that there is not', () => {
    expect(mistake(() => loose('Product', { before_create: () => undefined }))).toMatch(
      naming("controllerFor('Product')", 'before_create', ...hookNames),
    )
    expect(mistake(() => loose('Product', { permission: { read: 'public' } }))).toMatch(
      naming("controllerFor('Product')", 'Did you mean permissions?'),
    )
  })

  test.each([
    ['a class that extends nothing', class ProductController {}],
    ['the base class itself', BaseModelController],
    ['an instance', new (class Hooks {})()],
    ['nothing', undefined],
    ['null', null],
    ['an array', []],
    ['a method', () => undefined],
  ])('%s', (_, given) => {
    expect(mistake(() => loose('Product', given))).toMatch(
      naming(
        ...[
          "controllerFor('Product')",
          'beforeCreate(request, payload)',
          'class extends BaseModelController',
        ],
      ),
    )
  })

  test.each([[{}], [''], [undefined]])('%j as the model', (model) => {
    expect(mistake(() => loose(model, {}))).toMatch(naming("controllerFor('Product'"))
  })
})

test.each([
  ['beforeSave', ['beforeCreate', 'beforeUpdate']],
  ['afterSave', ['afterCreate', 'afterUpdate']],
  ['before_insert', ['beforeCreate']],
  ['afterPatch', ['afterUpdate']],
  ['beforeDestroy', ['beforeDelete']],
  ['afterFind', ['afterList']],
])('the hook %s of other libraries is known by its name here', (name, meant) => {
  const said = naming('controllerFor', name, ...meant, ...meant)
  expect(() => controllerFor('Product', { [name]() {} } as object)).toThrow(said)
})
