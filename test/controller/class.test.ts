import { describe, expect, test } from 'vitest'
import { controllersOf, type FoundController, type HookRules } from '../../src/controller/class.ts'
import type { ControllerClass } from '../../src/controller/controller-for.ts'
import { hookNames } from '../../src/controller/hooks.ts'
import { BaseModelController, controllerFor, StartError } from '../../src/index.ts'
import { naming } from '../naming.ts'
import { fieldNamed, modelOf } from '../sample-model.ts'

const id = fieldNamed('id', 'integer', 'number')
const product = modelOf('Product', [id])
const order = modelOf('Order', [id])
const post = modelOf('Post', [id], { app: 'blog' })
const report = modelOf('Report', [id], { readOnly: true })
const models = { served: [product, order, report], described: [product, order, report, post] }

const inP = 'controllers/product.ts, P'

const found = (controller: ControllerClass, place = inP): FoundController => ({
  controller,
  place,
})

const hooksOfProduct = (controller: ControllerClass, rules: HookRules = { isAsync: true }) =>
  controllersOf([found(controller)], models, rules).get('Product')?.hooks ?? {}

const mistake = (given: readonly FoundController[], rules: HookRules = { isAsync: true }): string => {
  try {
    controllersOf(given, models, rules)
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    return error instanceof Error ? error.message : ''
  }
  throw new Error('It was not refused.')
}

/** What is said of a class of Product. TypeScript would refuse most of these. */
const mistakeIn = (controller: object, rules?: HookRules): string =>
  mistake([found(controllerFor('Product', controller as typeof BaseModelController))], rules)

describe('the hooks of a controller', () => {
  test('are those of an object', () => {
    const hooks = hooksOfProduct(controllerFor('Product', { beforeCreate: () => ({ a: 1 }) }))
    expect(Object.keys(hooks)).toEqual(['beforeCreate'])
    expect(Object.isFrozen(hooks)).toBe(true)
  })

  test('are all that there are', () => {
    const all = Object.fromEntries(hookNames.map((name) => [name, () => undefined]))
    expect(Object.keys(hooksOfProduct(controllerFor('Product', all)))).toEqual(hookNames)
    expect(hookNames).toHaveLength(13)
  })

  test('get what they are called with, and have their class as this, however they are written', () => {
    class ProductController extends BaseModelController {
      static readonly tax = 2
      static beforeCreate(_request: unknown, payload: Record<string, unknown>) {
        return { price: Number(payload['price']) * this.tax }
      }
      static scope = () => ({ tenant: this.tax })
      static get afterList() {
        return () => [{ tax: this.tax }]
      }
    }
    const hooks = hooksOfProduct(controllerFor('Product', ProductController))
    expect(Reflect.apply(hooks.beforeCreate!, undefined, [null, { price: 3 }])).toEqual({ price: 6 })
    expect(Reflect.apply(hooks.scope!, undefined, [])).toEqual({ tenant: 2 })
    expect(Reflect.apply(hooks.afterList!, undefined, [])).toEqual([{ tax: 2 }])
  })

  test('are inherited from a base class of several controllers', () => {
    abstract class Audited extends BaseModelController {
      static readonly kind: string = 'audited'
      static afterCreate() {
        return { kind: this.kind }
      }
      static afterUpdate() {
        return { kind: this.kind }
      }
    }
    class ProductController extends Audited {
      static override readonly kind = 'product'
      static override afterUpdate() {
        return { kind: `own ${super.afterUpdate().kind}` }
      }
    }
    const hooks = hooksOfProduct(controllerFor('Product', ProductController))
    expect(Reflect.apply(hooks.afterCreate!, undefined, [])).toEqual({ kind: 'product' })
    expect(Reflect.apply(hooks.afterUpdate!, undefined, [])).toEqual({ kind: 'own product' })
  })

  test('stand beside statics and methods of the controller itself', () => {
    class ProductController extends BaseModelController {
      static score = 1
      static slugOf(name: string) {
        return name
      }
      static update() {}
      describe() {}
    }
    expect(hooksOfProduct(controllerFor('Product', ProductController))).toEqual({})
  })

  test('know where they stand', () => {
    const [controller] = [...controllersOf([found(controllerFor('Product', {}))], models, { isAsync: true })]
    expect(controller).toEqual([
      'Product',
      { model: 'Product', place: inP, hooks: {}, permissions: {}, actions: [] },
    ])
  })
})

/** The closest name comes before the other allowed ones. */
const firstNamedIn = (message: string): string | undefined =>
  new RegExp(`\\b(?:${[...hookNames, 'permissions'].join('|')})\\b`).exec(message)?.[0]

describe('start-up refuses', () => {
  test('a model that there is not', () => {
    expect(mistake([found(controllerFor('Produkt', {}))])).toMatch(
      naming(inP, 'Produkt', 'Product', 'Order', 'Report'),
    )
  })

  test('a model that is excluded', () => {
    expect(mistake([found(controllerFor('Post', {}))])).toMatch(naming(inP, 'Post', 'internal', 'exclude'))
  })

  test('two controllers of one model', () => {
    const given = ['controllers/a.ts, A', 'shop/controllers/b.ts, B'].map((place) =>
      found(controllerFor('Product', {}), place),
    )
    expect(mistake(given)).toMatch(naming('Product', 'controllers/a.ts, A', 'shop/controllers/b.ts, B'))
  })

  test.each([
    ['befroeCreate', 'beforeCreate'],
    ['beforeSave', 'beforeCreate'],
    ['beforeSave', undefined],
    ['before_create', 'beforeCreate'],
    ['BEFORE_CREATE', 'beforeCreate'],
    ['aftercommit', 'afterCommit'],
    ['after_delete', 'afterDelete'],
    ['aftrCreate', 'afterCreate'],
    ['scop', 'scope'],
    ['scopes', 'scope'],
    ['Scope', 'scope'],
    ['socpe', 'scope'],
    ['permission', 'permissions'],
  ])('the static %s', (name, meant) => {
    const controller = class extends BaseModelController {}
    Object.defineProperty(controller, name, { value: () => undefined })
    const message = mistakeIn(controller)
    expect(message).toMatch(naming(inP, name))
    if (meant !== undefined) expect(firstNamedIn(message.replace(name, ''))).toBe(meant)
  })

  test('a misspelt static of a base class', () => {
    class Base extends BaseModelController {
      static afterCreated() {}
    }
    const message = mistakeIn(class extends Base {})
    expect(message).toMatch(naming(inP, 'afterCreated'))
    expect(firstNamedIn(message)).toBe('afterCreate')
  })

  test.each([
    [5, 'number'],
    [{}, 'object'],
    [undefined, 'undefined'],
    [null, 'null'],
    [function* () {}, 'generator'],
    [async function* () {}, 'generator'],
  ])('the hook %s', (scope, kind) => {
    const controller = class extends BaseModelController {
      static scope: unknown = scope
    }
    expect(mistakeIn(controller)).toMatch(naming(inP, 'scope', kind, 'static scope(request'))
  })

  test('a hook that is a method of instances, a base class included', () => {
    class Base extends BaseModelController {
      beforeCreate() {}
    }
    expect(mistakeIn(class extends Base {})).toMatch(naming(inP, 'beforeCreate', 'static beforeCreate('))
  })

  test('permissions that decide nothing, in a class and in an object', () => {
    expect(
      mistakeIn(
        class extends BaseModelController {
          static permissions = { raed: 'public' }
        },
      ),
    ).toMatch(naming(inP, 'permissions', 'raed', 'read', 'create', 'delete', 'update'))
    expect(mistakeIn({ permissions: { read: true } })).toMatch(
      naming(inP, 'permissions.read', "'public'", "'authenticated'", '(request, record) => boolean'),
    )
  })

  test('a hook of writes on a model that cannot be written, unless it is inherited', () => {
    expect(mistake([found(controllerFor('Report', { beforeCreate: () => undefined }))])).toMatch(
      naming(inP, 'Report', 'beforeCreate'),
    )
    class Base extends BaseModelController {
      static afterCommit() {}
    }
    const controller = controllerFor('Report', class extends Base {})
    expect(controllersOf([found(controller)], models, { isAsync: true }).size).toBe(1)
    expect(hooksOfProduct(controllerFor('Product', { beforeCreate: () => undefined }))).not.toEqual({})
  })
})

describe('an async function', () => {
  const hook = (name: string): object => ({ [name]: async () => ({}) })

  test.each(hookNames.filter((name) => name !== 'afterCommit'))(
    'as %s is refused where isAsync is false',
    (name) => {
      expect(mistakeIn(hook(name), { isAsync: false })).toMatch(naming(inP, name, 'async', 'isAsync'))
      expect(Object.keys(hooksOfProduct(controllerFor('Product', hook(name))))).toEqual([name])
    },
  )

  test.each(hookNames)('as %s is refused where it would run in a transaction of one tick', (name) => {
    const rules = { isAsync: true, oneTick: true }
    if (['afterCreate', 'afterUpdate', 'afterDelete'].includes(name)) {
      expect(mistakeIn(hook(name), rules)).toMatch(naming(inP, name, 'async', 'afterCommit'))
    } else {
      expect(Object.keys(hooksOfProduct(controllerFor('Product', hook(name)), rules))).toEqual([name])
    }
  })

  test('may run after the reply', () => {
    const rules = { isAsync: false, oneTick: true }
    expect(Object.keys(hooksOfProduct(controllerFor('Product', hook('afterCommit')), rules))).toEqual([
      'afterCommit',
    ])
  })

  test('inherited from a base class counts too', () => {
    class Base extends BaseModelController {
      static async beforeCreate() {}
    }
    expect(mistakeIn(class extends Base {}, { isAsync: false })).toMatch(
      naming(inP, 'beforeCreate', 'async', 'isAsync'),
    )
  })
})
