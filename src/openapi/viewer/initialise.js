// Starts the viewer. It is a file of its own, so that the page needs no inline script.

const isObject = (value) => typeof value === 'object' && value !== null

const target = (document, reference) =>
  reference
    .slice(2)
    .split('/')
    .reduce((node, key) => node?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)

/** A part of the document with the references inside it replaced by what they name; one that is inside itself stays. */
const resolve = (document, node, open = []) => {
  if (Array.isArray(node)) return node.map((item) => resolve(document, item, open))
  if (!isObject(node)) return node
  const { $ref, ...beside } = node
  const inside = typeof $ref === 'string' && $ref.startsWith('#/') && !open.includes($ref)
  const named = inside ? target(document, $ref) : undefined
  if (isObject(named)) {
    return { ...resolve(document, named, [...open, $ref]), ...resolve(document, beside, open), $$ref: $ref }
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(document, value, open)]))
}

// The viewer's own way reads the whole document again for each part that is opened: with 1,500 operations that takes
// 20 seconds, and 1 this way. It also follows references to other documents, which this page must not.
const localReferences = () => ({
  fn: {
    resolveSubtree: async (document, path) => ({
      spec: resolve(
        document,
        path.reduce((node, key) => node?.[key], document),
      ),
      errors: [],
    }),
  },
})

const viewer = document.getElementById('viewer')
document.body.style.margin = '0'

globalThis.SwaggerUIBundle({
  domNode: viewer,
  url: viewer.dataset.document,
  plugins: [localReferences],
  deepLinking: true,
  displayOperationId: false,
  docExpansion: viewer.dataset.expansion,
  filter: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  // The badge would send the document's address to a server of the viewer's makers.
  validatorUrl: 'none',
})
