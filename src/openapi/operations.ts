import { lazily } from '../model/objects.ts'
import type { Call } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { type Steps, waitInAnyMode } from '../operation/steps.ts'
import type { Brand } from './brand.ts'
import type { DocsReplies } from './docs-page.ts'
import type { OpenApiDocument } from './openapi-document.ts'

/** Admits requests that may read the document. @throws HttpError 401 */
export type Guard = (call: Call) => Steps<unknown>

/** How the documentation is served. */
interface Documenting {
  /** @default it is public */
  readonly guard?: Guard | undefined
  /** Whether the page itself is public, and asks for a token with which it loads the document. @default false */
  readonly asksForToken?: boolean
  readonly brand?: Brand
}

/**
 * `GET /openapi.json`, `GET /docs` and the files of that page, which the document omits. Without a guard, they are
 * public.
 */
export const openApiOperations = (
  document: () => OpenApiDocument,
  { guard, asksForToken = false, brand = {} }: Documenting = {},
): readonly Operation[] => {
  // Loaded at the first request, because many services never serve the page.
  const replies = lazily(() =>
    import('./docs-page.ts').then(({ docsReplies }) => docsReplies(document, brand, asksForToken)),
  )
  const operations = [getOpenApi, getDocs, getDocsAsset].map(({ reply, ...operation }) => ({
    ...operation,
    *run(call: Call) {
      const loaded = yield* waitInAnyMode(replies())
      return loaded[reply](call)
    },
  }))
  if (guard === undefined) return operations
  const open = asksForToken ? [getDocsAsset.id, getDocs.id] : [getDocsAsset.id]
  return operations.map((operation) =>
    open.includes(operation.id) ? operation : guardedBy(guard, operation),
  )
}

const guardedBy = (guard: Guard, operation: Operation): Operation => ({
  ...operation,
  problems: [...operation.problems, 'unauthenticated', 'forbidden'],
  caller: 'required',
  *run(call) {
    yield* guard(call)
    const reply = yield* operation.run(call)
    return { ...reply, headers: { ...reply.headers, 'cache-control': 'private, no-cache' } }
  },
})

interface DocsOperation extends Omit<Operation, 'run'> {
  readonly reply: keyof DocsReplies
}

const common = { method: 'GET', parameters: [], problems: ['internal_error', 'unavailable'] } as const

const getOpenApi: DocsOperation = {
  ...common,
  id: 'getOpenApi',
  path: '/openapi.json',
  summary: 'Get the OpenAPI document',
  success: {
    status: 200,
    description: 'The OpenAPI 3.1 document of this API.',
    mediaType: 'application/json',
  },
  reply: 'document',
}

const getDocs: DocsOperation = {
  ...common,
  id: 'getDocs',
  path: '/docs',
  summary: 'Open the interactive documentation',
  success: { status: 200, description: 'The HTML page.', mediaType: 'text/html' },
  reply: 'page',
}

const getDocsAsset: DocsOperation = {
  ...common,
  id: 'getDocsAsset',
  path: '/docs/{asset}',
  summary: 'Get a file of the interactive documentation',
  parameters: [
    {
      name: 'asset',
      in: 'path',
      required: true,
      description: 'The name of the file.',
      schema: { type: 'string' },
    },
  ],
  success: { status: 200, description: 'The file.' },
  problems: ['internal_error', 'not_found', 'unavailable'],
  reply: 'asset',
}
