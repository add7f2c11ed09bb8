import { describe, expect, test } from 'vitest'
import { findControllers } from '../../src/controller/discovery.ts'
import { BaseModelController, controllerFor, StartError } from '../../src/index.ts'

const find = (given: unknown) => findControllers({ given: given as readonly unknown[], apps: ['shop'] })

describe('controllers that are given', () => {
  test('are taken as they are, each once, with their place', async () => {
    const ProductController = controllerFor('Product', {})
    const unnamed = controllerFor('Order', (() => class extends BaseModelController {})())
    expect(await find([ProductController, unnamed, ProductController])).toEqual({
      controllers: [
        { controller: ProductController, place: 'controllers[0], ProductController' },
        { controller: unnamed, place: 'controllers[1]' },
      ],
      summary: 'controllers: 2 given',
    })
  })

  test('may be none, and then no folder is read', async () => {
    const search = { given: [], apps: ['shop'], baseDir: '/no/such/folder' }
    expect(await findControllers(search)).toEqual({ controllers: [], summary: 'controllers: 0 given' })
  })
})

describe('controllers refuses', () => {
  class OrderController extends BaseModelController {}
  class Linked extends BaseModelController {}
  controllerFor('Product', Linked)
  class Derived extends Linked {}
  const remedy = "Give what controllerFor('Product', { … }) gives back: controllers: [ProductController]."

  test.each([
    [
      'a class without a model',
      [OrderController],
      "controllers[0], OrderController is linked to no model. Link it: controllerFor('Product', OrderController).",
    ],
    [
      'a class derived from a controller',
      [Linked, Derived],
      "controllers[1], Derived is linked to no model. Link it: controllerFor('Product', Derived).",
    ],
    ['another class', [class Product {}], `controllers[0] is no controller. ${remedy}`],
    ['hooks without a model', [{ beforeCreate() {} }], `controllers[0] is no controller. ${remedy}`],
    [
      'a decorator that decorates nothing',
      [controllerFor('Product')],
      `controllers[0] is no controller. ${remedy}`,
    ],
    ['nothing', [undefined], `controllers[0] is no controller. ${remedy}`],
    ['the base class', [BaseModelController], `controllers[0] is no controller. ${remedy}`],
    [
      'a controller outside of a list',
      Linked,
      'The option controllers must be an array: controllers: [ProductController].',
    ],
    ['null', null, 'The option controllers must be an array: controllers: [ProductController].'],
  ])('%s', async (_, given, message) => {
    await expect(find(given)).rejects.toThrow(new StartError(message))
  })
})
