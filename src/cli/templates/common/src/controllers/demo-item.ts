import { controllerFor, ValueError } from 'modelrest/fastify'

/** `First demo item` -> `first-demo-item` */
const slugOf = (name: string): string => {
  const words = name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu)
  if (words === null) throw new ValueError('The name must contain a letter or a digit.')
  return words.join('-')
}

/** The hooks of the model DemoItem. modelrest finds every file in this folder. */
export const DemoItemController = controllerFor('DemoItem', {
  // Clients cannot send `slug`, see modelConfig in settings.ts. A hook derives it from the name.
  beforeCreate(_request, payload) {
    return { ...payload, slug: slugOf(payload.name) }
  },

  beforeUpdate(_request, _record, payload) {
    return payload.name === undefined ? undefined : { ...payload, slug: slugOf(payload.name) }
  },
})
