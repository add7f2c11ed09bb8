import { describe, expect, test } from 'vitest'
import { findControllers } from '../../src/controller/discovery.ts'
import { BaseModelController, controllerFor } from '../../src/index.ts'
import { naming } from '../naming.ts'

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
      summary: expect.stringMatching(naming('controllers', 2)),
    })
  })

  test('may be none, and then no folder is read', async () => {
    const search = { given: [], apps: ['shop'], baseDir: '/no/such/folder' }
    expect(await findControllers(search)).toEqual({
      controllers: [],
      summary: expect.stringMatching(naming('controllers', 0)),
    })
  })
})

describe('controllers refuses', () => {
  class OrderController extends BaseModelController {}
  class Linked extends BaseModelController {}
  controllerFor('Product', Linked)
  class Derived extends Linked {}
  const remedy = ["controllerFor('Product'", 'controllers: [ProductController]']

  test.each([
    [
      'a class without a model',
      [OrderController],
      ['controllers[0]', 'OrderController', "controllerFor('Product', OrderController)"],
    ],
    [
      'a class derived from a controller',
      [Linked, Derived],
      ['controllers[1]', 'Derived', "controllerFor('Product', Derived)"],
    ],
    ['another class', [class Product {}], ['controllers[0]', ...remedy]],
    ['hooks without a model', [{ beforeCreate() {} }], ['controllers[0]', ...remedy]],
    ['a decorator that decorates nothing', [controllerFor('Product')], ['controllers[0]', ...remedy]],
    ['nothing', [undefined], ['controllers[0]', ...remedy]],
    ['the base class', [BaseModelController], ['controllers[0]', ...remedy]],
    ['a controller outside of a list', Linked, ['controllers: [ProductController]']],
    ['null', null, ['controllers: [ProductController]']],
  ])('%s', async (_, given, names) => {
    await expect(find(given)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(naming(...names)),
    })
  })
})
