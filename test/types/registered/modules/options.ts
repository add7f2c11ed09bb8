// Options know the names of apps, models and fields.
import { type AuthClaims, ModelRest, type ModelRestOptions, type ModelSource } from 'modelrest'
import { z } from 'zod'
import { models } from './models.ts'

const app = {}

export const rest = new ModelRest(app, {
  models,
  exclude: { shop: new Set(['Product', 'OrderItem']), blog: ['User'] },
  modelConfig: {
    User: { hidden: ['password'], search: ['email'] },
    Product: {
      hidden: { price: false },
      path: 'goods',
      fieldDescriptions: { name: 'Its name.' },
      include: ['items.buyer'],
    },
    OrderItem: {
      relations: { buyer: 'customer', product: false, unknownYet: 'other' },
      include: ['product'],
    },
  },
  customSchemas: { Product: { create: z.object({ name: z.string() }) }, User: {} },
})
export const scoped: ModelRestOptions = {
  models,
  scope: (_request, { caller }, { name, fields }) => {
    if (name === 'CheapProduct' || fields.includes('inStock')) return {}
    return caller === null ? [] : { tenantId: [1, 2], order: { tenantId: 7 } }
  },
}
// @ts-expect-error A scope is an object of equalities, or several.
export const unscoped: ModelRestOptions = { models, scope: () => 'all' }
export const misnamed: ModelRestOptions = {
  models,
  // @ts-expect-error There is no such model.
  scope: (_request, _context, { name }) => (name === 'Users' ? [] : {}),
}
export const schemas: readonly unknown[] = [rest.schemas('CheapProduct'), rest.schemas('User').create]
export const written: ModelRestOptions = { models, exclude: { shop: true, blog: null } }
export const writtenSet: ModelRestOptions = { models, exclude: { shop: new Set(['Customer']) } }

/** A source that says nothing of its models takes any name, also where others are registered. */
export const unknownModels = (source: ModelSource): ModelRest<unknown> => {
  const other = new ModelRest(app, {
    models: source,
    exclude: { any: new Set(['Anything']), other: ['Other'] },
    modelConfig: { Anything: { hidden: ['something'] } },
    customSchemas: { Anything: { update: z.object({}) } },
  })
  other.schemas('Anything')
  return other
}

// @ts-expect-error There is no such app.
new ModelRest(app, { models, exclude: { shopp: true } })
// @ts-expect-error The model is of another app.
new ModelRest(app, { models, exclude: { shop: ['User'] } })
// @ts-expect-error In a set too.
new ModelRest(app, { models, exclude: { shop: new Set(['User']) } })
// @ts-expect-error A relation is renamed or closed.
new ModelRest(app, { models, modelConfig: { OrderItem: { relations: { buyer: true } } } })
// @ts-expect-error There is no such model.
new ModelRest(app, { models, modelConfig: { Users: {} } })
// @ts-expect-error There is no such field.
new ModelRest(app, { models, modelConfig: { User: { hidden: ['pasword'] } } })
// @ts-expect-error There is no such field.
new ModelRest(app, { models, modelConfig: { User: { readOnly: { pasword: true } } } })
// @ts-expect-error There is no such field.
new ModelRest(app, { models, modelConfig: { User: { fieldDescriptions: { pasword: 'The hash.' } } } })
// @ts-expect-error There is no such model.
new ModelRest(app, { models, customSchemas: { Users: {} } })
// @ts-expect-error There is no such schema to replace.
new ModelRest(app, { models, customSchemas: { User: { list: z.object({}) } } })
// @ts-expect-error This is no schema.
new ModelRest(app, { models, customSchemas: { User: { create: { name: 'text' } } } })
// @ts-expect-error There is no such model.
new ModelRest(app, { models, customSchemas: { Users: {} } })
// @ts-expect-error There is no such model.
rest.schemas('Users')
// @ts-expect-error The registered models have no such app.
export const wrong: ModelRestOptions = { models, exclude: { shopp: true } }
// @ts-expect-error Those that are registered have no such field.
export const wrongField: ModelRestOptions = { models, modelConfig: { Product: { writeOnly: ['cost'] } } }

export const issued: Promise<string> = rest.issueTokens('a key').then(({ access }) => access)
// @ts-expect-error: keys of users are strings
rest.issueTokens(5)

export const ownClaims: AuthClaims = (user) => ({ email: user.email })
// @ts-expect-error: the user has no such field
export const unknownClaims: AuthClaims = (user) => ({ email: user.mail })
