import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { OpenApiDocument, Operation } from 'modelrest'
import type { Answer } from './shop-client.ts'

/** What is wrong with a reply; empty where it is as the document says. */
export type ReplyCheck = (answer: Answer) => readonly string[]

interface Media {
  readonly schema?: { readonly $ref?: string }
}
interface Response {
  readonly content?: Readonly<Record<string, Media>>
  readonly headers?: object
}
interface DocumentedOperation {
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>
  readonly 'x-problem-codes': { readonly enum: readonly string[] }
}

/** Makes the checks of replies from the document alone. */
export const replyChecks = (document: OpenApiDocument): ((operation: Operation) => ReplyCheck) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: 'api', components: document.components })
  const validatorOf = (media: Media | undefined): ValidateFunction | undefined =>
    media?.schema?.$ref === undefined ? undefined : ajv.getSchema(`api${media.schema.$ref}`)

  return ({ path, method }) => {
    const documented = Reflect.get(document.paths[path] ?? {}, method.toLowerCase()) as DocumentedOperation
    const codes = documented['x-problem-codes'].enum
    return ({ status, headers, text }) => {
      const found = documented.responses[status]
      const response =
        found === undefined || !('$ref' in found)
          ? found
          : document.components.responses[found.$ref.replace('#/components/responses/', '')]
      if (status >= 500) return [`A ${status}: ${text}`]
      if (response === undefined) return [`The document knows no ${status} of this operation: ${text}`]
      const [wanted, media] = Object.entries(response.content ?? {})[0] ?? []
      const wrong: string[] = []
      for (const name of status === 201 ? ['location'] : [])
        if (typeof headers[name] !== 'string') wrong.push(`There is no header ${name}.`)
      if (wanted === undefined) return text === '' ? wrong : [...wrong, `There is a body: ${text}`]
      if (headers['content-type'] !== wanted)
        wrong.push(`The media type is ${headers['content-type']}, not ${wanted}.`)
      const validate = validatorOf(media)
      if (validate === undefined) return [...wrong, `The document has no schema for a ${status}.`]
      const body: unknown = JSON.parse(text)
      if (!validate(body))
        wrong.push(`The response breaks its schema: ${ajv.errorsText(validate.errors)}: ${text}`)
      if (status >= 400) wrong.push(...problemWrongs(body as Problem, status, codes))
      return wrong
    }
  }
}

interface Problem {
  readonly status: number
  readonly code: string
}

const problemWrongs = (problem: Problem, status: number, codes: readonly string[]): readonly string[] => [
  ...(problem.status === status ? [] : [`The problem says ${problem.status}, the reply ${status}.`]),
  ...(codes.includes(problem.code) ? [] : [`The operation does not list the code ${problem.code}.`]),
]
