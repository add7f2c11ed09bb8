import type { Operation } from '../../operation/operation.ts'
import { toAllow, wrongMethod } from '../refusals.ts'
import { refuse } from '../serve.ts'
import type { FastifyContext, FastifyRequest, RawRequest } from './app.ts'
import { discardBody } from './body.ts'
import { FastifyCall } from './call.ts'
import { fullUrl, type PathRules, pathForms } from './paths.ts'
import type { FormlessRoute } from './routes.ts'
import { send } from './send.ts'

/**
 * The routes that refuse the methods that a path of ours does not have: 405. OPTIONS is never refused (CORS is the
 * application's), nor is a method for which the application has a route of its own, wherever it declares that route.
 */
export const refusalOfOthers = (
  context: FastifyContext,
  operations: readonly Operation[],
  rules: PathRules,
): readonly (FormlessRoute & { readonly template: string })[] => {
  const supported = context.supportedMethods.filter((method) => method !== 'OPTIONS')
  return [...methodsByPath(operations)].map(([template, methods]) => {
    const urls = pathForms(context.prefix, template, rules)
      .filter(({ condition }) => condition === undefined)
      .map(({ url }) => fullUrl(context.prefix, url))
    const isServed = (method: string) => urls.some((url) => context.hasRoute({ method, url }))
    return {
      template,
      method: supported.filter((method) => !methods.has(method)),
      config: {},
      condition: ({ method }: RawRequest) => method !== undefined && !isServed(method),
      onRequest: (request, reply) => {
        const call = new FastifyCall(request, {}, rules.useSemicolonDelimiter)
        discardBody(request.raw)
        send(reply, refuse(wrongMethod(call.method, toAllow(supported.filter(isServed))), call))
      },
      handler: answeredBefore,
    }
  })
}

const answeredBefore = (_request: FastifyRequest): void => undefined

const methodsByPath = (operations: readonly Operation[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of operations) {
    const known = methods.get(path) ?? new Set()
    methods.set(path, known.add(method))
    if (method === 'GET') known.add('HEAD')
  }
  return methods
}
