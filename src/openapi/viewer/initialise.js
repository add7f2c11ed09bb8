// Starts the viewer. It is a file of its own, so that the page needs no inline script.

import { modelPicture } from './models.js'
import { codeSamples, languages } from './samples.js'
import { sessionIn } from './session.js'
import { askedToken, withToken } from './token.js'

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

const methods = ['get', 'put', 'post', 'delete', 'options', 'patch', 'trace']

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object ?? {}).map(([key, value]) => [key, change(value)]))

/** An optional parameter of a query without a value to begin with: its default becomes a placeholder. */
const withoutValue = (parameter) => {
  if (parameter.in !== 'query' || parameter.required === true || !isObject(parameter.schema)) return parameter
  const { example, examples, schema, ...rest } = parameter
  const { default: usual, example: _, examples: __, ...bare } = schema
  const placeholder = parameter['x-placeholder'] ?? (usual === undefined ? '' : String(usual))
  return { ...rest, schema: placeholder === '' ? bare : { ...bare, 'x-placeholder': placeholder } }
}

/** Whether a parameter is there for generated clients only. A reader of the page writes the same conditions in `q`. */
const isFilter = (document, { $ref, ...parameter }) => {
  const { name, in: place, schema } = $ref === undefined ? parameter : (target(document, $ref) ?? {})
  return name === 'filter' && place === 'query' && schema?.type === 'object'
}

const withEmptyQuery = (document, operation) => {
  const { parameters } = operation
  if (!Array.isArray(parameters)) return operation
  const shown =
    'x-problem-codes' in operation ? parameters.filter((each) => !isFilter(document, each)) : parameters
  return { ...operation, parameters: shown.map(withoutValue) }
}

// The viewer sends every value that it shows. A request that the reader has not touched must be the plain one.
const emptyQueries = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update) => (document) =>
          update({
            ...document,
            components: {
              ...document.components,
              parameters: mapValues(document.components?.parameters, withoutValue),
            },
            paths: mapValues(document.paths, (item) =>
              Object.fromEntries(
                Object.entries(item).map(([key, value]) => [
                  key,
                  methods.includes(key) ? withEmptyQuery(document, value) : value,
                ]),
              ),
            ),
          }),
      },
    },
  },
  wrapComponents: {
    JsonSchemaForm:
      (Form, { React }) =>
      (props) =>
        React.createElement(Form, {
          ...props,
          description: props.schema?.get?.('x-placeholder') ?? props.description,
        }),
  },
})

// The viewer invents a value for each part of a form, also for a foreign key, and sends parts that are left empty.
const emptyForms = () => ({
  afterLoad({ fn }) {
    const sampleOf = fn.getSampleSchema
    this.fn.getSampleSchema = (schema, mediaType, ...rest) => {
      if (mediaType !== false) return sampleOf(schema, mediaType, ...rest)
      const plain = schema?.toJS?.() ?? schema
      return plain?.examples === undefined ? undefined : sampleOf(schema, mediaType, ...rest)
    }
  },
  wrapComponents: {
    ParameterIncludeEmpty:
      (Original, { React }) =>
      ({ isIncludedOptions, ...props }) =>
        React.createElement(Original, {
          ...props,
          isIncludedOptions: { ...isIncludedOptions, defaultValue: false },
        }),
  },
})

const PROBLEM = ['content', 'application/problem+json', 'examples']

/** An error with those of the shared examples whose codes its operation may send. */
const withOwnExamples = (response) => {
  const description = response.get('description') ?? ''
  return response.hasIn(PROBLEM)
    ? response.updateIn(PROBLEM, (examples) =>
        examples.filter((_, code) => description.includes(`\`${code}\``)),
      )
    : response
}

// An operation has up to ten errors, whose examples would fill most of its space.
const foldedErrors = () => ({
  wrapComponents: {
    response: (Response, { React, getComponent }) => {
      const create = React.createElement
      const Folded = (props) => {
        const [isOpen, setOpen] = React.useState(false)
        const toggle = create(
          'button',
          {
            type: 'button',
            className: 'error-toggle',
            'aria-expanded': isOpen,
            onClick: () => setOpen(!isOpen),
          },
          isOpen ? 'Hide example' : 'Example',
        )
        const line = create(
          'tr',
          { className: 'response error-line', 'data-code': props.code },
          create('td', { className: 'response-col_status' }, props.code),
          create(
            'td',
            { className: 'response-col_description' },
            create(getComponent('Markdown', true), { source: props.response.get('description') }),
          ),
          create('td', { className: 'response-col_links' }, toggle),
        )
        const details = create(Response, {
          ...props,
          response: withOwnExamples(props.response),
          className: 'error-details',
        })
        return create(React.Fragment, null, line, isOpen ? details : null)
      }
      return (props) => create(/^[45]/.test(props.code) ? Folded : Response, props)
    },
  },
})

// The address of the API is on the page already, unless the reader can choose one.
const oneServer = () => ({
  wrapComponents: {
    ServersContainer:
      (Original, { React, specSelectors }) =>
      (props) =>
        specSelectors.servers().size > 1 ? React.createElement(Original, props) : null,
  },
})

const viewer = document.getElementById('viewer')
const dark = globalThis.matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
paint()
dark.addEventListener('change', paint)

/** Known once the document is there. The base is an absolute URL without a slash at its end. */
const api = { base: '', document: {} }

const pathOf = (template) =>
  new RegExp(`^${template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]*\}/g, '[^/]+')}$`)

/** Whether a caller needs credentials for the operation that a request is for. */
const isProtected = (request) => {
  const { origin, pathname } = new URL(request.get('url'), globalThis.location.href)
  const below = `${origin}${pathname}`.slice(api.base.length)
  const item = Object.entries(api.document.paths ?? {}).find(([template]) =>
    pathOf(template).test(below),
  )?.[1]
  const { security = [] } = item?.[request.get('method').toLowerCase()] ?? {}
  return security.length > 0 && security.every((scheme) => Object.keys(scheme).length > 0)
}

const session = sessionIn(document.getElementById('session'), api)

const token = viewer.dataset.token === 'asked' ? await askedToken(viewer, viewer.dataset.document) : undefined

const viewerOf = globalThis.SwaggerUIBundle({
  domNode: viewer,
  url: viewer.dataset.document,
  plugins: [
    localReferences,
    emptyQueries,
    emptyForms,
    foldedErrors,
    oneServer,
    modelPicture,
    codeSamples(isProtected),
    session.plugin,
  ],
  deepLinking: true,
  displayOperationId: false,
  docExpansion: viewer.dataset.expansion,
  filter: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  ...(token !== undefined && { requestInterceptor: withToken(token) }),
  requestSnippetsEnabled: true,
  requestSnippets: languages,
  responseInterceptor: (response) => {
    session.onResponse(response)
    return response
  },
  onComplete() {
    api.document = viewerOf.specSelectors.specJson().toJS()
    const server = URL.parse(api.document.servers?.[0]?.url ?? '', globalThis.location.href)
    // The URL of a server may have variables.
    if (server !== null) api.base = server.href.replace(/\/$/, '')
    session.show()
  },
  // The badge would send the document's address to a server of the viewer's makers.
  validatorUrl: 'none',
})
