import { capital, joinedIn } from '../model/naming.ts'
import type { Operation, Parameter } from '../operation/operation.ts'
import type { ParameterObject, ParameterReference } from './openapi-document.ts'

/** The parameters of a document. Those that several operations have are components, which keeps the document small. */
export interface SharedParameters {
  readonly components: Readonly<Record<string, ParameterObject>>
  readonly of: (parameter: Parameter) => ParameterObject | ParameterReference
}

export const sharedParameters = (operations: readonly Operation[]): SharedParameters => {
  const uses = Map.groupBy(
    operations.flatMap(({ model, parameters }) =>
      parameters.map((parameter) => ({ model, parameter, text: JSON.stringify(parameter) })),
    ),
    ({ text }) => text,
  )
  const components = new Map<string, ParameterObject>()
  const references = new Map<string, ParameterReference>()
  for (const [text, [first, ...others]] of uses) {
    if (first === undefined || others.length === 0) continue
    const { model = '', parameter } = first
    const isOfOne = others.every((other) => other.model === first.model)
    const name = freeName(capital(joinedIn('camel', isOfOne ? model : '', parameter.name)), components)
    components.set(name, toParameterObject(parameter))
    references.set(text, { $ref: `#/components/parameters/${name}` })
  }
  return {
    components: Object.fromEntries(components),
    of: (parameter) => references.get(JSON.stringify(parameter)) ?? toParameterObject(parameter),
  }
}

/** The name, or the name with the next free number. */
const freeName = (wanted: string, taken: ReadonlyMap<string, unknown>): string => {
  let name = wanted
  for (let n = 2; taken.has(name); n += 1) name = `${wanted}${n}`
  return name
}

/** Repeating the name is OpenAPI's default for arrays, but some client generators need it stated explicitly. */
const toParameterObject = (parameter: Parameter): ParameterObject =>
  parameter.in === 'query' && parameter.schema['type'] === 'array'
    ? { ...parameter, style: 'form', explode: parameter.explode ?? true }
    : parameter
