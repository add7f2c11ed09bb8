import { controllerFor, ValueError } from 'modelrest/fastify'

/** `Desk lamp` -> `desk-lamp` */
const slugOf = (name: string): string => {
  const words = name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu)
  if (words === null) throw new ValueError('The name needs a letter or a digit.')
  return words.join('-')
}

/** Hooks of the model Product. Each file in this folder is found at start. */
export const ProductController = controllerFor('Product', {
  // No client may send the slug (modelConfig in settings.ts): it follows from the name.
  beforeCreate(_request, payload) {
    return { ...payload, slug: slugOf(payload.name) }
  },

  beforeUpdate(_request, _product, payload) {
    return payload.name === undefined ? undefined : { ...payload, slug: slugOf(payload.name) }
  },
})
