import { problem } from '../error/errors.ts'
import type { Call, Reply } from '../operation/call.ts'
import type { Operation } from '../operation/operation.ts'
import { type Steps, wait } from '../operation/steps.ts'
import { assets, contentSecurityPolicy, docsPage, fromText, isAsset, once, replyWith } from './docs-page.ts'
import type { OpenApiDocument } from './openapi-document.ts'

/** Lets a request pass that may read the document. @throws HttpError 401 */
export type Guard = (call: Call) => Steps<unknown>

/**
 * What serves the documentation: `GET /openapi.json`, `GET /docs` and the files of that page. They are not shown in it.
 *
 * @param document asked for once, with the first request
 * @param guard absent: everyone may read it
 */
export const openApiOperations = (document: () => OpenApiDocument, guard?: Guard): readonly Operation[] => {
  const kept = once(document)
  const operations = [serveDocument(kept), servePage(kept)]
  return [...(guard === undefined ? operations : operations.map(guardedBy(guard))), serveAsset]
}

const guardedBy =
  (guard: Guard) =>
  (operation: Operation): Operation => ({
    ...operation,
    problems: [...operation.problems, 'unauthenticated', 'forbidden'],
    caller: 'required',
    *run(call) {
      yield* guard(call)
      const reply = yield* operation.run(call)
      return { ...reply, headers: { ...reply.headers, 'cache-control': 'private, no-cache' } }
    },
  })

const problems = ['internal_error'] as const

const serveDocument = (document: () => OpenApiDocument): Operation => {
  const body = once(() => fromText('application/json', JSON.stringify(document())))
  return {
    id: 'getOpenApi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'The OpenAPI document',
    parameters: [],
    success: { status: 200, description: 'This API, in OpenAPI 3.1.', mediaType: 'application/json' },
    problems,
    run: (call) => wait(replyWith(call, body())),
  }
}

const HTML = 'text/html; charset=utf-8'

const servePage = (document: () => OpenApiDocument): Operation => {
  const policy = once(() => ({ 'content-security-policy': contentSecurityPolicy(document()) }))
  const bare = once(() => fromText(HTML, docsPage(document(), false)))
  const slashed = once(() => fromText(HTML, docsPage(document(), true)))
  return {
    id: 'getDocs',
    method: 'GET',
    path: '/docs',
    summary: 'The interactive documentation',
    parameters: [],
    success: { status: 200, description: 'A page.', mediaType: 'text/html' },
    problems,
    run: (call) => wait(replyWith(call, call.path.endsWith('/') ? slashed() : bare(), policy())),
  }
}

const serveAsset: Operation = {
  id: 'getDocsAsset',
  method: 'GET',
  path: '/docs/{asset}',
  summary: 'A file of the interactive documentation',
  parameters: [
    {
      name: 'asset',
      in: 'path',
      required: true,
      description: 'The name of the file.',
      schema: { type: 'string', enum: Object.keys(assets) },
    },
  ],
  success: { status: 200, description: 'The file.' },
  problems: [...problems, 'not_found'],
  run: (call) => wait(replyWithAsset(call)),
}

const replyWithAsset = (call: Call): Reply => {
  const name = call.params['asset'] ?? ''
  if (!isAsset(name)) throw problem('not_found', 'The documentation has no such file.')
  const body = assets[name]()
  // The page asks with the version, so that what it gets never changes; without one, it may.
  const versioned = call.query === `v=${body.version}`
  return replyWith(call, body, versioned ? { 'cache-control': 'public, max-age=31536000, immutable' } : {})
}
