import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../../error/errors.ts'
import type { FormFile, SpooledForm } from '../../upload/form.ts'
import type { MultipartLimits } from '../../upload/multipart-settings.ts'
import { discardBody, nodeBody } from '../node/request.ts'

const asking = new WeakSet<object>()

/**
 * The `preParsing` hook for your own routes that read `multipart/form-data`. It requires `ProcessPutPatchMiddleware` in
 * the setting `middleware`. Routes without the hook respond to forms with 415. Authenticate the caller in `onRequest`,
 * which runs before the form is read.
 *
 * @example
 * ```ts
 * import Fastify from 'fastify'
 * import { defineSettings, filesOf, ModelRest, readForm } from 'modelrest/fastify'
 * import type { ModelSource } from 'modelrest'
 *
 * export const serve = async (models: ModelSource): Promise<void> => {
 *   const app = Fastify()
 *   const settings = defineSettings({ MIDDLEWARE: ['ProcessPutPatchMiddleware'] })
 *   await new ModelRest(app, { models, settings }).init()
 *   app.put('/picture', { preParsing: readForm }, async (request) => ({
 *     fields: request.body,
 *     files: filesOf(request).map(({ name, type, size }) => ({ name, type, size })),
 *   }))
 * }
 * ```
 */
export const readForm = <Payload>(
  request: object,
  _reply: object,
  payload: Payload,
  done: (error: null, payload: Payload) => void,
): void => {
  asking.add(request)
  done(null, payload)
}

/** A request with a form. */
interface FormRequest {
  /** The method to restore; `undefined` if it has been restored. */
  method: string | undefined
  form?: SpooledForm
  isAnswered: boolean
}

const readings = new WeakMap<object, FormRequest>()

/**
 * Returns the files of a form in a route with the hook `readForm`. Text fields are in `request.body`. The files are deleted
 * when the response has been sent. The list is empty if the request has no files, or if the application has its own parser
 * for forms.
 */
export const filesOf = (request: object): readonly FormFile[] => readings.get(request)?.form?.files ?? []

/**
 * `ProcessPutPatchMiddleware`: while the form of a PUT or PATCH is being read, the method of the request is POST, so the
 * application's own parser for forms reads it. Without such a parser, forms of routes with the hook `readForm` are read
 * here.
 */
export const putPatch = (limits: MultipartLimits): ((context: FastifyInstance) => Promise<void>) => {
  const plugin = async (context: FastifyInstance): Promise<void> => {
    context.addHook('preParsing', (request, reply, _payload, done) => {
      if (bringsForm(request)) begin(request, reply)
      done()
    })
    context.addHook('preValidation', (request, _reply, done) => {
      restore(request)
      done()
    })
    context.addHook('onError', (request, _reply, _error, done) => {
      restore(request)
      done()
    })
    context.addHook('onSend', (request, _reply, _payload, done) => {
      restore(request)
      done()
    })
    // A parser that the application adds for the exact media type takes precedence, in any order of registration.
    context.addContentTypeParser(formType, async (request: FastifyRequest, payload: IncomingMessage) => {
      if (request.is404) {
        discardBody(request.raw)
        return undefined
      }
      try {
        if (!asking.has(request)) throw new HttpError(415, 'This route does not accept forms.')
        const { spoolForm } = await import('../../upload/form.ts')
        return await keep(request, await spoolForm(nodeBody(payload).bytes(), contentTypeOf(request), limits))
      } catch (error) {
        discardBody(request.raw)
        throw error
      }
    })
  }
  // In an encapsulated context, hooks and parsers would not apply to the routes of the application.
  return Object.assign(plugin, {
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'modelrest forms',
  })
}

const formType = /^multipart\/form-data(?:;|$)/i

const contentTypeOf = ({ raw }: FastifyRequest): string | undefined => raw.headers['content-type']

const bringsForm = (request: FastifyRequest): boolean => formType.test(contentTypeOf(request) ?? '')

const begin = (request: FastifyRequest, reply: FastifyReply): void => {
  const isChange = request.method === 'PUT' || request.method === 'PATCH'
  const reading: FormRequest = { method: isChange ? request.method : undefined, isAnswered: false }
  readings.set(request, reading)
  if (isChange) request.raw.method = 'POST'
  reply.raw.once('close', () => {
    reading.isAnswered = true
    void reading.form?.close()
  })
}

const restore = (request: FastifyRequest): void => {
  const reading = readings.get(request)
  if (reading?.method === undefined) return
  request.raw.method = reading.method
  reading.method = undefined
}

const keep = async (request: FastifyRequest, form: SpooledForm): Promise<SpooledForm['fields']> => {
  const reading = readings.get(request)
  // The client has disconnected, so the form is not closed elsewhere.
  if (reading === undefined || reading.isAnswered) await form.close()
  else reading.form = form
  return form.fields
}
